import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { installFunctions, missingFunctions, readFunctions } from '../../src/platform/database/functions.ts';
import { type Database, openDatabase } from '../../src/platform/database/index.ts';
import { migrate, readMigrations } from '../../src/platform/database/migrations.ts';
import { createDatabase } from '../../src/platform/database/pool.ts';
import { createLog } from '../../src/platform/log/index.ts';
import {
  administer,
  type ClonedDatabase,
  cloneDatabase,
  createTestDatabase,
  type TestDatabase,
  testLog,
} from '../harness/index.ts';

describe('queries and transactions', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.close());

  const actions = async () =>
    (await db.query<{ action: string }>('select action from app.audit_log')).rows.map((r) => r.action);
  const insert = 'insert into app.audit_log (action) values ($1)';

  test('amounts arrive as text, instants as Date', async () => {
    const { rows } = await db.query(
      `select 12345678901234567890.12345678::numeric as amount, array[0.1, 0.2]::numeric[] as amounts,
              9007199254740993::int8 as count, array[9007199254740993]::int8[] as counts,
              date '2026-01-31' as day, timestamptz '2026-01-31 12:00:00+02' as instant`,
    );
    expect(rows).toEqual([
      {
        amount: '12345678901234567890.12345678',
        amounts: ['0.1', '0.2'],
        count: '9007199254740993',
        counts: ['9007199254740993'],
        day: '2026-01-31',
        instant: new Date('2026-01-31T10:00:00Z'),
      },
    ]);
  });

  test('A73: the deletion of an account finds all that refers to it by an index', async () => {
    // The engine commits it among everybody's trades, so it must not read whole tables.
    const { rows } = await db.query<{ reference: string }>(
      `select f.conrelid::regclass || '.' || a.attname as reference
       from pg_constraint f
       join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
       where f.contype = 'f' and f.confdeltype in ('c', 'n')
         and not exists (select from pg_index i where i.indrelid = f.conrelid and i.indkey[0] = f.conkey[1]
           and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname)))
       order by reference`,
    );
    expect(rows).toEqual([]);
  });

  test('a named statement is prepared once per connection', async () => {
    await db.transaction(async (tx) => {
      for (const n of [1, 2]) await tx.query('select $1::int as n', [n], 'test_named');
      const { rows } = await tx.query("select name from pg_prepared_statements where name = 'test_named'");
      expect(rows).toHaveLength(1);
    });
  });

  test('commits what resolves and rolls back what throws, giving the connection back', async () => {
    await db.transaction((tx) => tx.query(insert, ['committed']));
    const failed = db.transaction(async (tx) => {
      await tx.query(insert, ['rolled back']);
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(await actions()).toEqual(['committed']);
    expect(db.pool.idleCount).toBe(db.pool.totalCount);
  });

  test('a transaction whose failed statement was swallowed does not count as committed', async () => {
    const failed = db.transaction(async (tx) => {
      await tx.query(insert, ['swallowed']);
      await tx.query('select 1 / 0').catch(() => undefined);
    });
    await expect(failed).rejects.toThrow('the transaction was rolled back');
    expect(await actions()).not.toContain('swallowed');
  });

  test('a connection that breaks in a transaction is not used again', async () => {
    const failed = db.transaction(async (tx) => {
      const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      await db.asOwner('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await tx.query(insert, ['lost']);
    });
    await expect(failed).rejects.toThrow();
    expect(await db.query('select 1 as one')).toMatchObject({ rows: [{ one: 1 }] });
    expect(db.pool.idleCount).toBe(db.pool.totalCount);
  });
});

describe('a PostgreSQL that cannot be reached', () => {
  const away = () => {
    const db = createDatabase({ host: '/tmp/fulcrum-nowhere', user: 'nobody' }, testLog);
    return { db, done: () => db.close() };
  };

  test('makes queries and transactions busy, not faults', async () => {
    const { db, done } = away();
    await expect(db.query('select 1')).rejects.toMatchObject({ code: 'busy', status: 503 });
    await expect(db.transaction(async () => 1)).rejects.toMatchObject({ code: 'busy', status: 503 });
    await done();
  });

  test('a pool whose connections are all taken for too long is busy', async () => {
    const shared = await createTestDatabase();
    const db = createDatabase(
      { connectionString: shared.url, max: 1, connectionTimeoutMillis: 1_000 },
      testLog,
    );
    await db.transaction(async () => {
      await expect(db.query('select 1')).rejects.toMatchObject({ code: 'busy' });
    });
    await db.close();
    await shared.close();
  });

  test('a connection lost in a transaction makes it busy; an error of the work itself stays what it is', async () => {
    const db = await createTestDatabase();
    const lost = db.transaction(async (tx) => {
      const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      await db.asOwner('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await tx.query('select 1');
    });
    await expect(lost).rejects.toMatchObject({ code: 'busy' });
    const fileGone = Object.assign(new Error('no such file'), { code: 'ENOENT' });
    await expect(db.transaction(() => Promise.reject(fileGone))).rejects.toBe(fileGone);
    await expect(db.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
    await db.close();
  });

  test('ENG-6: an outage is one line in the log, although the health check has its own connection', async () => {
    const shared = await cloneDatabase();
    const between = await openWayTo(inject('postgresSocketDir'));
    const lines: string[] = [];
    const log = createLog({ logLevel: 'warn' }, { write: (line: string) => void lines.push(line) });
    const databaseUrl = shared.url.replace(/host=.*$/, `host=${encodeURIComponent(between.dir)}`);
    const db = await openDatabase({ databaseUrl, dataDir: '' }, log);
    await Promise.all([db.query('select 1'), db.probeConnection.query('select 1')]);
    between.close();
    for (let i = 0; i < 2; i += 1) {
      await expect(db.query('select 1')).rejects.toMatchObject({ code: 'busy' });
      await expect(db.probeConnection.query('select 1')).rejects.toMatchObject({ code: 'busy' });
    }
    await db.close();
    await shared.drop();
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages.filter((message) => message === 'the database cannot be reached')).toHaveLength(1);
  });

  /** A socket through which a PostgreSQL is reached until it is closed. */
  async function openWayTo(socketDir: string) {
    const dir = mkdtempSync(join(tmpdir(), 'fulcrum-way-'));
    const sockets = new Set<Socket>();
    const way = createServer((from) => {
      const to = connect(join(socketDir, '.s.PGSQL.5432'));
      for (const socket of [from, to]) sockets.add(socket.on('error', () => undefined));
      from.pipe(to).pipe(from);
    });
    await new Promise<void>((resolve) => way.listen(join(dir, '.s.PGSQL.5432'), resolve));
    const close = () => {
      way.close();
      for (const socket of sockets) socket.destroy();
      rmSync(dir, { recursive: true });
    };
    return { dir, close };
  }

  test('a close does not wait for ever for what holds a connection', async () => {
    const db = await createTestDatabase();
    const stuck = db.query('select pg_sleep(60)');
    const failed = expect(stuck).rejects.toMatchObject({ code: 'busy' });
    await db.query('select 1');
    await db.close();
    await failed;
  });
});

describe('migrations', () => {
  let empty: ClonedDatabase;
  let client: pg.Client;
  let dir: string;
  beforeEach(async () => {
    empty = await cloneDatabase('template0');
    client = new pg.Client({ connectionString: empty.url });
    await client.connect();
    dir = mkdtempSync(join(tmpdir(), 'fulcrum-migrations-'));
    write('0001_first.sql', 'create table first (id int);');
  });
  afterEach(async () => {
    await client.end();
    await empty.drop();
    rmSync(dir, { recursive: true });
  });

  const write = (name: string, sql: string) => writeFileSync(join(dir, name), sql);
  const run = () => migrate(client, readMigrations(pathToFileURL(`${dir}/`)), testLog);
  const tables = async () =>
    (await client.query("select tablename from pg_tables where schemaname = 'public' order by 1")).rows.map(
      (r) => r.tablename,
    );

  test('apply each file once and only the new one later', async () => {
    await run();
    await run();
    write('0002_second.sql', 'create table second (id int);');
    await run();
    expect(await tables()).toEqual(['first', 'second']);
  });

  test('two starts at once apply each file once', async () => {
    const other = new pg.Client({ connectionString: empty.url });
    await other.connect();
    const migrations = readMigrations();
    await Promise.all([migrate(client, migrations, testLog), migrate(other, migrations, testLog)]);
    const { rows } = await client.query('select name from meta.schema_migrations order by name');
    expect(rows.map((row) => row.name)).toEqual(migrations.map(({ name }) => name));
    await other.end();
  });

  test('an applied file that was edited stops the start', async () => {
    await run();
    write('0001_first.sql', 'create table first (id bigint);');
    await expect(run()).rejects.toThrow(
      'migration 0001_first.sql was changed after this database applied it; restore the file',
    );
  });

  test('a failing file leaves nothing of itself and is named', async () => {
    write('0002_second.sql', 'create table second (id int); select 1 / 0;');
    await expect(run()).rejects.toThrow('migration 0002_second.sql failed: division by zero');
    expect(await tables()).toEqual(['first']);
  });

  test('a database of a newer program is refused', async () => {
    write('0002_second.sql', 'create table second (id int);');
    await run();
    rmSync(join(dir, '0002_second.sql'));
    await expect(run()).rejects.toThrow(
      'the database has migration 0002_second.sql, which this version of Fulcrum does not know',
    );
  });

  test('two files with one number are refused', () => {
    write('0001_other.sql', '');
    expect(() => readMigrations(pathToFileURL(`${dir}/`))).toThrow('two migrations have the number 0001');
  });
});

describe('SQL functions', () => {
  let empty: ClonedDatabase;
  let client: pg.Client;
  let dir: string;
  beforeEach(async () => {
    empty = await cloneDatabase('template0');
    client = new pg.Client({ connectionString: empty.url });
    await client.connect();
    await client.query('create schema app');
    dir = mkdtempSync(join(tmpdir(), 'fulcrum-functions-'));
    write('one_v1.sql', returning('one_v1', 1));
  });
  afterEach(async () => {
    await client.end();
    await empty.drop();
    rmSync(dir, { recursive: true });
  });

  const returning = (name: string, value: number) =>
    `create type app.${name}_row as (n int); create function app.${name}() returns int language sql as 'select ${value}';`;
  const write = (name: string, sql: string) => writeFileSync(join(dir, name), sql);
  const read = () => readFunctions(pathToFileURL(`${dir}/`));
  const install = () => installFunctions(client, read(), testLog);
  const call = async (name: string) => (await client.query(`select app.${name}() as n`)).rows[0].n;
  const missing = async () => (await missingFunctions(client, read())).map(({ name }) => name);

  test('a start installs the missing ones, once, and leaves former versions', async () => {
    expect(await missing()).toEqual(['one_v1.sql']);
    await install();
    write('one_v2.sql', returning('one_v2', 2));
    expect(await missing()).toEqual(['one_v2.sql']);
    await install();
    await install();
    expect(await missing()).toEqual([]);
    expect([await call('one_v1'), await call('one_v2')]).toEqual([1, 2]);
  });

  test('an installed file that was edited stops the start', async () => {
    await install();
    write('one_v1.sql', returning('one_v1', 3));
    await expect(install()).rejects.toThrow(
      'function one_v1.sql was changed after this database installed it; restore the file, and make a new version of it',
    );
    expect(await call('one_v1')).toBe(1);
  });

  test('a function that lost its checksum stops the start with the statement that repairs it', async () => {
    await install();
    await client.query('comment on function app.one_v1 is null');
    const error = await install().catch((e: Error) => e);
    const [file] = read();
    const repair = `comment on function app.one_v1 is '${file?.checksum}'`;
    expect(error).toMatchObject({
      message:
        'function one_v1.sql has no checksum in this database, as after a restore without comments; ' +
        `if the function itself is as it was installed, run as its owner: ${repair}`,
    });
    await client.query(repair);
    await install();
    expect(await missing()).toEqual([]);
  });

  test('a failing file leaves nothing of itself and is named', async () => {
    write('one_v2.sql', `${returning('one_v2', 2)} select 1 / 0;`);
    await expect(install()).rejects.toThrow('function one_v2.sql failed: division by zero');
    expect(await missing()).toEqual(['one_v2.sql']);
    const { rows } = await client.query(`select to_regtype('app.one_v2_row') as type`);
    expect(rows).toEqual([{ type: null }]);
  });

  test('a file that does not create the function of its name is refused', async () => {
    write('two_v1.sql', returning('other_v1', 2));
    await expect(install()).rejects.toThrow('function two_v1.sql failed');
    expect(await missing()).toEqual(['two_v1.sql']);
  });
});

describe('DATABASE_URL', () => {
  let empty: ClonedDatabase;
  const opened: Database[] = [];
  beforeEach(async () => {
    empty = await cloneDatabase('template0');
  });
  afterEach(async () => {
    for (const db of opened.splice(0)) await db.close();
    await empty.drop();
  });

  const open = async (databaseUrl: string) => {
    const db = await openDatabase({ databaseUrl, dataDir: '/nonexistent' }, testLog);
    opened.push(db);
    return db;
  };
  const urlOf = (role: string) => empty.url.replace('//postgres@', `//${role}@`);

  test('an empty database is migrated and then used as the restricted role', async () => {
    const db = await open(empty.url);
    const { rows } = await db.query('select current_user::text as role, session_user::text as login');
    expect(rows).toEqual([{ role: 'fulcrum_app', login: 'postgres' }]);
    await expect(db.query('delete from app.ledger_entries')).rejects.toMatchObject({ code: '42501' });
    await expect(db.query('create table app.mine (id int)')).rejects.toMatchObject({ code: '42501' });
  });

  test('start-up options of the address are retained', async () => {
    const db = await open(`${empty.url}&options=${encodeURIComponent('-c work_mem=7MB')}`);
    const { rows } = await db.query(
      "select current_user::text as role, current_setting('work_mem') as work_mem",
    );
    expect(rows).toEqual([{ role: 'fulcrum_app', work_mem: '7MB' }]);
  });

  test('an owner without superuser rights can serve once it may switch to the restricted role', async () => {
    const owner = `owner_${empty.name}`;
    await administer(`create role ${owner} login`);
    await administer(`alter database ${empty.name} owner to ${owner}`);
    await expect(open(urlOf(owner))).rejects.toMatchObject({
      name: 'StartError',
      message: `the role of DATABASE_URL may not prepare itself; let an administrator run: grant fulcrum_app to "${owner}";`,
    });
    await administer(`grant fulcrum_app to "${owner}"`);
    const db = await open(urlOf(owner));
    expect((await db.query('select current_user::text as role')).rows).toEqual([{ role: 'fulcrum_app' }]);
    await expect(db.query('truncate app.audit_log')).rejects.toMatchObject({ code: '42501' });
    await opened.pop()?.close();
    await empty.drop();
    await administer(`drop role ${owner}`);
  });

  test('an unreachable database is one clear line', async () => {
    await expect(open('postgresql://nobody@/none?host=/tmp/fulcrum-nowhere')).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/^cannot connect to the database: .*ENOENT/),
    });
  });
});
