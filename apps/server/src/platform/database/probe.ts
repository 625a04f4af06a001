/**
 * Whether PostgreSQL answers, for whoever watches this server. Invariant: one question is under way at a time, whoever
 * asks and however often: a frozen PostgreSQL takes every question, answers none and would fill the pool with them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log/index.ts';
import type { Queryable } from './index.ts';

/** Resolves within `withinMs`; why it does not answer is in the log. */
export function createProbe(db: Queryable, withinMs: number, log: Log): () => Promise<boolean> {
  let asked: Promise<unknown> | null = null;
  const ask = (): Promise<unknown> => {
    asked ??= db.query('select 1').finally(() => {
      asked = null;
    });
    return asked;
  };
  const silence = async () => {
    await sleep(withinMs, undefined, { ref: false });
    throw new Error(`no answer within ${withinMs} ms`);
  };
  return () =>
    Promise.race([ask(), silence()]).then(
      () => true,
      (error: Error) => {
        log.error({ err: error }, 'the database does not answer');
        return false;
      },
    );
}
