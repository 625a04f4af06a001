/**
 * Fulcrum as an operator runs it: a separate process with an embedded PostgreSQL in a throw-away data directory, which a
 * test may kill in any way. The end of a test ends exactly the processes that it started.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { childEnv } from './child-env.ts';
import { testLanes } from './lanes.ts';

const serverProgram = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface Installation {
  readonly dataDir: string;
  /** Starts a program on the data directory; by default `main.ts`. */
  run(options?: RunOptions): ServerProcess;
  /** Processes that stand in the cluster: postmaster and backends, also of an earlier run. */
  postgresPids(): number[];
  /** Pid in PostgreSQL's lock file; null when there is none. */
  postmaster(): number | null;
  /** Ends what is left and removes the data directory. */
  dispose(): Promise<void>;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Program and arguments. */
  readonly command?: readonly [string, ...string[]];
  readonly cwd?: string;
  /** A process group of its own, so that a signal to the child alone shows what it does with its children. */
  readonly detached?: boolean;
}

export interface ServerProcess {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  readonly printed: { out: string; err: string };
  /** Exit code, null when a signal ended it; once the output is closed as well. */
  readonly ended: Promise<number | null>;
  readonly isRunning: () => boolean;
  /** Resolves with the address that it prints; rejects with its output when it ends before. */
  ready(): Promise<string>;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** An ordinary user of this machine for a test that runs as root; null when it does not, or when there is none. */
export function ordinaryUser(): Account | null {
  if (process.getuid?.() !== 0) return null;
  for (const account of ['games', 'nobody']) {
    // passwd(5): name:password:uid:gid:…
    const entry = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .find(([name]) => name === account);
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  return null;
}

/** `account`: run as another user than this one, which only root can. */
export function makeInstallation(account?: Account): Installation {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'fulcrum-embedded-')));
  if (account) chownSync(dataDir, account.uid, account.gid);
  chmodSync(dataDir, 0o755);
  const started: ServerProcess[] = [];

  const postgresPids = () => {
    const cluster = join(dataDir, 'postgres');
    return readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number)
      .filter((pid) => standsIn(pid, cluster));
  };

  return {
    dataDir,
    run: ({ env = {}, command = [process.execPath, serverProgram], ...options } = {}) => {
      const [program, ...args] = command;
      const child = spawn(program, args, {
        ...options,
        ...account,
        env: {
          ...childEnv,
          HOME: tmpdir(),
          LOG_LEVEL: 'warn',
          PORT: '0',
          DATA_DIR: dataDir,
          DEMO: 'false',
          SIGNUP_BALANCE: '10000',
          ENGINE_LANES: String(testLanes),
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const server = follow(child);
      started.push(server);
      return server;
    },
    postgresPids,
    postmaster: () => {
      try {
        return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
      } catch {
        return null;
      }
    },
    dispose: async () => {
      for (const server of started) if (server.isRunning()) await server.end('SIGTERM');
      // A killed server's PostgreSQL: its cluster is about to go, so nothing needs to be saved.
      for (let round = 0; round < 100 && postgresPids().length > 0; round += 1) {
        for (const pid of postgresPids()) tryKill(pid, 'SIGKILL');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function follow(child: ChildProcessByStdio<null, Readable, Readable>): ServerProcess {
  const printed = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.err += text;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    process: child,
    printed,
    ended,
    isRunning,
    ready: () =>
      new Promise((resolve, reject) => {
        const readOutput = () => {
          const address = /ready: {2}(\S+)/.exec(printed.out)?.[1];
          if (address !== undefined) resolve(address);
        };
        child.stdout.on('data', readOutput);
        readOutput();
        ended.then((code) => reject(new Error(`ended with ${code}: ${printed.out}${printed.err}`)), reject);
      }),
    end: (signal) => {
      if (isRunning()) child.kill(signal);
      return ended;
    },
  };
}

function standsIn(pid: number, dir: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === dir;
  } catch {
    // Gone, a zombie, or not ours to look at.
    return false;
  }
}

/** For a process that may have ended meanwhile. */
export function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** For one of the accounts of that user, by a token of its own. */
export async function signedInTo(
  url: string,
  user: SupabaseClient,
  accountId: string,
): Promise<SupabaseClient> {
  const config = (await (await fetch(`${url}/config.json`)).json()) as { anonKey: string };
  const { data } = await user.rpc('account_token', { p_account_id: accountId }).throwOnError();
  return createClient(url, config.anonKey, { accessToken: async () => data.access_token });
}

/** A new trader at a server process; the session lives in the client, which never refreshes by itself. */
export async function signUpAt(url: string, name: string): Promise<SupabaseClient> {
  const config = (await (await fetch(`${url}/config.json`)).json()) as { anonKey: string };
  const client = createClient(url, config.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false, storageKey: name },
  });
  const { error } = await client.auth.signUp({
    email: `${name}@example.test`,
    password: 'correct-horse-battery-9',
    options: { data: { username: name, phone_number: '+12025550100' } },
  });
  if (error) throw error;
  return client;
}
