/**
 * One read-only snapshot of the database for several statements: all of them see the same instant.
 *
 * Known limitation: meanwhile PostgreSQL retains every younger row version, in all tables.
 */
import type { Database, Queryable } from './index.ts';

/** A pool, or one session outside a transaction. */
export type SnapshotSource = Queryable & Partial<Pick<Database, 'transaction'>>;

/** Runs `work` on a snapshot; `settings`: more statements that set up its transaction. */
export async function inReadSnapshot<T>(
  source: SnapshotSource,
  work: (tx: Queryable) => Promise<T>,
  settings = '',
): Promise<T> {
  const runIn = async (tx: Queryable): Promise<T> => {
    await tx.query(`set transaction isolation level repeatable read read only; ${settings}`);
    return work(tx);
  };
  if (source.transaction) return source.transaction(runIn);
  await source.query('begin');
  try {
    const result = await runIn(source);
    await source.query('commit');
    return result;
  } catch (error) {
    // A lost session has nothing to roll back; the original error is the relevant one.
    await source.query('rollback').catch(() => undefined);
    throw error;
  }
}
