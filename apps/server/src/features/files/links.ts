/**
 * Signed links: whoever asked for one may read one version of one file in the same session, until it expires or that
 * session ends. Invariant: a link is made with a key of its own, derived from the server's secret, so it is never an access token
 * and an access token is never a link.
 *
 * Expiry is compared here and not in the library, because its verifier reads the system's clock.
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
  /** Who asked for the link, and in which session. */
  sub: z.uuid(),
  session_id: z.uuid(),
  /** Seconds since the epoch. */
  iat: z.number(),
  exp: z.number(),
});
export type LinkClaims = Readonly<z.infer<typeof claims>>;
export type LinkSubject = Omit<LinkClaims, 'aud' | 'iat' | 'exp'>;

export interface Link {
  readonly token: string;
  readonly expiresAt: Date;
}

export interface Links {
  sign(subject: LinkSubject, lifetimeS: number): Link;
  /** The claims, or null for a token that is malformed, forged or expired. */
  verify(token: string): LinkClaims | null;
}

/** Where a link leads, beside the base address of the storage client. */
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
        // Every failure of the library is a statement about the token, and all of them mean the same here.
        return null;
      }
      const link = claims.safeParse(signed);
      return link.success && link.data.exp * 1000 > clock.now() ? link.data : null;
    },
  };
}
