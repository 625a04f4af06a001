/**
 * The embedded PostgreSQL: one cluster in the data directory, reached through a Unix socket only. Invariants: one live
 * server per data directory; whatever a kill -9 left behind (orphaned postmaster, stale lock, half-made cluster) is put
 * right at the next start without losing an acknowledged commit; a stop leaves no process.
 *
 * Known limitations: no Windows (Node has no Unix sockets there; set DATABASE_URL); a PostgreSQL that dies while the
 * server runs is reported, not restarted.
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ensureDataDir } from '../../data-dir.ts';
import type { Log } from '../../log/index.ts';
import { StartError } from '../../start-error.ts';
import { databaseAccount } from './account.ts';
import { locateBinaries } from './binaries.ts';
import {
  clearRemains,
  initialise,
  locateCluster,
  makeSocketDir,
  programEnvironment,
  stopPostmaster,
} from './cluster.ts';
import { liveOwner, takeOwnership } from './ownership.ts';

export interface EmbeddedPostgres {
  /** Directory of the Unix socket; `host` for a client. Superuser `postgres`, no password. */
  readonly socketDir: string;
  stop(): Promise<void>;
}

export type Settings = Readonly<Record<string, string>>;

const defaults: Settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Short queries on few cores: compiling or spreading them costs more than it saves.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // Failed statements are the application's to report; their text may hold personal details.
  log_min_messages: 'log',
  // Two lines every five minutes would be all that ever makes the file grow.
  log_checkpoints: 'off',
};

const logSizeMax = 5 * 1024 * 1024;
const startTimeoutMs = 120_000;

/** Starts PostgreSQL on `<dir>/postgres`, making the cluster when there is none. Throws a StartError in words. */
export async function startEmbedded(options: {
  readonly dir: string;
  readonly log: Log;
  readonly settings?: Settings;
}): Promise<EmbeddedPostgres> {
  const { log } = options;
  if (process.platform === 'win32') {
    throw new StartError(
      'the embedded PostgreSQL does not run on Windows; set DATABASE_URL to a PostgreSQL 15 or newer',
    );
  }
  const dir = resolve(options.dir);
  ensureDataDir(dir);
  const ownership = takeOwnership(ownerFile(dir), dir);
  try {
    const account = databaseAccount(join(dir, 'postgres'));
    const binaries = locateBinaries(account);
    const cluster = locateCluster(dir, account, log);
    await initialise(cluster, binaries, account, log);
    await clearRemains(cluster, log);
    const socketDir = makeSocketDir(cluster, account);
    const settings = { ...defaults, ...options.settings, unix_socket_directories: socketDir };
    const logFile = join(dir, 'postgres.log');
    const output = openLog(logFile);
    const child = spawn(
      binaries.postgres,
      ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        cwd: cluster,
        env: programEnvironment(),
        stdio: ['ignore', output, output],
        // Its own process group: Ctrl-C reaches us alone, and we stop it after the last answer.
        detached: true,
        ...account,
      },
    );
    closeSync(output);
    let running = true;
    let stopping = false;
    const ended = new Promise<void>((done) => {
      child.once('error', (error) => {
        log.error({ err: error }, 'PostgreSQL could not be spawned');
        running = false;
        done();
      });
      child.once('exit', (code, signal) => {
        running = false;
        if (!stopping) log.fatal({ code, signal, logFile }, 'PostgreSQL ended unexpectedly');
        done();
      });
    });
    const stop = async () => {
      stopping = true;
      if (running && child.pid !== undefined) await stopPostmaster(child.pid);
      await ended;
      rmSync(socketDir, { recursive: true, force: true });
      ownership.release();
    };
    try {
      await acceptsConnections(socketDir, () => running);
    } catch (error) {
      await stop();
      throw new StartError(`PostgreSQL did not start: ${(error as Error).message}; see ${logFile}`);
    }
    return { socketDir, stop };
  } catch (error) {
    ownership.release();
    throw error;
  }
}

const ownerFile = (dir: string) => join(dir, 'postgres.owner');

function openLog(file: string): number {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logSizeMax) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

/** Resolves once a connection succeeds; crash recovery is the time this may take. */
async function acceptsConnections(socketDir: string, isRunning: () => boolean): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    if (!isRunning()) throw new Error('it ended at once');
    const client = new pg.Client({ host: socketDir, port: 5432, user: 'postgres', database: 'postgres' });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(20);
    }
  }
}

/**
 * Removes the directories `<parent>/<prefix>*` of servers that were killed, together with a PostgreSQL that one of them
 * left running. For throw-away clusters of tests; live ones are left alone, and what cannot be removed is only logged.
 */
export async function sweepAbandoned(parent: string, prefix: string, log: Log): Promise<void> {
  for (const entry of readdirSync(parent)) {
    const dir = join(parent, entry);
    if (!entry.startsWith(prefix) || !existsSync(ownerFile(dir)) || liveOwner(ownerFile(dir)) !== null)
      continue;
    try {
      const ownership = takeOwnership(ownerFile(dir), dir);
      await clearRemains(join(dir, 'postgres'), log);
      ownership.release();
      rmSync(dir, { recursive: true, force: true });
    } catch (error) {
      // Another run may be sweeping the same directory.
      log.warn({ reason: (error as Error).message, dir }, 'an abandoned test database could not be removed');
    }
  }
}
