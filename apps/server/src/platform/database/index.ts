/**
 * The database: an embedded PostgreSQL in the data directory, or the one that DATABASE_URL names. `openDatabase` migrates
 * it as its owner, closes that connection, and returns a pool that works as the restricted role.
 */
import type pg from 'pg';
import type { Log } from '../log/index.ts';
import { StartError } from '../start-error.ts';
import { startEmbedded } from './embedded/index.ts';
import {
  asOwner,
  createFulcrumDatabase,
  type DatabaseLocation,
  databaseName,
  prepare,
  superuserAt,
} from './owner.ts';
import { createDatabase, type Database, type Queryable } from './pool.ts';
import { restrictedRole } from './restricted-role.ts';

export { isOverload } from './overload.ts';
export { type DatabaseLocation, type OwnerOptions, prepare, withDatabase } from './owner.ts';
export type { Database, Queryable } from './pool.ts';
export { createReadLimiter } from './read-limiter.ts';
export { refusedWrite } from './refused-writes.ts';
export { openRestrictedPool } from './restricted-pool.ts';

/** Settings of each application connection; they override a foreign server's defaults. */
const sessionSettings = [
  'timezone=UTC',
  'synchronous_commit=on',
  'statement_timeout=15s',
  'lock_timeout=10s',
  'idle_in_transaction_session_timeout=15s',
];

/** A beat that takes longer comes too late. */
const beatLimitMs = 1_000;
export const beatSettings = {
  max: 1,
  connectionTimeoutMillis: beatLimitMs,
  query_timeout: beatLimitMs,
} as const satisfies pg.PoolConfig;

export interface ServingDatabase extends Database {
  /** One connection beside the pool for health checks, which never wait for application queries. */
  readonly probeConnection: Queryable;
  /** Opens one connection beside the pool for the beats of an engine; a statement that takes a second fails. The caller closes it. */
  openBeatConnection(): Database;
  /** The caller announces the stop before `close`. */
  announceStop(): void;
}

/** Opens the database; `dataDir` is used only without a `databaseUrl`. Throws a StartError when it cannot serve. */
export async function openDatabase(config: DatabaseLocation, log: Log): Promise<ServingDatabase> {
  return config.databaseUrl === null
    ? openEmbedded(config.dataDir, log)
    : openExternal(config.databaseUrl, log);
}

async function openEmbedded(dataDir: string, log: Log): Promise<ServingDatabase> {
  const postgres = await startEmbedded({ dir: dataDir, log });
  const superuser = superuserAt(postgres.socketDir);
  try {
    await createFulcrumDatabase(superuser);
    await asOwner({ ...superuser, database: databaseName }, (client) => prepare(client, 'logs in', log));
    const connection = {
      ...superuser,
      user: restrictedRole,
      database: databaseName,
      options: optionsOf(sessionSettings),
    };
    const database = withProbeConnection(connection, log);
    return {
      ...database,
      announceStop: postgres.announceStop,
      close: async () => {
        try {
          await database.close();
        } finally {
          await postgres.stop();
        }
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function openExternal(databaseUrl: string, log: Log): Promise<ServingDatabase> {
  await asOwner({ connectionString: databaseUrl }, (client) => prepare(client, 'is switched to', log));
  const connectionString = withOptions(
    databaseUrl,
    optionsOf([`role=${restrictedRole}`, ...sessionSettings]),
  );
  const database = withProbeConnection({ connectionString }, log);
  try {
    const { rows } = await database.query<{ role: string }>('select current_user as role');
    // A pooler may drop start-up options; then the ledger would accept updates.
    if (rows[0]?.role !== restrictedRole) {
      throw new StartError(
        `DATABASE_URL does not pass the role on (is there a pooler?); connect to PostgreSQL directly`,
      );
    }
    return { ...database, announceStop: () => undefined };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function withProbeConnection(connection: pg.PoolConfig, log: Log): Omit<ServingDatabase, 'announceStop'> {
  const database = createDatabase(connection, log);
  // The health check reports its own result; logging here would list the same outage twice.
  const probeConnection = createDatabase({ ...connection, max: 1 }, log.child({}, { level: 'silent' }));
  return {
    ...database,
    probeConnection,
    openBeatConnection: () => createDatabase({ ...connection, ...beatSettings }, log),
    close: async () => {
      await Promise.all([database.close(), probeConnection.close()]);
    },
  };
}

const optionsOf = (settings: readonly string[]) => settings.map((setting) => `-c ${setting}`).join(' ');

/** Returns the URL with start-up options added; a URL's options override all other settings of pg. */
function withOptions(databaseUrl: string, options: string): string {
  const [address, query = ''] = databaseUrl.split('?', 2);
  const parameters = new URLSearchParams(query);
  const given = parameters.get('options');
  parameters.set('options', given === null ? options : `${given} ${options}`);
  return `${address}?${parameters.toString().replaceAll('+', '%20')}`;
}
