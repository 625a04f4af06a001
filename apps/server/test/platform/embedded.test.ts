import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { locateBinaries } from '../../src/platform/database/embedded/binaries.ts';
import { initialise } from '../../src/platform/database/embedded/cluster.ts';
import { startEmbedded } from '../../src/platform/database/embedded/index.ts';
import { findDatabaseOsUser } from '../../src/platform/database/embedded/os-user.ts';
import { runningProcess } from '../../src/platform/database/embedded/processes.ts';
import { type Database, openDatabase, withDatabase } from '../../src/platform/database/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { childEnv } from '../harness/child-env.ts';
import { testLog } from '../harness/index.ts';

const program = fileURLToPath(new URL('../harness/embedded-server.ts', import.meta.url));

/** Sends the signal unless the process has ended, and waits for its end. */
function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.removeAllListeners('exit').once('exit', () => resolve());
    child.kill(signal);
  });
}

describe('the embedded PostgreSQL', () => {
  let dataDir: string;
  /** A directory with a fresh, stopped cluster, to start from without making one each time. */
  let prepared: string;
  const open: Database[] = [];
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    prepared = mkdtempSync(join(tmpdir(), 'fulcrum-embedded-'));
    const db = await openDatabase({ databaseUrl: null, dataDir: prepared }, testLog);
    await db.close();
  });
  afterAll(() => rmSync(prepared, { recursive: true, force: true }));
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-embedded-'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) await ended(child, 'SIGTERM');
    for (const db of open.splice(0)) await db.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  // Keeps the owner, which fs.cpSync does not.
  const usePrepared = () => execFileSync('cp', ['-a', join(prepared, 'postgres'), dataDir]);
  const start = async () => {
    const db = await openDatabase({ databaseUrl: null, dataDir }, testLog);
    open.push(db);
    return db;
  };
  const stop = async (db: Database) => {
    open.splice(open.indexOf(db), 1);
    await db.close();
  };

  /** Starts the writing process, lets it commit for a moment and returns it with the last number it acknowledged. */
  const startWriter = async (rows: number) => {
    usePrepared();
    const child = spawn(process.execPath, [program, dataDir], {
      env: { ...process.env, ...childEnv },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    let acknowledged = 0;
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the writer ended with ${code}`)));
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        acknowledged = Number(text.trimEnd().split('\n').at(-1));
        if (acknowledged >= rows) resolve();
      });
    });
    return { child, acknowledged: () => acknowledged };
  };
  const postmaster = () =>
    Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  const acknowledgedRows = async (db: Database) => {
    const { rows } = await db.query<{ last: number }>(
      "select max((detail->>'n')::int) as last from app.audit_log where action = 'acknowledged'",
    );
    return rows[0]?.last ?? 0;
  };
  const processesOfCluster = () =>
    readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === join(dataDir, 'postgres');
      } catch {
        return false;
      }
    });

  test('starts empty in UTF-8 and UTC, stores its rows, and leaves no process and no socket behind', async () => {
    const first = await start();
    const { rows } = await first.query(
      `select current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone,
              current_setting('synchronous_commit') as synchronous_commit, current_setting('listen_addresses') as tcp,
              (select datcollate from pg_database where datname = current_database()) as collate`,
    );
    expect(rows).toEqual([
      { encoding: 'UTF8', zone: 'UTC', synchronous_commit: 'on', tcp: '', collate: 'C' },
    ]);
    await first.query("insert into app.audit_log (action) values ('kept')");
    const socketDir = first.pool.options.host as string;
    await stop(first);
    expect(processesOfCluster()).toEqual([]);
    expect(existsSync(socketDir)).toBe(false);

    const second = await start();
    const stored = await second.query("select from app.audit_log where action = 'kept'");
    expect(stored.rowCount).toBe(1);
  });

  const logSettings = async (db: Database) => {
    const { rows } = await db.query(
      `select current_setting('wal_segment_size') as segment, current_setting('wal_init_zero') as zeroed,
              current_setting('min_wal_size') as retained, current_setting('max_wal_size') as most`,
    );
    return rows[0];
  };

  test('ENG-7: a new cluster logs in segments of 1 MB, which hold no commit up', async () => {
    expect(await logSettings(await start())).toEqual({
      ...{ segment: '1MB', zeroed: 'on', retained: '256MB', most: '2GB' },
    });
  });

  test('ENG-7: a cluster with segments of 16 MB is served on, and a new one is not zeroed inside a commit', async () => {
    const cluster = join(dataDir, 'postgres');
    const account = findDatabaseOsUser(cluster);
    chmodSync(dataDir, 0o755);
    await initialise(cluster, locateBinaries(account), account, testLog, 16);
    const first = await start();
    const settings = { segment: '16MB', zeroed: 'off', retained: '512MB', most: '2GB' };
    expect(await logSettings(first)).toEqual(settings);
    await first.query("insert into app.audit_log (action) values ('kept')");
    await stop(first);

    const second = await start();
    expect(await logSettings(second)).toEqual(settings);
    const stored = await second.query("select from app.audit_log where action = 'kept'");
    expect(stored.rowCount).toBe(1);
  });

  test('a second start on the same directory fails with one clear line and does not disturb the first', async () => {
    const { child, acknowledged } = await startWriter(1);
    await expect(start()).rejects.toMatchObject({
      name: 'StartError',
      message: `the data directory ${dataDir} is in use by process ${child.pid}; stop it or set DATA_DIR`,
    });
    const before = acknowledged();
    await expect.poll(acknowledged).toBeGreaterThan(before);
  });

  test('SIGTERM to the server stops PostgreSQL as well', async () => {
    const { child } = await startWriter(1);
    await ended(child, 'SIGTERM');
    expect(child.exitCode).toBe(0);
    expect(processesOfCluster()).toEqual([]);
  });

  test('kill -9 of the server: the orphan is stopped and every acknowledged row is there', async () => {
    const { child, acknowledged } = await startWriter(200);
    await ended(child, 'SIGKILL');
    const orphan = postmaster();
    const socketDir = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[4]!;
    expect(runningProcess(orphan)).not.toBeNull();
    expect(existsSync(socketDir)).toBe(true);
    const db = await start();
    expect(runningProcess(orphan)).toBeNull();
    expect(existsSync(socketDir)).toBe(false);
    expect(await acknowledgedRows(db)).toBeGreaterThanOrEqual(acknowledged());
  });

  test('kill -9 of the server and of PostgreSQL: it recovers and every acknowledged row is there', async () => {
    const { child, acknowledged } = await startWriter(200);
    process.kill(postmaster(), 'SIGKILL');
    await ended(child, 'SIGKILL');
    const db = await start();
    expect(await acknowledgedRows(db)).toBeGreaterThanOrEqual(acknowledged());
  });

  test('a lock whose pid now belongs to another program is not taken for a live server', async () => {
    await stop(await start());
    writeFileSync(
      join(dataDir, 'postgres/postmaster.pid'),
      `${process.pid}\n${dataDir}/postgres\n0\n5432\n\n\n`,
    );
    const db = await start();
    expect((await db.query('select 1')).rowCount).toBe(1);
  });

  test('a lock whose pid is only a zombie any more is not taken for a live server', async () => {
    usePrepared();
    // The child ends after the shell became another program, which never waits for it. Ended earlier, the shell could reap it.
    const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(parent);
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.setEncoding('utf8').once('data', (text: string) => resolve(Number(text)));
    });
    const state = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.slice(0, 1);
    await expect.poll(state).toBe('Z');
    writeFileSync(join(dataDir, 'postgres/postmaster.pid'), `${pid}\n${dataDir}/postgres\n0\n5432\n\n\n`);
    const db = await start();
    expect((await db.query('select 1')).rowCount).toBe(1);
  });

  test('an interrupted creation leaves nothing that fails a later start', async () => {
    const half = join(dataDir, 'postgres.new-1');
    mkdirSync(half);
    writeFileSync(join(half, 'PG_VERSION'), '18\n');
    await start();
    expect(existsSync(half)).toBe(false);
  });

  test('a tool works beside the running server, and without one on a PostgreSQL of its own', async () => {
    const location = { databaseUrl: null, dataDir };
    const backendOf = (client: pg.Client) =>
      client.query<{ socket: string; user: string; tables: string }>(
        `select current_setting('unix_socket_directories') as socket, current_user as user,
                (select count(*) from app.audit_log) as tables`,
      );
    const alone = await withDatabase(location, testLog, backendOf);
    expect(alone.rows[0]).toMatchObject({ user: 'postgres' });
    expect(processesOfCluster()).toEqual([]);
    expect(existsSync(join(dataDir, 'postgres.owner'))).toBe(false);

    const { child, acknowledged } = await startWriter(1);
    const beside = await withDatabase(location, testLog, backendOf);
    expect(beside.rows[0]).toMatchObject({ user: 'postgres' });
    const before = acknowledged();
    await expect.poll(acknowledged).toBeGreaterThan(before);

    // What fails in the work is the caller's, and the client is closed all the same.
    await expect(withDatabase(location, testLog, () => Promise.reject(new Error('mine')))).rejects.toThrow(
      'mine',
    );
    await ended(child, 'SIGKILL');
    const after = await withDatabase(location, testLog, backendOf);
    expect(Number(after.rows[0]!.tables)).toBeGreaterThanOrEqual(before);
    expect(processesOfCluster()).toEqual([]);
  });

  test('a tool refuses to work on the schema of a running server that is older', async () => {
    await startWriter(1);
    const location = { databaseUrl: null, dataDir };
    const forget =
      'delete from meta.schema_migrations where name = (select max(name) from meta.schema_migrations)';
    await withDatabase(location, testLog, (client) => client.query(forget));
    await expect(withDatabase(location, testLog, async () => 1)).rejects.toThrow(
      /of an older version: its schema lacks \d{4}_.*\.sql/,
    );
    expect(await withDatabase(location, testLog, async () => 1, { schema: 'untouched' })).toBe(1);
  });

  test('a PostgreSQL that cannot be started is retried until it can, and the log has the reason meanwhile', async () => {
    usePrepared();
    const lines: string[] = [];
    const log = createLog({ logLevel: 'warn' }, { write: (line: string) => void lines.push(line) });
    const failures = () => lines.filter((line) => line.includes('could not be started again'));
    const postgres = await startEmbedded({ dir: dataDir, log, restartPausesMs: [0, 10, 20] });
    const control = join(dataDir, 'postgres/global/pg_control');
    const first = postmaster();
    renameSync(control, `${control}.gone`);
    process.kill(first, 'SIGKILL');
    // More often than there are stated pauses: the last of them goes on.
    await expect.poll(() => failures().length).toBeGreaterThan(4);
    expect(
      failures()
        .map((line) => (JSON.parse(line) as { level: string }).level)
        .slice(0, 4),
    ).toEqual(['error', 'error', 'fatal', 'fatal']);
    expect(lines.join('')).not.toContain('PostgreSQL runs again');

    renameSync(`${control}.gone`, control);
    await expect.poll(() => lines.join('')).toContain('PostgreSQL runs again');
    expect(postmaster()).not.toBe(first);
    await postgres.stop();
    expect(processesOfCluster()).toEqual([]);
  });

  test('a stop does not wait for a PostgreSQL that is in the middle of a long recovery', async () => {
    usePrepared();
    const postgres = await startEmbedded({
      dir: dataDir,
      log: testLog,
      settings: { restore_command: 'sleep 300' },
      restartPausesMs: [0],
    });
    const first = postmaster();
    const recovery = join(dataDir, 'postgres/recovery.signal');
    writeFileSync(recovery, '');
    chmodSync(recovery, 0o666);
    process.kill(first, 'SIGKILL');
    const isRecovering = () =>
      existsSync(join(dataDir, 'postgres/postmaster.pid')) &&
      postmaster() !== first &&
      processesOfCluster().length > 1;
    await expect.poll(isRecovering).toBe(true);
    await postgres.stop();
    expect(processesOfCluster()).toEqual([]);
  });

  test('a cluster of another major version is refused with a clear error', async () => {
    usePrepared();
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow(/was made by PostgreSQL 17 and this is PostgreSQL 18/);
  });
});
