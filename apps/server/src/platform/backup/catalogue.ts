/**
 * Reads from PostgreSQL's catalogue what a backup has to contain, so that tables of later migrations are included without a
 * list.
 *
 * Known limitation: ordinary tables and sequences only; large objects, foreign tables and other schemas are left out.
 */
import pg from 'pg';
import { BackupRefusal, type BackupTable, type Foot, type Head } from './format.ts';

export const ledgerTable = 'app.ledger_entries';
const historyTable = 'meta.schema_migrations';

/**
 * Settings of one transaction: the text form of values depends on them, and a long copy must not meet a foreign server's
 * timeouts for short queries.
 */
export const copySettings = `
  set local client_encoding = 'UTF8'; set local timezone = 'UTC'; set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres'; set local bytea_output = 'hex'; set local extra_float_digits = 1;
  set local statement_timeout = 0; set local lock_timeout = '30s';
  set local idle_in_transaction_session_timeout = 0; set local row_security = off`;

const tablesQuery = `
  select n.nspname || '.' || c.relname as name,
         array(select a.attname::text from pg_attribute a
               where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
               order by a.attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and (n.nspname = 'app' or (n.nspname, c.relname) = ('meta', 'schema_migrations'))
  order by n.nspname || '.' || c.relname collate "C"`;

export async function readTables(client: pg.Client): Promise<BackupTable[]> {
  return (await client.query<BackupTable>(tablesQuery)).rows;
}

/** The migrations applied to the database; null when it holds no Fulcrum. */
export async function readHistory(client: pg.Client): Promise<Head['migrations'] | null> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `select to_regclass('${historyTable}') is not null as exists`,
  );
  if (!found[0]?.exists) return null;
  const { rows } = await client.query<Head['migrations'][number]>(
    `select name, checksum from ${historyTable} order by name`,
  );
  return rows;
}

/** Snapshots do not cover sequences: this is their present value, which is never behind that of the rows. */
export async function readSequences(client: pg.Client): Promise<Foot['sequences']> {
  const { rows } = await client.query<Foot['sequences'][number]>(
    `select schemaname || '.' || sequencename as name, last_value::text as "lastValue"
     from pg_sequences where schemaname = 'app' order by 1`,
  );
  return rows;
}

/** `app.users` quoted for SQL. */
export function quoteName(name: string): string {
  const parts = name.split('.');
  if (parts.length !== 2) throw new BackupRefusal(`${name} is not the name of a table`);
  return parts.map((part) => pg.escapeIdentifier(part)).join('.');
}

const quoteColumns = (columns: readonly string[]) =>
  columns.map((column) => pg.escapeIdentifier(column)).join(', ');

/** The ledger is copied in id order, because its hash is computed over these bytes. */
export const copyOutStatement = ({ name, columns }: BackupTable): string =>
  name === ledgerTable
    ? `copy (select ${quoteColumns(columns)} from ${quoteName(name)} order by id) to stdout`
    : `copy ${quoteName(name)} (${quoteColumns(columns)}) to stdout`;

export const copyInStatement = ({ name, columns }: BackupTable): string =>
  `copy ${quoteName(name)} (${quoteColumns(columns)}) from stdin`;
