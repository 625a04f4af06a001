/**
 * Connections as the owner of the schema: a superuser of the embedded PostgreSQL, or the role of DATABASE_URL. They
 * bring the schema to this program's and serve the operator's tools; what serves users works as the restricted role.
 */
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log/index.ts';
import { StartError } from '../start-error.ts';
import { startEmbedded } from './embedded/index.ts';
import { DataDirInUse } from './embedded/ownership.ts';
import { runningCluster } from './embedded/running.ts';
import { migrate, readMigrations, unappliedMigrations } from './migrations.ts';
import { applyGrants, ensureRestrictedRole } from './restricted-role.ts';

export interface DatabaseLocation {
  readonly databaseUrl: string | null;
  /** Absolute; used only without a `databaseUrl`. */
  readonly dataDir: string;
}

export interface OwnerOptions {
  /**
   * 'current' (the default) brings the schema to this program's first, and refuses beside a running server of an older
   * one; 'untouched' takes the database as it is.
   */
  readonly schema?: 'current' | 'untouched';
}

const versionMin = 15;
/** How long a server that is just starting, stopping or getting PostgreSQL back is waited for. */
const waitForServerMs = 30_000;

/** Superuser of the embedded PostgreSQL behind this socket. */
export const superuserAt = (socketDir: string) =>
  ({ host: socketDir, port: 5432, user: 'postgres' }) as const;

/**
 * Runs `work` as the owner of the database and resolves with its result: on DATABASE_URL; beside the server that runs on
 * the data directory, through its socket; else on a PostgreSQL that is started for it and stopped afterwards, during
 * which no server can start there. The client is closed in the end. Throws a StartError in words when the database
 * cannot be had.
 */
export async function withDatabase<T>(
  config: DatabaseLocation,
  log: Log,
  work: (client: pg.Client) => Promise<T>,
  { schema = 'current' }: OwnerOptions = {},
): Promise<T> {
  const prepared = (access: Access) => async (client: pg.Client) => {
    if (schema === 'current') await prepare(client, access, log);
    return work(client);
  };
  if (config.databaseUrl !== null) {
    return asOwner({ connectionString: config.databaseUrl }, prepared('is switched to'));
  }
  const dir = resolve(config.dataDir);
  const server = await embeddedServer(dir, log);
  if ('stop' in server) {
    try {
      const superuser = superuserAt(server.socketDir);
      await createFulcrumDatabase(superuser);
      return await asOwner({ ...superuser, database: databaseName }, prepared('logs in'));
    } finally {
      await server.stop();
    }
  }
  return asOwner({ ...superuserAt(server.socketDir), database: databaseName }, async (client) => {
    if (schema === 'current') await refuseOlderServer(client, server.ownerPid);
    return work(client);
  });
}

type EmbeddedServer =
  | { readonly socketDir: string; readonly ownerPid: number }
  | { readonly socketDir: string; stop(): Promise<void> };

/** The one that runs, or one started for us; between the two lies a server that starts or stops, which is waited for. */
async function embeddedServer(dir: string, log: Log): Promise<EmbeddedServer> {
  const deadline = performance.now() + waitForServerMs;
  for (;;) {
    const running = runningCluster(dir);
    if (running === null) {
      try {
        return await startEmbedded({ dir, log });
      } catch (error) {
        // Somebody was faster; the next look finds them.
        if (!(error instanceof DataDirInUse) || performance.now() > deadline) throw error;
      }
    } else if (running.socketDir !== null) {
      return { socketDir: running.socketDir, ownerPid: running.ownerPid };
    } else if (performance.now() > deadline) {
      throw new StartError(
        `process ${running.ownerPid} owns the data directory ${dir}, but its PostgreSQL accepts no connections; see postgres.log there`,
      );
    }
    await sleep(100);
  }
}

async function refuseOlderServer(client: pg.Client, pid: number): Promise<void> {
  const [first] = await unappliedMigrations(client, readMigrations());
  if (first === undefined) return;
  throw new StartError(
    `the running server (process ${pid}) is of an older version: migration ${first} is not applied; restart it first`,
  );
}

/** The embedded PostgreSQL's one database. */
export const databaseName = 'fulcrum';

export async function createFulcrumDatabase(superuser: pg.ClientConfig): Promise<void> {
  await asOwner({ ...superuser, database: 'postgres' }, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`create database ${databaseName}`);
  });
}

/** How the pool's connections become the restricted role. */
export type Access = 'logs in' | 'is switched to';

/** Brings the connected database to this program's schema and rights. The connection is the owner's. */
export async function prepare(client: pg.Client, access: Access, log: Log): Promise<void> {
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

/** Throws a StartError when the connection cannot be made. */
export async function asOwner<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connect(connection);
  try {
    return await work(client);
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
