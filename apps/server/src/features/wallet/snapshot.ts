/**
 * One moment of the database for as many statements as a pass takes: everything in it is compared with what was there at
 * the same time, so trading that goes on meanwhile is never mistaken for a fault.
 *
 * Known limitation: while it lasts PostgreSQL keeps every row version that is younger, in all tables.
 */
import type { Database, Queryable } from '../../platform/database/index.ts';

/** A pool, or one session that is in no transaction. */
export type Books = Queryable & Partial<Pick<Database, 'transaction'>>;

// No statement of a pass should take long; one that does is cut off rather than left to hold the snapshot for good.
const settings = `
  set transaction isolation level repeatable read read only;
  set local statement_timeout = '5min'; set local jit = off`;

/** Runs `work` on one snapshot that it cannot write to. */
export async function inSnapshot<T>(db: Books, work: (tx: Queryable) => Promise<T>): Promise<T> {
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
    // A lost session has nothing to roll back; the error that lost it is the one to show.
    await db.query('rollback').catch(() => undefined);
    throw error;
  }
}
