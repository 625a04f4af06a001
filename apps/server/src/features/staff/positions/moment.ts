/** One moment of the database for what a list or a file takes several statements to read; nothing can be written in it. */
import type { Database, Queryable } from '../../../platform/database/index.ts';

// A foreign server may compile plans of large estimates, which takes longer than the lists themselves.
const settings = `set transaction isolation level repeatable read read only; set local jit = off`;

export const inOneMoment = <T>(db: Database, work: (tx: Queryable) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.query(settings);
    return work(tx);
  });
