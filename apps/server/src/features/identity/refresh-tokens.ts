/**
 * The form of a refresh token: the id of its session, 16 random bytes, and an authentication code over both. Invariant: an
 * issued token is recognised for ever, also after its row is deleted, so the number of rows can be bounded and a late copy
 * still ends its session. A token has one spelling; any other one is invalid.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const idBytes = 16;
const randomLength = 16;
const codeLength = 16;

export type RefreshTokens = ReturnType<typeof createRefreshTokens>;

export function createRefreshTokens(secret: string) {
  // A key of its own, so that nothing signed with the other one can pass for a token.
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'fulcrum refresh token', 32));
  const macOf = (body: Buffer) => createHmac('sha256', key).update(body).digest().subarray(0, codeLength);

  return {
    /** 64 characters of base64url. */
    issue(sessionId: string): string {
      const body = Buffer.concat([
        Buffer.from(sessionId.replaceAll('-', ''), 'hex'),
        randomBytes(randomLength),
      ]);
      return Buffer.concat([body, macOf(body)]).toString('base64url');
    },
    /** The session that a token was issued for, whether or not the token still counts; undefined for a made-up one. */
    sessionOf(refreshToken: string): string | undefined {
      const bytes = Buffer.from(refreshToken, 'base64url');
      if (bytes.length !== idBytes + randomLength + codeLength) return undefined;
      // Decoding is lenient. Another spelling of a token was never issued, so it is no copy of one either.
      if (bytes.toString('base64url') !== refreshToken) return undefined;
      const body = bytes.subarray(0, idBytes + randomLength);
      if (!timingSafeEqual(bytes.subarray(body.length), macOf(body))) return undefined;
      const hex = body.subarray(0, idBytes).toString('hex');
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
}
