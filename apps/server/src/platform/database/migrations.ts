/**
 * Migrates a database to the schema of this program: applies the numbered files of `migrations/` in order, each once in its
 * own transaction, under an advisory lock. Invariants: an applied file never changes; a database with a file unknown to
 * this program is newer and refused.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import type { Log } from '../log/index.ts';
import { StartError } from '../start-error.ts';

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** Serialises all schema changes; any constant works, as long as it never changes. */
const migrationLock = 4_617_315;

const shippedDir = new URL('./migrations/', import.meta.url);

/** `0001_accounts.sql`, … in order. Throws an Error when two files share a number. */
export function readMigrations(dir: URL = shippedDir): Migration[] {
  const names = readdirSync(dir)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort();
  const numbers = names.map((name) => name.slice(0, 4));
  const repeated = numbers.find((number, i) => numbers.indexOf(number) !== i);
  if (repeated !== undefined) throw new StartError(`two migrations have the number ${repeated}`);
  return names.map((name) => {
    const sql = readFileSync(new URL(name, dir), 'utf8');
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

/** Applies missing migrations as the owner of the schema (`client`). Throws a StartError that names the failing file. */
export async function migrate(client: pg.Client, migrations: readonly Migration[], log: Log): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [migrationLock]);
  try {
    await client.query('create schema if not exists meta');
    await client.query(
      `create table if not exists meta.schema_migrations (
         name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from meta.schema_migrations order by name',
    );
    refuseForeignHistory(rows, migrations);
    const applied = new Set(rows.map((row) => row.name));
    for (const migration of migrations) {
      if (!applied.has(migration.name)) await apply(client, migration, log);
    }
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]);
  }
}

/**
 * Returns the names of the migrations that this database lacks, in order. Throws a StartError for a migration that is
 * unknown here or changed since it was applied.
 */
export async function unappliedMigrations(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<string[]> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `select to_regclass('meta.schema_migrations') is not null as found`,
  );
  if (tables[0]?.found !== true) return migrations.map(({ name }) => name);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from meta.schema_migrations order by name',
  );
  refuseForeignHistory(rows, migrations);
  const applied = new Set(rows.map(({ name }) => name));
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
}

function refuseForeignHistory(
  applied: readonly { name: string; checksum: string }[],
  migrations: readonly Migration[],
): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration.checksum]));
  for (const { name, checksum } of applied) {
    const expected = known.get(name);
    if (expected === undefined) {
      throw new StartError(`the database has migration ${name}, which this version of Fulcrum does not know`);
    }
    if (expected !== checksum) {
      throw new StartError(`migration ${name} was changed after this database applied it; restore the file`);
    }
  }
  const last = applied.at(-1)?.name ?? '';
  const missed = migrations.find(
    (migration) => migration.name < last && !applied.some(({ name }) => name === migration.name),
  );
  if (missed !== undefined) {
    throw new StartError(
      `migration ${missed.name} comes before ${last}, which the database already has; renumber it`,
    );
  }
}

async function apply(client: pg.Client, migration: Migration, log: Log): Promise<void> {
  try {
    await client.query('begin');
    await client.query(migration.sql);
    await client.query('insert into meta.schema_migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new StartError(`migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
  }
  log.info({ migration: migration.name }, 'migration applied');
}
