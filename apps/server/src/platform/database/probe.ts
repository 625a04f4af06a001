/**
 * Checks whether PostgreSQL answers, for the health check. Invariant: one query is running at a time, however many callers
 * there are, because a frozen PostgreSQL accepts every query and answers none. The connection is the probe's own, so pool
 * congestion does not affect the result (SEC-F6).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log/index.ts';
import type { Queryable } from './index.ts';

/** Resolves within `withinMs`; the log has the reason of a failure. */
export function createProbe(db: Queryable, withinMs: number, log: Log): () => Promise<boolean> {
  let pending: Promise<unknown> | null = null;
  const ping = (): Promise<unknown> => {
    pending ??= db.query('select 1').finally(() => {
      pending = null;
    });
    return pending;
  };
  const timeout = async () => {
    await sleep(withinMs, undefined, { ref: false });
    throw new Error(`no answer within ${withinMs} ms`);
  };
  return () =>
    Promise.race([ping(), timeout()]).then(
      () => true,
      (error: Error) => {
        log.error({ err: error }, 'the database does not answer');
        return false;
      },
    );
}
