/**
 * Cookie mode: the browser's refresh token is in an HttpOnly cookie, out of reach of scripts; the body carries a constant
 * in its place, so the unmodified client works. A page requests it with a header. Invariant: a request in cookie mode comes
 * from the server's own origin, so no foreign page can set, use or clear the cookie.
 *
 * Known limitation: with an https PUBLIC_URL the cookie is Secure; a browser that uses plain http does not store it.
 */
import { AppError } from '@fulcrum/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasOwnOrigin } from '../own-origin.ts';

/** Replaces the refresh token in requests and responses; the client needs a truthy value. */
export const refreshPlaceholder = 'kept-in-cookie';
const modeHeader = 'x-fulcrum-session';

interface SessionCookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, refreshToken: string, expiresAt: Date): void;
  clear(reply: FastifyReply): void;
}

/** Cookies ignore ports, so the name contains the instance: two servers on one host do not overwrite each other's. */
export function createSessionCookie(publicUrl: string, instanceId: string): SessionCookie {
  const secure = publicUrl.startsWith('https:');
  const name = `${secure ? '__Host-' : ''}fulcrum-rt-${instanceId}`;
  // RFC 6265bis §4.1.3.2: `__Host-` demands Secure, Path=/ and no Domain.
  const attributes = `HttpOnly; SameSite=Strict; ${secure ? 'Path=/; Secure' : 'Path=/auth/v1'}`;
  return {
    read(request) {
      for (const pair of (request.headers.cookie ?? '').split(';')) {
        const [key, value] = pair.trim().split('=', 2);
        if (key === name && value) return value;
      }
      return undefined;
    },
    set(reply, refreshToken, expiresAt) {
      reply.header(
        'set-cookie',
        `${name}=${refreshToken}; Expires=${expiresAt.toUTCString()}; ${attributes}`,
      );
    },
    clear(reply) {
      reply.header('set-cookie', `${name}=; Max-Age=0; ${attributes}`);
    },
  };
}

/**
 * Whether the request uses cookie mode.
 * @throws AppError `not_allowed` when it does and comes from a foreign origin
 */
export function requestsCookie(request: FastifyRequest, publicUrl: string): boolean {
  if (request.headers[modeHeader] !== 'cookie') return false;
  if (!hasOwnOrigin(request, publicUrl)) {
    throw new AppError('not_allowed', 'Cookie sessions are for pages of this server only.');
  }
  return true;
}
