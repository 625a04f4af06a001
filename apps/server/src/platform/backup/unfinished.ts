/**
 * The marks of a restore that is running or was interrupted: a file in the data directory and a table in the database.
 * Invariant: while either exists, no server starts and no backup is made, so a second restore may discard the content. The
 * table is dropped by the transaction that completes the database; the file is deleted after it.
 */
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { ensureDataDir } from '../data-dir.ts';
import type { Queryable } from '../database/index.ts';
import { StartError } from '../start-error.ts';
import { BackupRefusal } from './format.ts';

const fileName = 'restore-unfinished.txt';
const table = 'meta.unfinished_restore';
/** A fresh file system contains it. */
const ignoredEntries = new Set(['lost+found']);

const isMarked = (dataDir: string) => listEntries(dataDir).includes(fileName);

function listEntries(dataDir: string): string[] {
  try {
    return readdirSync(dataDir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new BackupRefusal(`cannot read ${dataDir}: ${(error as Error).message}`, { cause: error });
  }
}

/** @throws BackupRefusal when the directory holds anything but the leftovers of an unfinished restore. */
export function refuseUsedDirectory(dataDir: string): 'unused' | 'marked' {
  if (isMarked(dataDir)) return 'marked';
  const found = listEntries(dataDir).find((name) => !ignoredEntries.has(name));
  if (found === undefined) return 'unused';
  throw new BackupRefusal(
    `the data directory ${dataDir} is not empty (it has ${found}); set DATA_DIR to an empty or new one`,
  );
}

/** Creates the directory if it is missing, and writes the mark into it. */
export function markDirectory(dataDir: string, backupFile: string): void {
  const isNew = !existsSync(dataDir);
  ensureDataDir(dataDir);
  if (isNew) chmodSync(dataDir, 0o700);
  const text = `A restore into this folder began at ${new Date().toISOString()} and has not finished.
Backup: ${backupFile}

While this file is here no server starts on this folder. What lies beside it is of no value: run
    npm run restore -- FILE
again with the same DATA_DIR (it starts over), or delete the folder.
`;
  writeFileSync(join(dataDir, fileName), text, { mode: 0o600, flush: true });
}

export const unmarkDirectory = (dataDir: string): void => rmSync(join(dataDir, fileName), { force: true });

/** Checks the data directory at the start of a server. @throws StartError while it contains the mark of an unfinished restore. */
export function refuseUnfinishedDirectory(dataDir: string): void {
  if (!isMarked(dataDir)) return;
  throw new StartError(
    `a restore into ${dataDir} did not finish; run it again, or delete the folder (see ${fileName} in it)`,
  );
}

// Reads the catalogue, which every role may read: the restricted role has no right on schema meta.
const markQuery = `
  select from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname || '.' || c.relname = '${table}'`;

export async function isUnfinished(client: pg.Client): Promise<boolean> {
  return (await client.query(markQuery)).rowCount !== 0;
}

/** Checks the database at the start of a server. @throws StartError for the result of an unfinished restore. */
export async function refuseUnfinishedDatabase(db: Queryable): Promise<void> {
  if ((await db.query(markQuery)).rowCount === 0) return;
  throw new StartError('a restore into this database did not finish; run it again with the same settings');
}

export async function markDatabase(client: pg.Client): Promise<void> {
  await client.query(`create schema if not exists meta`);
  await client.query(`create table if not exists ${table} (begun_at timestamptz not null default now())`);
}

/** Drops the mark, within the transaction that completes the database. */
export async function unmarkDatabase(client: pg.Client): Promise<void> {
  await client.query(`drop table ${table}`);
}
