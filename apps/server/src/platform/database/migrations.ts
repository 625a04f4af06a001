/**
 * Migrates a database to the schema of this program: applies the numbered files of `migrations/` in order, each once in its
 * own transaction, under an advisory lock. Invariants: an applied file never changes; a database with a file unknown to
 * this program is newer and refused.
 */
import type pg from 'pg';
import type { Log } from '../log/index.ts';
import { StartError } from '../start-error.ts';
import { applySqlFile, readSqlFiles, type SqlFile, withSchemaLock } from './sql-files.ts';

const shippedDir = new URL('./migrations/', import.meta.url);

/** `0001_accounts.sql`, … in order. Throws an Error when two files share a number. */
export function readMigrations(dir: URL = shippedDir): SqlFile[] {
  const migrations = readSqlFiles(dir, /^\d{4}_[a-z0-9_]+\.sql$/);
  const numbers = migrations.map(({ name }) => name.slice(0, 4));
  const repeated = numbers.find((number, i) => numbers.indexOf(number) !== i);
  if (repeated !== undefined) throw new StartError(`two migrations have the number ${repeated}`);
  return migrations;
}

/** Applies missing migrations as the owner of the schema (`client`). Throws a StartError that names the failing file. */
export const migrate = (client: pg.Client, migrations: readonly SqlFile[], log: Log): Promise<void> =>
  withSchemaLock(client, async () => {
    await client.query('create schema if not exists meta');
    await client.query(
      `create table if not exists meta.schema_migrations (
         name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const missing = new Set(await unappliedMigrations(client, migrations));
    for (const migration of migrations) {
      const { name, checksum } = migration;
      if (!missing.has(name)) continue;
      await applySqlFile(client, `migration ${name}`, migration, () =>
        client.query('insert into meta.schema_migrations (name, checksum) values ($1, $2)', [name, checksum]),
      );
      log.info({ migration: name }, 'migration applied');
    }
  });

/**
 * Returns the names of the migrations that this database lacks, in order. Throws a StartError for a migration that is
 * unknown here or changed since it was applied.
 */
export async function unappliedMigrations(
  client: pg.Client,
  migrations: readonly SqlFile[],
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
  migrations: readonly SqlFile[],
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
