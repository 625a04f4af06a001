/**
 * The certificate of an entrant of a contest, and of an attempt that has passed a challenge: what the result states of them, its hash and its
 * place in the audit chain, signed with Ed25519 (RFC 8032). Invariants: the signature is over the exact text of `statement`, so that a check needs
 * neither a server nor a rule for writing JSON; a file that differs in one byte from the one that was signed is refused.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { formatChallengeResult } from './challenge-result.ts';
import { hashOf, type ResultDocument } from './result.ts';

/** PKCS #8 of an Ed25519 key up to its 32 bytes (RFC 8410, section 7). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');
/** SubjectPublicKeyInfo up to the 32 bytes of the key (RFC 8410, section 4). */
const spkiHead = Buffer.from('302a300506032b6570032100', 'hex');

const program = z.object({ id: z.string(), name: z.string(), begins_at: z.string(), ends_at: z.string() });
const shared = {
  v: z.literal(1),
  /** The number of an attempt at a challenge is that of the attempt. `username` is that of the day of the certificate. */
  entrant: z.object({ number: z.number(), username: z.string() }),
  /** What the result states of the entrant, as it states it. */
  result: z.record(z.string(), z.unknown()),
  frozen_at: z.string(),
  /** SHA-256 of the document of the result. */
  result_sha256: z.string(),
  /** The link of the audit chain that has this hash. */
  audit: z.object({ seq: z.number(), hash: z.string() }),
};
const contestStatement = z.object({ ...shared, contest: program, entrants: z.number() });
/** Its result has the rules and the verdict of each step: with them the document is made again. */
const challengeStatement = z.object({ ...shared, challenge: program });
const statement = z.union([contestStatement, challengeStatement]);
export type Statement = z.output<typeof statement>;

const certificate = z.strictObject({
  kind: z.enum(['fulcrum-contest-certificate', 'fulcrum-challenge-certificate']),
  /** The signed text, JSON. */
  statement: z.string(),
  /** Both base64url: 32 and 64 bytes. */
  public_key: z.base64url().length(43),
  signature: z.base64url().length(86),
});

const kindOf = (of: Statement): z.output<typeof certificate>['kind'] =>
  `fulcrum-${'contest' in of ? 'contest' : 'challenge'}-certificate`;

/** The one text of a certificate. */
const formatCertificate = (of: Statement, text: string, publicKey: Buffer, signature: Buffer): string =>
  `${JSON.stringify(
    {
      ...{ kind: kindOf(of), statement: text },
      public_key: publicKey.toString('base64url'),
      signature: signature.toString('base64url'),
    } satisfies z.output<typeof certificate>,
    null,
    2,
  )}\n`;

interface CertificateSigner {
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
      return formatCertificate(of, text, publicKey, sign(null, Buffer.from(text), privateKey));
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
  if (!file.success) throw new CertificateFault('this is no certificate');
  const { statement: signed } = file.data;
  const publicKey = Buffer.from(file.data.public_key, 'base64url');
  const signature = Buffer.from(file.data.signature, 'base64url');
  const key = createPublicKey({ key: Buffer.concat([spkiHead, publicKey]), format: 'der', type: 'spki' });
  if (!verify(null, Buffer.from(signed), key, signature))
    throw new CertificateFault('the signature is not of this text: the certificate was changed');
  const stated = statement.safeParse(parseJson(signed));
  if (!stated.success) throw new CertificateFault('this version does not know what the certificate states');
  // The kind and the blanks are not signed, and two texts of base64url may be the same bytes.
  if (formatCertificate(stated.data, signed, publicKey, signature) !== text)
    throw new CertificateFault('the certificate was changed outside the signed text');
  if ('challenge' in stated.data) requireChallengeResult(stated.data);
  return { statement: stated.data, fingerprint: fingerprintOf(publicKey) };
}

/** @throws CertificateFault where the document that is made from the parts has another hash */
function requireChallengeResult({
  challenge,
  entrant,
  result: { rules, steps },
  result_sha256,
}: z.output<typeof challengeStatement>): void {
  const document = formatChallengeResult({ challenge, attempt: entrant.number, rules, steps });
  if (hashOf(document) !== result_sha256)
    throw new CertificateFault('the verdicts are not those that the SHA-256 of the result is of');
}

const passedStep = z.object({
  step: z.number(),
  verdict: z.object({
    outcome: z.literal('passed'),
    decided_at: z.string(),
    arithmetic: z.object({ profit: z.string(), profitNeeded: z.string(), tradingDays: z.number() }),
  }),
});

/** How each step of the challenge was passed. @throws CertificateFault */
export function passedStepsOf({ result }: Pick<Statement, 'result'>) {
  const steps = z.array(passedStep).min(1).safeParse(result.steps);
  if (!steps.success) throw new CertificateFault('this version does not know what the certificate states');
  return steps.data.map(({ step, verdict: { decided_at, arithmetic } }) => ({
    ...{ step, decidedAt: decided_at },
    ...arithmetic,
  }));
}

/** Compares the certificate with the document of the result. @throws CertificateFault */
export function requireResult(stated: Statement, document: string): void {
  if (hashOf(document) !== stated.result_sha256)
    throw new CertificateFault(
      'the document is not the one that the certificate names: its SHA-256 is another one',
    );
  // All parts of it were hashed already.
  if ('challenge' in stated) return;
  const { entrants } = JSON.parse(document) as Pick<ResultDocument, 'entrants'>;
  const found = entrants.find(({ number }) => number === stated.entrant.number);
  if (JSON.stringify(found) !== JSON.stringify(stated.result))
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
