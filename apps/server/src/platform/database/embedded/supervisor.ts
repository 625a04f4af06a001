/**
 * Supervises one PostgreSQL on a cluster that this process owns. Invariants: a postmaster that ends by itself is restarted,
 * with growing pauses and without a limit. After `stop`, and after any end of this process except SIGKILL, no process of
 * the cluster is left.
 *
 * A crashed backend is not visible here: the postmaster ends the others and recovers by itself.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../log/index.ts';
import { StartError } from '../../start-error.ts';
import { isLostConnection } from '../lost-connection.ts';
import type { Binaries } from './binaries.ts';
import { programEnvironment } from './cluster.ts';
import type { OsUser } from './os-user.ts';
import { makeSocketDir, removeSocketDir, renewSocketDir } from './socket-dir.ts';
import {
  backendsExitWithinMs,
  cleanUpStaleCluster,
  endProcessesIn,
  stopPostmaster,
} from './stale-cluster.ts';

/** Pauses before restart attempts; the last one repeats. */
const defaultPausesMs = [0, 500, 1000, 2000, 4000, 8000, 15_000, 30_000] as const;
/** After this time of service, the next failure starts with the first pause again. */
const steadyAfterMs = 60_000;
/** Crash recovery replays at most `max_wal_size`. */
const startWithinMs = 120_000;
const logSizeMax = 5 * 1024 * 1024;

interface SupervisorOptions {
  readonly cluster: string;
  readonly osUser: OsUser | null;
  readonly binaries: Binaries;
  /** PostgreSQL's parameters; the supervisor adds the socket's directory. */
  readonly settings: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly log: Log;
  readonly pausesMs?: readonly number[];
}

interface Postmaster {
  readonly pid: number;
  readonly isRunning: () => boolean;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Offset of this postmaster's first line in the log file. */
  readonly logFrom: number;
}

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #stop = new AbortController();
  #postmaster: Postmaster | undefined;
  #socketDir = '';
  #watching: Promise<void> = Promise.resolve();
  /** The last resort; synchronous, because nothing else runs at that time. */
  readonly #atExit = () => {
    const postmaster = this.#postmaster;
    // Immediate shutdown ends at once and recovers at the next start; a fast one could take too long.
    if (postmaster?.isRunning()) process.kill(postmaster.pid, 'SIGQUIT');
  };

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Constant for the lifetime of this supervisor. */
  get socketDir(): string {
    return this.#socketDir;
  }

  /** Resolves once connections are accepted. Throws a StartError with PostgreSQL's own reason and leaves no process. */
  async start(): Promise<void> {
    process.once('exit', this.#atExit);
    try {
      await this.#launch();
    } catch (error) {
      await this.stop();
      const { logFile } = this.#options;
      throw new StartError(`PostgreSQL did not start: ${(error as Error).message}; see ${logFile}`, {
        cause: error,
      });
    }
    this.#watching = this.#monitor();
  }

  /** From here on an end of PostgreSQL is expected and does not cause a restart. */
  announceStop(): void {
    this.#stop.abort();
  }

  async stop(): Promise<void> {
    this.announceStop();
    await this.#watching;
    const postmaster = this.#postmaster;
    if (postmaster?.isRunning()) await stopPostmaster(postmaster.pid);
    await postmaster?.ended;
    await endProcessesIn(this.#options.cluster, backendsExitWithinMs);
    process.off('exit', this.#atExit);
    if (this.#socketDir !== '') removeSocketDir(this.#socketDir, this.#options.osUser);
  }

  /** Starts a postmaster and waits until it serves; stops one that does not. */
  async #launch(): Promise<void> {
    const { osUser } = this.#options;
    if (this.#socketDir === '') this.#socketDir = makeSocketDir(osUser);
    else renewSocketDir(this.#socketDir, osUser);
    const postmaster = this.#spawn();
    this.#postmaster = postmaster;
    try {
      await acceptsConnections(this.#socketDir, postmaster.isRunning, this.#stop.signal);
    } catch (error) {
      if (postmaster.isRunning()) await stopPostmaster(postmaster.pid);
      await postmaster.ended;
      throw new Error(this.#reason(postmaster) ?? (error as Error).message, { cause: error });
    }
  }

  #spawn(): Postmaster {
    const { binaries, cluster, osUser, settings, logFile, log } = this.#options;
    const parameters = { ...settings, unix_socket_directories: this.#socketDir };
    const output = openLog(logFile);
    const logFrom = fstatSync(output).size;
    let child: ChildProcess;
    try {
      child = spawn(
        binaries.postgres,
        ['-D', cluster, ...Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
        {
          cwd: cluster,
          env: programEnvironment(),
          stdio: ['ignore', output, output],
          // Its own process group: Ctrl-C reaches only this process, which stops PostgreSQL after the last response.
          detached: true,
          ...osUser,
        },
      );
    } finally {
      closeSync(output);
    }
    // A failed spawn has no pid, and a signal to pid -1 would reach every process of this user.
    let running = child.pid !== undefined;
    const ended = new Promise<Awaited<Postmaster['ended']>>((done) => {
      child.once('error', (error) => {
        log.error({ err: error }, 'PostgreSQL could not be spawned');
        running = false;
        done({ code: null, signal: null });
      });
      child.once('exit', (code, signal) => {
        running = false;
        done({ code, signal });
      });
    });
    return { pid: child.pid ?? -1, isRunning: () => running, ended, logFrom };
  }

  async #monitor(): Promise<void> {
    const { log, logFile } = this.#options;
    const { signal } = this.#stop;
    const isLeaving = new Promise<'leaving'>((resolve) => {
      signal.addEventListener('abort', () => resolve('leaving'), { once: true });
    });
    let attempt = 0;
    while (this.#postmaster !== undefined && !signal.aborted) {
      const since = performance.now();
      const outcome = await Promise.race([this.#postmaster.ended, isLeaving]);
      if (outcome === 'leaving') return;
      log.error({ ...outcome, logFile }, 'PostgreSQL ended unexpectedly and is started again');
      if (performance.now() - since > steadyAfterMs) attempt = 0;
      const next = await this.#restart(attempt);
      if (next === null) return;
      attempt = next;
    }
  }

  /** Returns the number of attempts at success; null when the server is stopping. */
  async #restart(attemptsMade: number): Promise<number | null> {
    const { cluster, log, logFile, pausesMs = defaultPausesMs } = this.#options;
    const pauseMs = (attempt: number) => pausesMs[attempt] ?? pausesMs.at(-1);
    const { signal } = this.#stop;
    for (let attempt = attemptsMade; ; attempt += 1) {
      await sleep(pauseMs(attempt), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return null;
      try {
        await cleanUpStaleCluster(cluster, log);
        if (signal.aborted) return null;
        await this.#launch();
        log.warn({ attempt: attempt + 1 }, 'PostgreSQL runs again');
        return attempt + 1;
      } catch (error) {
        if (signal.aborted) return null;
        const level = attempt + 1 < pausesMs.length ? 'error' : 'fatal';
        log[level](
          { err: error, attempt: attempt + 1, nextInMs: pauseMs(attempt + 1), logFile },
          'PostgreSQL could not be started again: fix what its log reports',
        );
      }
    }
  }

  /** Why this postmaster failed: the last fatal line of its log, else its last lines. */
  #reason({ logFrom }: Postmaster): string | null {
    const text = readFileSync(this.#options.logFile).subarray(logFrom).toString('utf8');
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const fatal = lines.findLast((line) => /\b(FATAL|PANIC):/.test(line));
    if (fatal !== undefined) return fatal.replace(/^.*?\b(?:FATAL|PANIC):\s*/, '');
    return lines.length === 0 ? null : lines.slice(-3).join(' ');
  }
}

function openLog(file: string): number {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logSizeMax) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

/** Resolves once a connection succeeds; throws when the postmaster ends, refuses, times out or is no longer needed. */
async function acceptsConnections(
  socketDir: string,
  isRunning: () => boolean,
  leaving: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + startWithinMs;
  for (;;) {
    // A long recovery must not delay the stop.
    leaving.throwIfAborted();
    if (!isRunning()) throw new Error('it ended at once');
    const client = new pg.Client({
      host: socketDir,
      port: 5432,
      user: 'postgres',
      database: 'postgres',
      connectionTimeoutMillis: 10_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (!isLostConnection(error) || performance.now() > deadline) throw error;
      await sleep(20);
    }
  }
}
