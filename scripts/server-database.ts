/** The database as the server reads and writes it, for the tools that act with or without a running server. */
import { refuseUnfinishedDatabase } from '../apps/server/src/platform/backup/index.ts';
import {
  type Database,
  type DatabaseLocation,
  openRestrictedPool,
  withDatabase,
} from '../apps/server/src/platform/database/index.ts';
import type { Log } from '../apps/server/src/platform/log/index.ts';

/** @throws StartError where a restore did not end */
export const withServerDatabase = <Result>(
  location: DatabaseLocation,
  log: Log,
  work: (db: Database) => Promise<Result>,
): Promise<Result> =>
  withDatabase(location, log, async (owner) => {
    const db = await openRestrictedPool(owner, log);
    try {
      await refuseUnfinishedDatabase(db);
      return await work(db);
    } finally {
      await db.close();
    }
  });
