/**
 * The database: an embedded PostgreSQL in the data directory, or the one that DATABASE_URL names. `openDatabase` brings
 * it to this program's schema as its owner, closes that connection, and returns a pool that works as the restricted role.
 */
import pg from 'pg';
import type { Log } from '../log/index.ts';
import { StartError } from '../start-error.ts';
import { startEmbedded } from './embedded/index.ts';
import { migrate, readMigrations } from './migrations.ts';
import { createDatabase, type Database } from './pool.ts';
import { applyGrants, ensureRestrictedRole, restrictedRole } from './restricted-role.ts';

export type { Database, Queryable } from './pool.ts';

const versionMin = 15;

/** Settings of each application connection; they hold whatever a foreign server's defaults are. */
const sessionSettings = [
  'timezone=UTC',
  'synchronous_commit=on',
  'statement_timeout=15s',
  'lock_timeout=10s',
  'idle_in_transaction_session_timeout=15s',
];

/** `dataDir` is used only without a `databaseUrl`. Throws a StartError in words when the database cannot serve. */
export async function openDatabase(
  config: { readonly databaseUrl: string | null; readonly dataDir: string },
  log: Log,
): Promise<Database> {
  return config.databaseUrl === null
    ? openEmbedded(config.dataDir, log)
    : openForeign(config.databaseUrl, log);
}

async function openEmbedded(dataDir: string, log: Log): Promise<Database> {
  const postgres = await startEmbedded({ dir: dataDir, log });
  const superuser = { host: postgres.socketDir, port: 5432, user: 'postgres' };
  try {
    await asOwner({ ...superuser, database: 'postgres' }, async (client) => {
      const { rowCount } = await client.query(`select from pg_database where datname = 'fulcrum'`);
      if (rowCount === 0) await client.query('create database fulcrum');
    });
    await asOwner({ ...superuser, database: 'fulcrum' }, async (client) => prepare(client, 'logs in', log));
    const database = createDatabase(
      { ...superuser, user: restrictedRole, database: 'fulcrum', options: optionsOf(sessionSettings) },
      log,
    );
    return {
      ...database,
      close: async () => {
        await database.close();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function openForeign(databaseUrl: string, log: Log): Promise<Database> {
  await asOwner({ connectionString: databaseUrl }, async (client) => prepare(client, 'is switched to', log));
  const connectionString = withOptions(
    databaseUrl,
    optionsOf([`role=${restrictedRole}`, ...sessionSettings]),
  );
  const database = createDatabase({ connectionString }, log);
  try {
    const { rows } = await database.query<{ role: string }>('select current_user as role');
    // A pooler in between may drop start-up options; then the ledger would be open to updates.
    if (rows[0]?.role !== restrictedRole) {
      throw new StartError(
        `DATABASE_URL does not pass the role on (is there a pooler?); connect to PostgreSQL directly`,
      );
    }
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Brings the connected database to this program's schema and rights. The connection is the owner's. */
export async function prepare(
  client: pg.Client,
  access: 'logs in' | 'is switched to',
  log: Log,
): Promise<void> {
  await refuseOldVersion(client);
  await migrate(client, readMigrations(), log);
  await ensureRestrictedRole(client, access);
  await applyGrants(client);
}

async function refuseOldVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version: string; server_version_num: string }>(
    `select current_setting('server_version') as server_version, current_setting('server_version_num') as server_version_num`,
  );
  const { server_version = 'unknown', server_version_num = '0' } = rows[0] ?? {};
  if (Number(server_version_num) < versionMin * 10_000) {
    throw new StartError(
      `Fulcrum needs PostgreSQL ${versionMin} or newer; DATABASE_URL leads to ${server_version}`,
    );
  }
}

async function asOwner(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = await connect(connection);
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  try {
    // The constructor parses the address, and reads the certificates that it may name.
    const client = new pg.Client({ connectionTimeoutMillis: 10_000, ...connection });
    // A lost connection fails the query under way; unheard, its 'error' event would end the process as well.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  } catch (error) {
    throw new StartError(`cannot connect to the database: ${(error as Error).message}`, { cause: error });
  }
}

const optionsOf = (settings: readonly string[]) => settings.map((setting) => `-c ${setting}`).join(' ');

/** The URL with start-up options added to those it may already have; a URL's options win over all other settings of pg. */
function withOptions(databaseUrl: string, options: string): string {
  const [address, query = ''] = databaseUrl.split('?', 2);
  const parameters = new URLSearchParams(query);
  const given = parameters.get('options');
  parameters.set('options', given === null ? options : `${given} ${options}`);
  return `${address}?${parameters.toString().replaceAll('+', '%20')}`;
}
