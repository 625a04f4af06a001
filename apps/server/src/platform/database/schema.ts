/** The schema of this program: its migrations, and the SQL functions on top of them. */
import type pg from 'pg';
import type { Log } from '../log/index.ts';
import { installFunctions, missingFunctions, readFunctions } from './functions.ts';
import { migrate, readMigrations, unappliedMigrations } from './migrations.ts';

/** Brings the connected database up to date, as its owner. */
export async function applySchema(client: pg.Client, log: Log): Promise<void> {
  await migrate(client, readMigrations(), log);
  await installFunctions(client, readFunctions(), log);
}

/**
 * The names of the migrations and functions that this database lacks, in order. Throws a StartError for a file that is
 * unknown here or changed since it was applied.
 */
export async function unappliedFiles(client: pg.Client): Promise<string[]> {
  const functions = await missingFunctions(client, readFunctions());
  return [...(await unappliedMigrations(client, readMigrations())), ...functions.map(({ name }) => name)];
}
