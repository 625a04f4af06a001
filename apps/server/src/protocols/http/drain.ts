/**
 * Closes a running HTTP server. Invariant: accepted requests are answered, unless they take longer than `answerWithinMs`;
 * then no connection is left. Fastify's own close would wait for idle connections, which browsers open ahead of need.
 *
 * Known limitation: a request whose headers are incomplete counts as not accepted.
 */
import type { FastifyInstance } from 'fastify';

/** Well below the time after which `main.ts`, or its supervisor, ends the process. */
const answerWithinMs = 5000;
const pollEveryMs = 20;

/** The caller creates the drain before `app` listens. Returns the function that closes it. `withinMs` is for tests. */
export function createDrain(app: FastifyInstance, withinMs = answerWithinMs): () => Promise<void> {
  let unanswered = 0;
  app.server.on('request', (_request, response) => {
    unanswered += 1;
    response.once('close', () => {
      unanswered -= 1;
    });
  });
  return async () => {
    const deadline = performance.now() + withinMs;
    const sweep = setInterval(() => {
      if (unanswered === 0 || performance.now() > deadline) app.server.closeAllConnections();
    }, pollEveryMs);
    try {
      await app.close();
    } finally {
      clearInterval(sweep);
    }
  };
}
