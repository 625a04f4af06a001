/** A signal that is aborted when the connection ends before the answer does. */
import type { FastifyReply } from 'fastify';

export function getDisconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
