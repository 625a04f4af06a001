/** What the protocol reads from a fastify request, in the plain form that the pure parsers take. */
import type { FastifyRequest } from 'fastify';
import { RestError } from './errors.ts';
import { limits } from './limits.ts';

/** Headers with one value each; repeated ones are joined as RFC 9110 §5.3 has it. */
export function headersOf(request: FastifyRequest): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}

/** The query string, with repeated parameters. */
export function searchOf(request: FastifyRequest): URLSearchParams {
  const mark = request.url.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : request.url.slice(mark + 1));
}

/** @throws RestError 414 beyond `limits.urlChars`. */
export function requireBoundedUrl(request: FastifyRequest): void {
  if (request.url.length > limits.urlChars) {
    throw new RestError(414, 'PGRST100', `The URL has more than ${limits.urlChars} characters`);
  }
}
