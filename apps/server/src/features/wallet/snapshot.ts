/**
 * One snapshot of the database for all statements of a pass. Everything is compared at the same moment, so concurrent
 * trading never looks like a violation.
 *
 * Known limitation: meanwhile PostgreSQL retains every younger row version, in all tables.
 */
import type { Database, Queryable } from '../../platform/database/index.ts';

/** A pool, or one session outside a transaction. */
export type LedgerSource = Queryable & Partial<Pick<Database, 'transaction'>>;

// No statement of a pass should take long; a long one is cut off, so that it cannot hold the snapshot forever.
const settings = `
  set transaction isolation level repeatable read read only;
  set local statement_timeout = '5min'; set local jit = off`;

/** Runs `work` on one read-only snapshot. */
export async function inSnapshot<T>(db: LedgerSource, work: (tx: Queryable) => Promise<T>): Promise<T> {
  if (db.transaction) {
    return db.transaction(async (tx) => {
      await tx.query(settings);
      return work(tx);
    });
  }
  await db.query('begin');
  try {
    await db.query(settings);
    const result = await work(db);
    await db.query('commit');
    return result;
  } catch (error) {
    // A lost session has nothing to roll back; the original error is the relevant one.
    await db.query('rollback').catch(() => undefined);
    throw error;
  }
}
