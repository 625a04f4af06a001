/**
 * The PostgreSQL of a measurement: the product's own embedded one with its production settings (durable,
 * `synchronous_commit=on`) in a throw-away directory, and in it a fresh migrated database for each contender.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../apps/server/src/platform/database/embedded/index.ts';
import { prepare } from '../apps/server/src/platform/database/index.ts';
import { createLog } from '../apps/server/src/platform/log/index.ts';

export const benchLog = createLog({ logLevel: 'warn' });
const template = 'bench_template';

export interface Cluster {
  readonly version: string;
  /** Creates a fresh migrated database, or a copy of one without connections; returns the owner's DATABASE_URL. */
  createDatabase(name: string, from?: string): Promise<string>;
  /** Removes a measured database, so that its dirty pages are not written during the next measurement. */
  dropDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Runs `work` with a connection of its own. */
export async function withClient<T>(
  config: string | pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The same with several connections to one database. */
export async function withClients<T>(
  databaseUrl: string,
  count: number,
  work: (clients: readonly pg.Client[]) => Promise<T>,
): Promise<T> {
  const clients = Array.from({ length: count }, () => new pg.Client({ connectionString: databaseUrl }));
  await Promise.all(clients.map((client) => client.connect()));
  try {
    return await work(clients);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

export async function startCluster(): Promise<Cluster> {
  const dir = mkdtempSync(join(tmpdir(), 'fulcrum-bench-'));
  const postgres = await startEmbedded({ dir, log: benchLog });
  const stop = async () => {
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  const as = <T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
    withClient({ host: postgres.socketDir, user: 'postgres', database }, work);
  try {
    const version = await as('postgres', async (client) => {
      await client.query(`create database ${template}`);
      const { rows } = await client.query<{ server_version: string }>('show server_version');
      return rows[0]?.server_version ?? 'unknown';
    });
    await as(template, (client) => prepare(client, 'is switched to', benchLog));
    return {
      version,
      createDatabase: async (name, from = template) => {
        await as('postgres', async (client) => {
          await client.query(`create database ${name} template ${from} strategy file_copy`);
          await client.query('checkpoint');
        });
        return `postgresql://postgres@/${name}?host=${encodeURIComponent(postgres.socketDir)}`;
      },
      dropDatabase: (name) =>
        as('postgres', async (client) => {
          await client.query(`drop database ${name} with (force)`);
          await client.query('checkpoint');
        }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs `work` with a cluster, which ends with it. */
export async function withCluster<T>(work: (cluster: Cluster) => Promise<T>): Promise<T> {
  const cluster = await startCluster();
  try {
    return await work(cluster);
  } finally {
    await cluster.stop();
  }
}
