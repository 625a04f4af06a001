/**
 * Signed links: the caller who requested one may read one version of one file in the same session, until it expires
 * or that session ends. Invariant: links have a key of their own, derived from the server's secret. A link is
 * therefore never an access token, and an access token never a link.
 *
 * This module checks the expiry and not the library, because the library's verifier reads the system's clock.
 */
import { hkdfSync } from 'node:crypto';
import { createSigner, createVerifier } from 'fast-jwt';
import { z } from 'zod';
import type { Clock } from '../../platform/clock/index.ts';

const audience = 'storage-link';
/** Longer than any token of ours. */
const lengthMax = 1024;

const claims = z.strictObject({
  aud: z.literal(audience),
  bucket: z.string(),
  path: z.string(),
  /** The version's id. */
  file: z.uuid(),
  /** The caller and the session of the request for the link. */
  sub: z.uuid(),
  session_id: z.uuid(),
  /** Seconds since the epoch. */
  iat: z.number(),
  exp: z.number(),
});
export type LinkClaims = Readonly<z.infer<typeof claims>>;
type LinkSubject = Omit<LinkClaims, 'aud' | 'iat' | 'exp'>;

export interface Link {
  readonly token: string;
  readonly expiresAt: Date;
}

export interface Links {
  sign(subject: LinkSubject, lifetimeS: number): Link;
  /** The claims, or null for a token that is malformed, forged or expired. */
  verify(token: string): LinkClaims | null;
}

/** The target of a link, relative to the base address of the storage client. */
export const linkTo = (bucket: string, path: string, token: string) =>
  `/object/sign/${bucket}/${path}?token=${token}`;

export function createLinks(secret: string, clock: Clock): Links {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'fulcrum /storage/v1 signed link', 32));
  const sign = createSigner({ key, algorithm: 'HS256' });
  const verifySignature = createVerifier({
    key,
    algorithms: ['HS256'],
    allowedAud: audience,
    ignoreExpiration: true,
  });
  return {
    sign(subject, lifetimeS) {
      const iat = Math.floor(clock.now() / 1000);
      const exp = iat + lifetimeS;
      return {
        token: sign({ aud: audience, ...subject, iat, exp } satisfies LinkClaims),
        expiresAt: new Date(exp * 1000),
      };
    },
    verify(token) {
      if (token.length > lengthMax) return null;
      let signed: unknown;
      try {
        signed = verifySignature(token);
      } catch {
        // Every failure of the library concerns the token, and all of them are handled alike here.
        return null;
      }
      const link = claims.safeParse(signed);
      return link.success && link.data.exp * 1000 > clock.now() ? link.data : null;
    },
  };
}
