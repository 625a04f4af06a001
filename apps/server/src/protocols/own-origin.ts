/** Whether a page of this server sent a request, by the `Origin` that browsers add. */
import type { FastifyRequest } from 'fastify';

export function hasOwnOrigin({ headers, protocol, host }: FastifyRequest, publicUrl: string): boolean {
  const { origin } = headers;
  // The second form serves a LAN, where browsers use addresses that PUBLIC_URL does not name.
  return origin !== undefined && [new URL(publicUrl).origin, `${protocol}://${host}`].includes(origin);
}
