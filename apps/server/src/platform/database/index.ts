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
import { type Address, createAddress, findPrimary, followPrimary, splitHosts } from './primary.ts';
import { createReplica, type Reader, type ReplicaState } from './replica.ts';
import { restrictedRole } from './restricted-role.ts';

export { isOverload } from './overload.ts';
export { type DatabaseLocation, prepare, withDatabase } from './owner.ts';
export type { Database, Queryable } from './pool.ts';
export { createReadLimiter } from './read-limiter.ts';
export { refusedWrite } from './refused-writes.ts';
export type { Reader } from './replica.ts';
export { openRestrictedPool } from './restricted-pool.ts';

/** Settings of each application connection; they override a foreign server's defaults. */
const sessionSettings = [
  'timezone=UTC',
  'synchronous_commit=on',
  'statement_timeout=15s',
  'lock_timeout=10s',
  'idle_in_transaction_session_timeout=15s',
];

/** One for each duty that a process holds, and one for the looks at those of others. */
const dutyConnectionsMax = 4;
/** A beat that takes longer comes too late. */
const beatLimitMs = 1_000;
export const beatSettings = {
  max: 1,
  connectionTimeoutMillis: beatLimitMs,
  query_timeout: beatLimitMs,
} as const satisfies pg.PoolConfig;

export interface ServingDatabase extends Database {
  /** For reads that may go to a standby: lists and files of staff, analytics, older rows. Without a replica the database itself. */
  readonly reader: Reader;
  /** null: there is no replica. */
  replicaState(): ReplicaState | null;
  /** One connection beside the pool for health checks, which never wait for application queries. */
  readonly probeConnection: Queryable;
  /** Opens one connection beside the pool for the beats of an engine; a statement that takes a second fails. The caller closes it. */
  openBeatConnection(): Database;
  /** A pool of its own for the sessions that hold duties and look after them, which no other work can use up. The caller closes it. */
  openDutyConnections(): Database;
  /** The caller announces the stop before `close`. */
  announceStop(): void;
}

interface ServingLocation extends DatabaseLocation {
  /** A standby of `databaseUrl`. */
  readonly replicaUrl?: string | null;
}

/** Opens the database; `dataDir` is used only without a `databaseUrl`. Throws a StartError when it cannot serve. */
export async function openDatabase(config: ServingLocation, log: Log): Promise<ServingDatabase> {
  if (config.databaseUrl === null) return openEmbedded(config.dataDir, log);
  const database = await openExternal(config.databaseUrl, log);
  return config.replicaUrl ? withReplica(database, config.replicaUrl, log) : database;
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

const asRestrictedRole = [`role=${restrictedRole}`, ...sessionSettings];

async function openExternal(databaseUrl: string, log: Log): Promise<ServingDatabase> {
  const hosts = splitHosts(databaseUrl);
  const first = await findPrimary(hosts);
  await asOwner({ connectionString: first }, (client) => prepare(client, 'is switched to', log));
  const withRole = (url: string): string => withOptions(url, optionsOf(asRestrictedRole));
  const address = createAddress(withRole(first));
  const stopFollowing = followPrimary(hosts.map(withRole), address, log);
  const database = withProbeConnection({ connectionString: address.url() }, log, address);
  const close = async (): Promise<void> => {
    stopFollowing();
    await database.close();
  };
  try {
    await requireRole(database, 'DATABASE_URL');
    return { ...database, close, announceStop: () => undefined };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A pooler may drop start-up options; then the ledger would accept updates. @throws StartError */
async function requireRole(db: Queryable, setting: string): Promise<void> {
  const { rows } = await db.query<{ role: string }>('select current_user as role');
  if (rows[0]?.role === restrictedRole) return;
  throw new StartError(
    `${setting} does not pass the role on (is there a pooler?); connect to PostgreSQL directly`,
  );
}

/** A standby that is away at the start is used when it comes back. @throws StartError for a server that is no standby of `primary` */
async function withReplica(primary: ServingDatabase, replicaUrl: string, log: Log): Promise<ServingDatabase> {
  const connectionString = withOptions(replicaUrl, optionsOf(asRestrictedRole));
  const address = createAddress(connectionString);
  const ofReplica = log.child({ database: 'replica' });
  const standby = createDatabase({ connectionString }, ofReplica, address);
  const replica = createReplica({
    primary,
    standby,
    positions: createDatabase({ connectionString, ...beatSettings }, ofReplica, address),
    cutOff: () => address.leaveFor(connectionString),
    log: ofReplica,
  });
  const database: ServingDatabase = {
    ...primary,
    reader: replica,
    replicaState: replica.state,
    close: async () => {
      await Promise.all([replica.close(), primary.close()]);
    },
  };
  try {
    await requireRole(standby, 'DATABASE_REPLICA_URL');
    await requireSameCluster(primary, standby);
  } catch (error) {
    // A standby that is away proves later that it follows the primary.
    if (error instanceof StartError) {
      await database.close();
      throw error;
    }
  }
  await replica.start();
  return database;
}

async function requireSameCluster(primary: Queryable, standby: Queryable): Promise<void> {
  const text = `select system_identifier::text || ' ' || current_database() as id from pg_control_system()`;
  const [ours, theirs] = await Promise.all([primary, standby].map((db) => db.query<{ id: string }>(text)));
  if (ours?.rows[0]?.id === theirs?.rows[0]?.id) return;
  throw new StartError('DATABASE_REPLICA_URL leads to another database than DATABASE_URL');
}

function withProbeConnection(
  connection: pg.PoolConfig,
  log: Log,
  address?: Address,
): Omit<ServingDatabase, 'announceStop'> {
  const database = createDatabase(connection, log, address);
  // The health check reports its own result; logging here would list the same outage twice.
  const silent = log.child({}, { level: 'silent' });
  const probeConnection = createDatabase({ ...connection, max: 1 }, silent, address);
  return {
    ...database,
    reader: database,
    replicaState: () => null,
    probeConnection,
    openBeatConnection: () => createDatabase({ ...connection, ...beatSettings }, log, address),
    openDutyConnections: () => createDatabase({ ...connection, max: dutyConnectionsMax }, log, address),
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
