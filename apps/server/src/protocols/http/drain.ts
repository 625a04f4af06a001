/**
 * The end of an HTTP server that people are using. Invariant: what was asked before the end is answered, unless it takes
 * longer than `answerWithinMs`; then no connection is left. Closing alone would wait for connections that nobody
 * uses: browsers open some ahead of need, a request may never be sent whole, and one that was just answered stays open for
 * the next.
 *
 * Known limitation: a request of which not even the headers have arrived counts as not asked.
 */
import type { FastifyInstance } from 'fastify';

/** Well below the time after which `main.ts`, and whoever stopped it, lose patience. */
const answerWithinMs = 5000;
const lookEveryMs = 20;

/** To be called before `app` listens. Returns the function that closes it. */
export function createDrain(app: FastifyInstance): () => Promise<void> {
  let unanswered = 0;
  app.server.on('request', (_request, response) => {
    unanswered += 1;
    response.once('close', () => {
      unanswered -= 1;
    });
  });
  return async () => {
    const deadline = performance.now() + answerWithinMs;
    const sweep = setInterval(() => {
      if (unanswered === 0 || performance.now() > deadline) app.server.closeAllConnections();
    }, lookEveryMs);
    try {
      await app.close();
    } finally {
      clearInterval(sweep);
    }
  };
}
