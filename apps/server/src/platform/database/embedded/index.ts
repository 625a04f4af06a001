/**
 * The embedded PostgreSQL: one cluster in the data directory, reached through a Unix socket only. Invariants: one live
 * server per data directory; whatever a kill -9 left behind (orphaned postmaster, stale lock, half-made cluster) is put
 * right at the next start without losing an acknowledged commit; a PostgreSQL that dies is started again; a stop leaves
 * no process.
 *
 * Known limitation: no Windows (Node has no Unix sockets there; set DATABASE_URL).
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureDataDir, inWords } from '../../data-dir.ts';
import type { Log } from '../../log/index.ts';
import { StartError } from '../../start-error.ts';
import { databaseAccount } from './account.ts';
import { locateBinaries } from './binaries.ts';
import { initialise, locateCluster } from './cluster.ts';
import { awaitOwnership, liveOwner, type Ownership, ownerFile, takeOwnership } from './ownership.ts';
import { clearRemains } from './remains.ts';
import { Supervisor } from './supervisor.ts';

export interface EmbeddedPostgres {
  /** Directory of the Unix socket; `host` for a client. Superuser `postgres`, no password. */
  readonly socketDir: string;
  /** Says that the stop has begun: who starts on the same directory waits, and PostgreSQL is not started again. */
  leave(): void;
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

/** Starts PostgreSQL on `<dir>/postgres`, making the cluster when there is none. Throws a StartError in words. */
export async function startEmbedded(options: {
  readonly dir: string;
  readonly log: Log;
  readonly settings?: Settings;
  /** Pauses before each attempt to start a PostgreSQL again that ended by itself. */
  readonly restartPausesMs?: readonly number[];
}): Promise<EmbeddedPostgres> {
  const { log } = options;
  if (process.platform === 'win32') {
    throw new StartError(
      'the embedded PostgreSQL does not run on Windows; set DATABASE_URL to a PostgreSQL 15 or newer',
    );
  }
  const dir = resolve(options.dir);
  ensureDataDir(dir);
  let ownership: Ownership | undefined;
  try {
    const owned = await awaitOwnership(dir, log);
    ownership = owned;
    const account = databaseAccount(join(dir, 'postgres'));
    const binaries = locateBinaries(account);
    const cluster = locateCluster(dir, account, log);
    await initialise(cluster, binaries, account, log);
    await clearRemains(cluster, log);
    const supervisor = new Supervisor({
      cluster,
      account,
      binaries,
      settings: { ...defaults, ...options.settings },
      logFile: join(dir, 'postgres.log'),
      log,
      ...(options.restartPausesMs && { pausesMs: options.restartPausesMs }),
    });
    await supervisor.start();
    return {
      socketDir: supervisor.socketDir,
      leave: () => {
        owned.leave();
        supervisor.leave();
      },
      stop: async () => {
        owned.leave();
        await supervisor.stop();
        owned.release();
      },
    };
  } catch (error) {
    ownership?.release();
    throw inWords(error, dir);
  }
}

/** A test that kills its server on purpose starts it again much sooner. */
const abandonedAfterMs = 15 * 60_000;

function isAbandoned(owner: string): boolean {
  const takenAt = statSync(owner, { throwIfNoEntry: false })?.mtimeMs;
  return takenAt !== undefined && Date.now() - takenAt > abandonedAfterMs && liveOwner(owner) === null;
}

/**
 * Removes the directories `<parent>/<prefix>*` of servers that were killed, together with a PostgreSQL that one of them
 * left running. For throw-away clusters of tests; live ones are left alone, and what cannot be removed is only logged.
 */
export async function sweepAbandoned(parent: string, prefix: string, log: Log): Promise<void> {
  for (const entry of readdirSync(parent)) {
    const dir = join(parent, entry);
    if (!entry.startsWith(prefix) || !isAbandoned(ownerFile(dir))) continue;
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
