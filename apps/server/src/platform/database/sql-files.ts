/** Released SQL files and how they are applied: each whole or not at all, one process at a time. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { StartError } from '../start-error.ts';

export interface SqlFile {
  /** With its ending. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256, hex. */
  readonly checksum: string;
}

/** Serialises all schema changes; any constant works, as long as it never changes. */
const schemaLock = 4_617_315;

/** The files of `dir` whose name matches, in the order of their names. */
export const readSqlFiles = (dir: URL, pattern: RegExp): SqlFile[] =>
  readdirSync(dir)
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, dir), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });

/** Runs `work` while no other process changes the schema. */
export async function withSchemaLock(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [schemaLock]);
  try {
    await work();
  } finally {
    await client.query('select pg_advisory_unlock($1)', [schemaLock]);
  }
}

/** Applies the file and `record`s that it did, in one transaction. Throws a StartError that names `what` failed. */
export async function applySqlFile(
  client: pg.Client,
  what: string,
  { sql }: SqlFile,
  record: () => Promise<unknown>,
): Promise<void> {
  try {
    await client.query('begin');
    await client.query(sql);
    await record();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new StartError(`${what} failed: ${(error as Error).message}`, { cause: error });
  }
}
