/**
 * The form of a refresh token: the id of its session, 16 random bytes, and a code over both that only this server can
 * make. Invariant: a token that was issued once is recognised for ever, also when its row is long deleted, so the number
 * of rows can be bounded and a copy that turns up late still ends its session.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const idBytes = 16;
const randomLength = 16;
const codeLength = 16;

export interface RefreshTokens {
  /** 64 characters of base64url. */
  issue(sessionId: string): string;
  /** The session that a token was issued for, whether or not the token still counts; undefined for a made-up one. */
  sessionOf(refreshToken: string): string | undefined;
}

export function createRefreshTokens(secret: string): RefreshTokens {
  // A key of its own, so that nothing signed with the other one can pass for a token.
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'fulcrum refresh token', 32));
  const codeOver = (body: Buffer) => createHmac('sha256', key).update(body).digest().subarray(0, codeLength);

  return {
    issue(sessionId) {
      const body = Buffer.concat([
        Buffer.from(sessionId.replaceAll('-', ''), 'hex'),
        randomBytes(randomLength),
      ]);
      return Buffer.concat([body, codeOver(body)]).toString('base64url');
    },
    sessionOf(refreshToken) {
      const bytes = Buffer.from(refreshToken, 'base64url');
      if (bytes.length !== idBytes + randomLength + codeLength) return undefined;
      const body = bytes.subarray(0, idBytes + randomLength);
      if (!timingSafeEqual(bytes.subarray(body.length), codeOver(body))) return undefined;
      const hex = body.subarray(0, idBytes).toString('hex');
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
}
