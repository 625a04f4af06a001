/** Removes what killed test runs left in the temporary directory. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUpPredecessor } from '../../src/platform/database/embedded/index.ts';
import { findDatabaseOsUser } from '../../src/platform/database/embedded/os-user.ts';
import { liveOwner, ownerFile, takeOwnership } from '../../src/platform/database/embedded/ownership.ts';
import type { Log } from '../../src/platform/log/index.ts';

/** A test that kills its server on purpose restarts it much sooner. */
const abandonedAfterMs = 15 * 60_000;

function isAbandoned(owner: string): boolean {
  const takenAt = statSync(owner, { throwIfNoEntry: false })?.mtimeMs;
  return takenAt !== undefined && Date.now() - takenAt > abandonedAfterMs && liveOwner(owner) === null;
}

/**
 * Removes the directories `<parent>/<prefix>*` of killed servers, together with a PostgreSQL that still runs in one. For
 * throw-away clusters of tests; live ones are left alone, and failures are only logged.
 */
export async function sweepAbandoned(parent: string, prefix: string, log: Log): Promise<void> {
  for (const entry of readdirSync(parent)) {
    const dir = join(parent, entry);
    if (!entry.startsWith(prefix) || !isAbandoned(ownerFile(dir))) continue;
    try {
      const ownership = takeOwnership(ownerFile(dir), dir);
      const cluster = join(dir, 'postgres');
      await cleanUpPredecessor(cluster, findDatabaseOsUser(cluster), log);
      ownership.release();
      rmSync(dir, { recursive: true, force: true });
    } catch (error) {
      // Another run may be removing the same directory.
      log.warn({ reason: (error as Error).message, dir }, 'an abandoned test database could not be removed');
    }
  }
}
