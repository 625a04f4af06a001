/** The database of a process that a test kills. */
import type { Database } from '../../src/platform/database/index.ts';

/** The database, until it is cut off. */
export function killable(db: Database): { readonly db: Database; kill(): void } {
  let isKilled = false;
  const alive = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    if (isKilled) throw new Error('killed');
    return ask();
  };
  return {
    db: {
      ...db,
      query: (...of) => alive(() => db.query(...of)) as never,
      transaction: (work) => alive(() => db.transaction(work)),
      pool: { connect: () => alive(() => db.pool.connect()) } as never,
    },
    kill() {
      isKilled = true;
    },
  };
}
