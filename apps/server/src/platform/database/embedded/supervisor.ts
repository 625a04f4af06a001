/**
 * Keeps one PostgreSQL running on a cluster that this process owns. Invariants: a postmaster that ends by itself is
 * started again, with growing pauses and for as long as it takes, so that neither a passing fault ends the service nor a
 * lasting one burns the machine; after `stop` no process of the cluster is left, and none is left either when this
 * process ends in any other way than by SIGKILL.
 *
 * A backend that crashes makes the postmaster end all others and recover by itself; that is not seen here.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../log/index.ts';
import { StartError } from '../../start-error.ts';
import { isLostConnection } from '../lost-connection.ts';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { makeSocketDir, programEnvironment } from './cluster.ts';
import { backendsLeaveWithinMs, clearRemains, endProcessesIn, stopPostmaster } from './remains.ts';

/** Pauses before the attempts to start it again; the last one is that of every further attempt. */
const defaultPausesMs = [0, 500, 1000, 2000, 4000, 8000, 15_000, 30_000] as const;
/** Once it ran this long, the next end is a new matter. */
const steadyAfterMs = 60_000;
/** Crash recovery replays at most `max_wal_size`. */
const startWithinMs = 120_000;
const logSizeMax = 5 * 1024 * 1024;

export interface SupervisorOptions {
  readonly cluster: string;
  readonly account: Account | null;
  readonly binaries: Binaries;
  /** PostgreSQL's parameters; the socket's directory is added. */
  readonly settings: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly log: Log;
  readonly pausesMs?: readonly number[];
}

interface Postmaster {
  readonly pid: number;
  readonly isRunning: () => boolean;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Where its own lines begin in the log file. */
  readonly logFrom: number;
}

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #stop = new AbortController();
  #postmaster: Postmaster | undefined;
  #socketDir = '';
  #watching: Promise<void> = Promise.resolve();
  /** The last resort; a synchronous one, because nothing else runs any more at that time. */
  readonly #atExit = () => {
    const postmaster = this.#postmaster;
    // Immediate shutdown: it ends at once and recovers at the next start; a fast one could outlive the machine's patience.
    if (postmaster?.isRunning()) process.kill(postmaster.pid, 'SIGQUIT');
  };

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** The same for as long as this supervisor lives. */
  get socketDir(): string {
    return this.#socketDir;
  }

  /** Resolves once connections are accepted. Throws a StartError with PostgreSQL's own reason, leaving nothing running. */
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
    this.#watching = this.#watch();
  }

  /** From here on an end of PostgreSQL is expected, and it is not started again. */
  leave(): void {
    this.#stop.abort();
  }

  async stop(): Promise<void> {
    this.leave();
    await this.#watching;
    const postmaster = this.#postmaster;
    if (postmaster?.isRunning()) await stopPostmaster(postmaster.pid);
    await postmaster?.ended;
    await endProcessesIn(this.#options.cluster, backendsLeaveWithinMs);
    process.off('exit', this.#atExit);
    if (this.#socketDir !== '') rmSync(this.#socketDir, { recursive: true, force: true });
  }

  /** Starts a postmaster and waits until it serves; one that does not is stopped again. */
  async #launch(): Promise<void> {
    const { cluster, account } = this.#options;
    this.#socketDir = makeSocketDir(cluster, account);
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
    const { binaries, cluster, account, settings, logFile, log } = this.#options;
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
          // Its own process group: Ctrl-C reaches us alone, and we stop it after the last answer.
          detached: true,
          ...account,
        },
      );
    } finally {
      closeSync(output);
    }
    // What could not be spawned has no pid, and a signal to pid -1 would go to every process of this user.
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

  async #watch(): Promise<void> {
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

  /** The number of attempts made when one succeeded; null when we are leaving. */
  async #restart(attemptsMade: number): Promise<number | null> {
    const { cluster, log, logFile, pausesMs = defaultPausesMs } = this.#options;
    const pauseMs = (attempt: number) => pausesMs[attempt] ?? pausesMs.at(-1);
    const { signal } = this.#stop;
    for (let attempt = attemptsMade; ; attempt += 1) {
      await sleep(pauseMs(attempt), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return null;
      try {
        await clearRemains(cluster, log);
        if (signal.aborted) return null;
        await this.#launch();
        log.warn({ attempt: attempt + 1 }, 'PostgreSQL runs again');
        return attempt + 1;
      } catch (error) {
        if (signal.aborted) return null;
        const level = attempt + 1 < pausesMs.length ? 'error' : 'fatal';
        log[level](
          { err: error, attempt: attempt + 1, nextInMs: pauseMs(attempt + 1), logFile },
          'PostgreSQL could not be started again: mend what its log says',
        );
      }
    }
  }

  /** In this postmaster's own words why it gave up: its last fatal line, else its last ones. */
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

/** Resolves once a connection succeeds; throws when the postmaster ends, refuses, does not come up in time, or is not wanted any more. */
async function acceptsConnections(
  socketDir: string,
  isRunning: () => boolean,
  leaving: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + startWithinMs;
  for (;;) {
    // A long recovery would outlive everybody's patience with the stop.
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
