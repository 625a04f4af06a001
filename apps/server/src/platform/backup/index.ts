/**
 * Backs up and restores a whole Fulcrum: its database and the secrets of its data directory, as one file (`format.ts`). The
 * backup is logical: it moves between PostgreSQL servers of different versions.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSecrets } from '../config/secrets.ts';
import { type DatabaseLocation, prepare, type Queryable, withDatabase } from '../database/index.ts';
import type { readSpace } from '../disk.ts';
import type { Log } from '../log/index.ts';
import type { BackupKey } from './encryption.ts';
import { BackupRefusal } from './format.ts';
import { type VerifiedBackup, verifyBackup } from './read.ts';
import { inspectTarget, load, refuseUnknownMigrations } from './restore.ts';
import {
  markDirectory,
  refuseUnfinishedDirectory,
  refuseUsedDirectory,
  unmarkDirectory,
} from './unfinished.ts';
import { type WrittenBackup, writeBackup } from './write.ts';

export { createKeyFile, readKey } from './encryption.ts';
export { listBackups, refuseUselessFolder } from './folder.ts';
export type { Foot, Head } from './format.ts';
export { verifyBackup } from './read.ts';
export { type BackupState, createBackupSchedule } from './schedule.ts';
export { ageMaxMs } from './timetable.ts';
export { refuseUnfinishedDatabase, refuseUnfinishedDirectory } from './unfinished.ts';

export interface Options {
  readonly log: Log;
  /** Of BACKUP_KEY_FILE; without it a backup is written as plain text, and an encrypted one is refused. */
  readonly key?: BackupKey | null;
  /** Ends the work early and cleanly. */
  readonly signal?: AbortSignal;
}

/**
 * Writes a backup of `location` to `file`, with or without a running server, and reads it back. With `measure` it gives up
 * before the disk of the file is low.
 * @throws BackupRefusal, or another StartError, with a one-line reason
 */
export async function backUp(
  location: DatabaseLocation,
  file: string,
  { log, key = null, signal, measure }: Options & { readonly measure?: typeof readSpace },
): Promise<WrittenBackup> {
  refuseUnfinishedDirectory(location.dataDir);
  // Connecting as the owner would create a missing cluster.
  if (location.databaseUrl === null && !existsSync(join(location.dataDir, 'postgres'))) {
    throw new BackupRefusal(`there is no database in ${location.dataDir}; is DATA_DIR the server's?`);
  }
  return withDatabase(
    location,
    log,
    (client) =>
      writeBackup(client, file, { secrets: readSecretsText(location.dataDir), key, signal, measure }),
    { schema: 'untouched' },
  );
}

const secretsFile = (dataDir: string) => join(dataDir, 'secrets.json');

function readSecretsText(dataDir: string): string | null {
  try {
    return readFileSync(secretsFile(dataDir), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new BackupRefusal(`cannot read ${secretsFile(dataDir)}: ${(error as Error).message}`);
  }
}

export interface Restored<Findings> {
  readonly backup: VerifiedBackup;
  /** What `examine` finds in the restored database. */
  readonly findings: Findings;
}

/**
 * Restores `file` into an empty data directory. With `databaseUrl` the rows go to that empty database, and only the
 * secrets to the data directory. Then it migrates the schema to this program's version and runs `examine` on the result.
 * @throws BackupRefusal, or another StartError, with a one-line reason
 */
export async function restore<Findings>(
  location: DatabaseLocation,
  file: string,
  { log, key = null, signal, examine }: Options & { readonly examine: (db: Queryable) => Promise<Findings> },
): Promise<Restored<Findings>> {
  const backup = await verifyBackup(file, key, signal);
  refuseUnknownMigrations(backup.head);
  const { dataDir } = location;
  const directory = refuseUsedDirectory(dataDir);
  const mark = () => markDirectory(dataDir, file);
  // The cluster is created in its final place, so the mark has to exist before it.
  if (location.databaseUrl === null) mark();
  const access = location.databaseUrl === null ? 'logs in' : 'is switched to';
  const findings = await withDatabase(
    location,
    log,
    async (client) => {
      const target = await inspectTarget(client, backup, directory);
      mark();
      if (target !== 'finished') {
        const beforeCommit = () => writeSecrets(dataDir, backup.head.secrets);
        await load(client, backup, { log, beforeCommit, ...(signal && { signal }) });
      }
      await prepare(client, access, log);
      return examine({
        query: async <Row>(text: string, values: readonly unknown[] = []) => {
          const { rows, rowCount } = await client.query(text, [...values]);
          return { rows: rows as Row[], rowCount: rowCount ?? 0 };
        },
      });
    },
    { schema: 'untouched' },
  );
  unmarkDirectory(dataDir);
  return { backup, findings };
}

/** @throws StartError when the text is not that of a secrets file */
function writeSecrets(dataDir: string, text: string | null): void {
  rmSync(secretsFile(dataDir), { force: true });
  if (text === null) return;
  writeFileSync(secretsFile(dataDir), text, { mode: 0o600, flush: true });
  findSecrets(dataDir);
}
