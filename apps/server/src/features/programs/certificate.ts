/**
 * The certificate of an entrant: what the frozen result states of them, its hash and its place in the audit chain, signed with Ed25519 (RFC 8032).
 * Invariant: the signature is over the exact text of `statement`, so that a check needs neither a server nor a rule for writing JSON.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { hashOf, type ResultDocument } from './result.ts';

/** PKCS #8 of an Ed25519 key up to its 32 bytes (RFC 8410, section 7). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');
/** SubjectPublicKeyInfo up to the 32 bytes of the key (RFC 8410, section 4). */
const spkiHead = Buffer.from('302a300506032b6570032100', 'hex');

const statement = z.object({
  v: z.literal(1),
  contest: z.object({ id: z.string(), name: z.string(), begins_at: z.string(), ends_at: z.string() }),
  /** `username` is that of the day of the certificate. */
  entrant: z.object({ number: z.number(), username: z.string() }),
  /** What the result states of the entrant, as it states it. */
  result: z.record(z.string(), z.unknown()),
  entrants: z.number(),
  frozen_at: z.string(),
  /** SHA-256 of the document of the result. */
  result_sha256: z.string(),
  /** The link of the audit chain that has this hash. */
  audit: z.object({ seq: z.number(), hash: z.string() }),
});
export type Statement = z.output<typeof statement>;

const certificate = z.strictObject({
  kind: z.literal('fulcrum-contest-certificate'),
  /** The signed text, JSON. */
  statement: z.string(),
  /** Both base64url: 32 and 64 bytes. */
  public_key: z.base64url().length(43),
  signature: z.base64url().length(86),
});

export interface CertificateSigner {
  /** SHA-256 of the public key, hexadecimal: what a school publishes. */
  readonly fingerprint: string;
  /** The text of the file. */
  sign(statement: Statement): string;
}

const fingerprintOf = (publicKey: Buffer): string => createHash('sha256').update(publicKey).digest('hex');

/** `key`: 32 bytes, base64url. */
export function createCertificateSigner(key: string): CertificateSigner {
  const seed = Buffer.from(key, 'base64url');
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Head, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(privateKey)
    .export({ format: 'der', type: 'spki' })
    .subarray(spkiHead.length);
  return {
    fingerprint: fingerprintOf(publicKey),
    sign: (of) => {
      const text = JSON.stringify(of);
      const file: z.output<typeof certificate> = {
        kind: 'fulcrum-contest-certificate',
        statement: text,
        public_key: publicKey.toString('base64url'),
        signature: sign(null, Buffer.from(text), privateKey).toString('base64url'),
      };
      return `${JSON.stringify(file, null, 2)}\n`;
    },
  };
}

/** A certificate that is none, or states what it may not. */
export class CertificateFault extends Error {
  override readonly name = 'CertificateFault';
}

/**
 * What the certificate states, once its signature is right. Whether the key is the school's is for the reader to compare.
 * @throws CertificateFault
 */
export function readCertificate(text: string): {
  readonly statement: Statement;
  readonly fingerprint: string;
} {
  const file = certificate.safeParse(parseJson(text));
  if (!file.success) throw new CertificateFault('this is no certificate of a contest');
  const { statement: signed, public_key, signature } = file.data;
  const raw = Buffer.from(public_key, 'base64url');
  const publicKey = createPublicKey({ key: Buffer.concat([spkiHead, raw]), format: 'der', type: 'spki' });
  if (!verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, 'base64url')))
    throw new CertificateFault('the signature is not of this text: the certificate was changed');
  const stated = statement.safeParse(parseJson(signed));
  if (!stated.success) throw new CertificateFault('this version does not know what the certificate states');
  return { statement: stated.data, fingerprint: fingerprintOf(raw) };
}

/** Compares the certificate with the document of the result. @throws CertificateFault */
export function requireResult({ entrant, result, result_sha256 }: Statement, document: string): void {
  if (hashOf(document) !== result_sha256)
    throw new CertificateFault(
      'the document is not the one that the certificate names: its SHA-256 is another one',
    );
  const { entrants } = JSON.parse(document) as Pick<ResultDocument, 'entrants'>;
  const found = entrants.find(({ number }) => number === entrant.number);
  if (JSON.stringify(found) !== JSON.stringify(result))
    throw new CertificateFault('the document states something else of this entrant');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses undefined.
    return undefined;
  }
}
