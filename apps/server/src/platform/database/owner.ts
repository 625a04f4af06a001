/**
 * Connects as the owner of the schema: a superuser of the embedded PostgreSQL, or the role of DATABASE_URL. Migrations and
 * the operator's tools use it; requests of users use the restricted role.
 */
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log/index.ts';
import { StartError } from '../start-error.ts';
import { startEmbedded } from './embedded/index.ts';
import { DataDirInUse } from './embedded/ownership.ts';
import { runningCluster } from './embedded/running.ts';
import { findPrimary, splitHosts } from './primary.ts';
import { refusedWrite } from './refused-writes.ts';
import { applyGrants, ensureRestrictedRole } from './restricted-role.ts';
import { applySchema, unappliedFiles } from './schema.ts';
import { withSchemaLock } from './sql-files.ts';

export interface DatabaseLocation {
  readonly databaseUrl: string | null;
  /** Absolute; used only without a `databaseUrl`. */
  readonly dataDir: string;
}

export interface OwnerOptions {
  /**
   * 'current' (the default) migrates first, and refuses beside a running server of an older version; 'untouched' leaves the
   * database unchanged.
   */
  readonly schema?: 'current' | 'untouched';
}

const versionMin = 15;
/** How long to wait for a server that starts, stops or restarts PostgreSQL. */
const waitForServerMs = 30_000;

/** Superuser of the embedded PostgreSQL behind this socket. */
export const superuserAt = (socketDir: string) =>
  ({ host: socketDir, port: 5432, user: 'postgres' }) as const;

/**
 * Runs `work` as the owner of the database and resolves with its result. The connection is DATABASE_URL, the socket of a
 * server that runs on the data directory, or a PostgreSQL started and stopped for this call; no server can start there
 * meanwhile. Closes the client. Throws a StartError when the database is not available.
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
    const connectionString = await findPrimary(splitHosts(config.databaseUrl));
    return asOwner({ connectionString }, prepared('is switched to'));
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

/** Returns the running server or starts one; waits while another process starts or stops. */
async function embeddedServer(dir: string, log: Log): Promise<EmbeddedServer> {
  const deadline = performance.now() + waitForServerMs;
  for (;;) {
    const running = runningCluster(dir);
    if (running === null) {
      try {
        return await startEmbedded({ dir, log });
      } catch (error) {
        // Another process started first; the next attempt finds it.
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
  const [first] = await unappliedFiles(client);
  if (first === undefined) return;
  throw new StartError(
    `the running server (process ${pid}) is of an older version: its schema lacks ${first}; restart it first`,
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

/** Brings the schema of the connected database up to date and applies the grants, as the owner. */
export async function prepare(client: pg.Client, access: Access, log: Log): Promise<void> {
  await refuseOldVersion(client);
  // Processes of a cluster may start at the same time.
  await withSchemaLock(client, async () => {
    await applySchema(client, log);
    await ensureRestrictedRole(client, access);
    await applyGrants(client);
  });
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

/** Throws a StartError when the connection fails, or when PostgreSQL cannot write what `work` needs. */
export async function asOwner<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connect(connection);
  try {
    return await work(client);
  } catch (error) {
    const refusal = refusedWrite(error);
    if (refusal === null) throw error;
    const { message } = error as Error;
    throw new StartError(`the database refuses to work: ${refusal.reason} (${message})`, { cause: error });
  } finally {
    await client.end();
  }
}

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  try {
    // The constructor parses the address and reads the certificates that it names.
    const client = new pg.Client({ connectionTimeoutMillis: 10_000, ...connection });
    // A lost connection fails the running query; an unhandled 'error' event would also end the process.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  } catch (error) {
    throw new StartError(`cannot connect to the database: ${(error as Error).message}`, { cause: error });
  }
}
