/**
 * Two PostgreSQL servers on loopback ports, made from the embedded programs: a primary, and a standby that follows it. A test kills,
 * freezes and promotes them as it likes. Durable, as an operator's are.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { locateBinaries } from '../../src/platform/database/embedded/binaries.ts';
import { initialise, programEnvironment } from '../../src/platform/database/embedded/cluster.ts';
import { findDatabaseOsUser } from '../../src/platform/database/embedded/os-user.ts';
import { findPostgresPids, waitUntil } from '../../src/platform/database/embedded/processes.ts';
import { testLog } from './database.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { tryKill } from './server-process.ts';

const host = '127.0.0.1';
export const pairDatabase = 'fulcrum';

export interface PostgresHost {
  /** `host:port` */
  readonly address: string;
  /** As the owner. */
  readonly url: string;
  /** Runs one statement as superuser. */
  query(text: string): Promise<Record<string, unknown>[]>;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** A frozen one answers nothing and closes nothing. */
  freeze(): void;
  thaw(): void;
}

export interface PostgresPair {
  readonly primary: PostgresHost;
  readonly standby: PostgresHost;
  /** Names both hosts, the primary first. */
  readonly url: string;
  dispose(): Promise<void>;
}

/** @param settings of both: a standby has to allow as many connections as its primary */
export async function startPostgresPair(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresPair> {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-pair-'));
  chmodSync(folder, 0o711);
  const osUser = findDatabaseOsUser(join(folder, 'none'));
  const binaries = locateBinaries(osUser);
  const of = (name: string): string => join(folder, name);
  await initialise(of('primary'), binaries, osUser, testLog);
  // A base backup, taken before the first start; the files keep their owner.
  execFileSync('cp', ['-a', of('primary'), of('standby')]);
  writeFileSync(join(of('standby'), 'standby.signal'), '');

  const createHost = async (name: string, more: Readonly<Record<string, string>>): Promise<PostgresHost> => {
    const port = await freePort();
    const url = `postgresql://postgres@${host}:${port}/${pairDatabase}`;
    let child: ChildProcess | null = null;
    const signal = (which: NodeJS.Signals) => {
      for (const pid of findPostgresPids(of(name))) tryKill(pid, which);
    };
    const query: PostgresHost['query'] = async (text) => {
      const client = new pg.Client({ host, port, user: 'postgres', database: 'postgres' });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(text)).rows;
      } finally {
        await client.end();
      }
    };
    return {
      address: `${host}:${port}`,
      url,
      query,
      async start() {
        const parameters = {
          port: String(port),
          listen_addresses: host,
          unix_socket_directories: '',
          ...more,
        };
        child = spawn(
          binaries.postgres,
          [
            '-D',
            of(name),
            ...Object.entries(parameters).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
          ],
          { cwd: of(name), env: programEnvironment(), stdio: 'ignore', ...osUser },
        );
        await eventually(() => query('select 1'));
      },
      async kill() {
        if (child === null || child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'exit');
        signal('SIGKILL');
        await ended;
        await waitUntil(() => findPostgresPids(of(name)).length === 0, 5_000);
      },
      freeze: () => signal('SIGSTOP'),
      thaw: () => signal('SIGCONT'),
    };
  };

  // The segments are for a standby that starts late or is away for a while.
  const primary = await createHost('primary', { wal_keep_size: '256MB', ...settings });
  const [, port] = primary.address.split(':');
  const standby = await createHost('standby', {
    ...settings,
    primary_conninfo: `host=${host} port=${port} user=postgres application_name=standby`,
  });
  await primary.start();
  await standby.start();
  await primary.query(`create database ${pairDatabase}`);
  return {
    primary,
    standby,
    url: `postgresql://postgres@${primary.address},${standby.address}/${pairDatabase}`,
    async dispose() {
      await Promise.all([primary.kill(), standby.kill()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
