/**
 * Loads a verified backup into an empty database. Invariants: a database with content is never touched; rows, sequences and
 * the removal of the mark are one transaction; it commits only after the restored rows match the backup's counts and ledger
 * hash. After a failure or a kill at any moment the same call starts over.
 */
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { migrate, readMigrations } from '../database/migrations.ts';
import type { Log } from '../log/index.ts';
import { copyInStatement, copySettings, ledgerTable, quoteName, readTables } from './catalogue.ts';
import { BackupRefusal, type Foot, type Head, sameTables } from './format.ts';
import { summariseLedger } from './ledger.ts';
import { readBody, type VerifiedBackup } from './read.ts';
import { isUnfinished, markDatabase, unmarkDatabase } from './unfinished.ts';

/** Prevents two restores into one database; any constant works. */
const restoreLock = 4_617_316;

/** @throws BackupRefusal when this program lacks a migration of the backup, or has a changed one. */
export function refuseUnknownMigrations({ migrations }: Head): void {
  const known = new Map(readMigrations().map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of migrations) {
    if (known.get(name) === checksum) continue;
    throw new BackupRefusal(
      known.has(name)
        ? `the backup was made with another version of migration ${name}; restore it with the Fulcrum that made it`
        : `the backup was made by a newer Fulcrum (migration ${name} is unknown here); update first`,
    );
  }
}

/**
 * State of the target of a restore: `empty`; `unfinished`, to be discarded; `finished`, when only the last step of an
 * earlier restore of the same backup is missing.
 * @throws BackupRefusal when the database holds other data, or another restore is running in it
 */
export async function inspectTarget(
  client: pg.Client,
  backup: VerifiedBackup,
  directory: 'unused' | 'marked',
): Promise<'empty' | 'unfinished' | 'finished'> {
  const { rows: locks } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1) as locked',
    [restoreLock],
  );
  if (!locks[0]?.locked) throw new BackupRefusal('another restore into this database is running');
  if (await isUnfinished(client)) return 'unfinished';
  const { rowCount } = await client.query(
    `select from pg_namespace where nspname in ('app', 'api')
     union all select from pg_class where relnamespace = to_regnamespace('meta')`,
  );
  if (rowCount === 0) return 'empty';
  if (directory === 'marked' && (await isSameDatabase(client, backup))) return 'finished';
  throw new BackupRefusal('the database is not empty; a backup is only restored into an empty one');
}

/** Whether the ledger and the number of accounts equal those of the backup; false for a database without Fulcrum. */
async function isSameDatabase(client: pg.Client, { head, foot }: VerifiedBackup): Promise<boolean> {
  const columns = head.tables.find(({ name }) => name === ledgerTable)?.columns;
  const present = new Set((await readTables(client)).map(({ name }) => name));
  if (columns === undefined || !present.has(ledgerTable) || !present.has('app.users')) return false;
  return withTransaction(client, async () => {
    const ledger = await summariseLedger(client, columns);
    return (
      ledger.sha256 === foot.ledger.sha256 &&
      (await countTableRows(client, 'app.users')) === foot.rows['app.users']
    );
  });
}

/**
 * Creates the tables with exactly the backup's migrations and loads them, as the owner of the schema (`client`).
 * `beforeCommit` creates what has to exist when the database does.
 * @throws BackupRefusal with a one-line reason; the database is then empty or marked as unfinished
 */
export async function load(
  client: pg.Client,
  backup: VerifiedBackup,
  deps: { readonly log: Log; readonly signal?: AbortSignal; readonly beforeCommit: () => void },
): Promise<void> {
  try {
    await client.query('drop schema if exists app, api, meta cascade');
    await markDatabase(client);
    const names = new Set(backup.head.migrations.map(({ name }) => name));
    await migrate(
      client,
      readMigrations().filter(({ name }) => names.has(name)),
      deps.log,
    );
    await withTransaction(client, async () => {
      await loadRows(client, backup, deps.signal);
      await verifyRestored(client, backup);
      await unmarkDatabase(client);
      deps.beforeCommit();
    });
    await client.query(`analyze ${backup.head.tables.map(({ name }) => quoteName(name)).join(', ')}`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new BackupRefusal(`the backup could not be loaded: ${error.message}`, { cause: error });
  }
}

async function withTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    await client.query(copySettings);
    // PostgreSQL then writes every name in full when it prints a definition.
    await client.query('set local search_path = pg_catalog');
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // A lost connection rolls back by itself; its own error is the one to show.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function loadRows(client: pg.Client, backup: VerifiedBackup, signal?: AbortSignal): Promise<void> {
  const tables = await readTables(client);
  if (!sameTables(tables, backup.head.tables)) {
    throw new BackupRefusal('the tables of the backup are not those that its migrations make');
  }
  const restoreConstraints = await dropConstraints(client);
  // Migrations insert rows, which the backup contains as well.
  await client.query(`truncate ${tables.map(({ name }) => quoteName(name)).join(', ')}`);
  await readBody(backup.content, (table, rows) =>
    pipeline(rows, client.query(copyFrom(copyInStatement(table))), { ...(signal && { signal }) }),
  );
  await restoreConstraints();
  for (const { name, lastValue } of backup.foot.sequences) {
    await client.query(
      `select setval($1::text::regclass, coalesce($2::bigint, s.seqstart), $2::bigint is not null)
       from pg_sequence s where s.seqrelid = $1::text::regclass`,
      [quoteName(name), lastValue],
    );
  }
}

/**
 * Drops foreign keys and triggers and returns the function that restores them. Tables then load in any order, each key is
 * checked in one pass, and triggers do not repeat their work. Unlike `session_replication_role` this needs no superuser.
 */
async function dropConstraints(client: pg.Client): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'app'::regnamespace order by 1, 2`,
  );
  const { rows: triggers } = await client.query<{ table: string; name: string }>(
    `select tgrelid::regclass::text as table, quote_ident(tgname) as name
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = 'app'::regnamespace and not t.tgisinternal and t.tgenabled = 'O' order by 1, 2`,
  );
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { table, name } of triggers) await client.query(`alter table ${table} disable trigger ${name}`);
  return async () => {
    for (const { table, name } of triggers) await client.query(`alter table ${table} enable trigger ${name}`);
    for (const { table, name, definition } of keys) {
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    }
  };
}

/** Reads the restored rows back. @throws BackupRefusal when they differ from the backup. */
async function verifyRestored(client: pg.Client, { head, foot }: VerifiedBackup): Promise<void> {
  for (const { name, columns } of head.tables) {
    const rows = await countTableRows(client, name);
    if (rows !== foot.rows[name]) {
      throw new BackupRefusal(`${name} has ${rows} rows after the restore, the backup ${foot.rows[name]}`);
    }
    if (name === ledgerTable && !sameLedger(await summariseLedger(client, columns), foot.ledger)) {
      throw new BackupRefusal('the ledger after the restore is not that of the backup');
    }
  }
}

const sameLedger = (one: Foot['ledger'], other: Foot['ledger']) =>
  one.rows === other.rows && one.sha256 === other.sha256 && one.sum === other.sum;

async function countTableRows(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${quoteName(table)}`);
  return Number(rows[0]?.count);
}
