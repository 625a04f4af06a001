/**
 * The embedded PostgreSQL: one cluster in the data directory, reached through a Unix socket only. Invariants: one live
 * server per data directory; the next start repairs what a kill -9 left behind (orphaned postmaster, stale lock, incomplete
 * cluster) without losing an acknowledged commit; a PostgreSQL that dies is restarted; a stop leaves no process.
 *
 * Known limitation: no Windows (Node has no Unix sockets there; set DATABASE_URL).
 */
import { join, resolve } from 'node:path';
import { ensureDataDir, toStartError } from '../../data-dir.ts';
import type { Log } from '../../log/index.ts';
import { StartError } from '../../start-error.ts';
import { locateBinaries } from './binaries.ts';
import { initialise, locateCluster, walSegmentBytes } from './cluster.ts';
import { findDatabaseOsUser, isSharedOsUser, type OsUser } from './os-user.ts';
import { awaitOwnership, type Ownership } from './ownership.ts';
import { lockedSocketDir } from './running.ts';
import { removeAbandonedSocketDir } from './socket-dir.ts';
import { cleanUpStaleCluster } from './stale-cluster.ts';
import { Supervisor } from './supervisor.ts';

interface EmbeddedPostgres {
  /** Directory of the Unix socket; `host` for a client. Superuser `postgres`, no password. */
  readonly socketDir: string;
  /** Announces the stop: a start on the same directory waits, and PostgreSQL is not restarted. */
  announceStop(): void;
  stop(): Promise<void>;
}

export type Settings = Readonly<Record<string, string>>;

const defaults: Settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  // Reused log segments cost a commit nothing; the default of five is soon used up.
  min_wal_size: '256MB',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // For short queries on few cores, compilation and parallel plans cost more than they save.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // The application reports failed statements; their text may contain personal data.
  log_min_messages: 'log',
  // Otherwise the file grows by two lines every five minutes.
  log_checkpoints: 'off',
};

/**
 * For a cluster with large log segments (created by earlier versions): new segments are not zeroed, so no commit waits for
 * that. Their blocks are allocated on write, which makes those commits slightly slower.
 */
const ofLargeSegments: Settings = { min_wal_size: '512MB', wal_init_zero: 'off' };
const largeSegmentBytes = 4 * 1024 ** 2;

const settingsOf = (cluster: string): Settings =>
  (walSegmentBytes(cluster) ?? 0) > largeSegmentBytes ? { ...defaults, ...ofLargeSegments } : defaults;

/** Starts PostgreSQL on `<dir>/postgres` and creates a missing cluster. Throws a StartError with a one-line reason. */
export async function startEmbedded(options: {
  readonly dir: string;
  readonly log: Log;
  readonly settings?: Settings;
  /** Pauses before each attempt to restart a PostgreSQL that ended by itself. */
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
    const osUser = findDatabaseOsUser(join(dir, 'postgres'));
    if (osUser !== null && isSharedOsUser(osUser)) {
      log.warn(
        { uid: osUser.uid },
        'PostgreSQL runs as "nobody", an account that other programs may share: they could read the database. Start as an ordinary account, or add an account for it: useradd --system postgres',
      );
    }
    const binaries = locateBinaries(osUser);
    const cluster = locateCluster(dir, osUser, log);
    await initialise(cluster, binaries, osUser, log);
    await cleanUpPredecessor(cluster, osUser, log);
    const supervisor = new Supervisor({
      cluster,
      osUser,
      binaries,
      settings: { ...settingsOf(cluster), ...options.settings },
      logFile: join(dir, 'postgres.log'),
      log,
      ...(options.restartPausesMs && { pausesMs: options.restartPausesMs }),
    });
    await supervisor.start();
    return {
      socketDir: supervisor.socketDir,
      announceStop: () => {
        owned.announceStop();
        supervisor.announceStop();
      },
      stop: async () => {
        owned.announceStop();
        await supervisor.stop();
        owned.release();
      },
    };
  } catch (error) {
    ownership?.release();
    throw toStartError(error, dir);
  }
}

/** Cleans up after a killed predecessor, including its socket directory. */
export async function cleanUpPredecessor(cluster: string, osUser: OsUser | null, log: Log): Promise<void> {
  // PostgreSQL deletes the file that names the directory when it stops.
  const socketDir = lockedSocketDir(cluster);
  await cleanUpStaleCluster(cluster, log);
  if (socketDir !== null) removeAbandonedSocketDir(socketDir, osUser);
}
