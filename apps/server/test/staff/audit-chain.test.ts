/** The chain over the audit log: what the owner of the database does to a row is found, wherever it is done. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseHead, verifyAuditChain } from '../../src/features/audit/index.ts';
import { migrate, readMigrations } from '../../src/platform/database/migrations.ts';
import { type ClonedDatabase, cloneDatabase, testLog } from '../harness/index.ts';

/** As the owner, who may do anything. */
async function connect({ url }: ClonedDatabase) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

const verdictOf = (client: pg.Client, noted?: string) =>
  verifyAuditChain(
    {
      query: async <Row>(text: string, values: readonly unknown[] = []) => {
        const { rows, rowCount } = await client.query(text, [...values]);
        return { rows: rows as Row[], rowCount: rowCount ?? 0 };
      },
    },
    noted === undefined ? null : parseHead(noted),
  );

const write = (client: pg.Client, action: string) =>
  client.query(
    `insert into app.audit_log (actor_id, on_behalf_of, subject_id, action, object_id, reason, request_id, detail)
     values (gen_random_uuid(), null, gen_random_uuid(), $1, gen_random_uuid(), E'a "reason"\\n\\\\ – ☃', 'r', '{"b": 1.50, "a": [null]}')`,
    [action],
  );

describe('a chain of six rows', () => {
  let database: ClonedDatabase;
  let client: pg.Client;
  const tables = ['audit_log', 'audit_chain', 'audit_head'];
  beforeAll(async () => {
    database = await cloneDatabase();
    client = await connect(database);
    for (const action of ['one', 'two', 'three', 'four', 'five', 'six']) await write(client, action);
    await client.query('create schema kept');
    for (const table of tables) await client.query(`create table kept.${table} as table app.${table}`);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });
  /** Past every trigger, as the owner may. */
  const tamper = async (statement: string) => {
    await client.query('set session_replication_role = replica');
    try {
      await client.query(statement);
    } finally {
      await client.query('set session_replication_role = origin');
    }
  };
  afterEach(async () => {
    for (const table of tables) {
      await tamper(
        `delete from app.${table}; insert into app.${table} overriding system value table kept.${table}`,
      );
    }
  });
  const fault = async () => (await verdictOf(client)).fault;

  test('is valid, and reports its head', async () => {
    const { links, head, fault } = await verdictOf(client);
    expect({ links, seq: head.seq, fault }).toEqual({ links: 6, seq: 6, fault: null });
    expect(head.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('contains the rows of one transaction, and none of one that was rolled back', async () => {
    await client.query('begin');
    await write(client, 'seven');
    await write(client, 'eight');
    await client.query('commit');
    await client.query('begin');
    await write(client, 'never');
    await client.query('rollback');
    expect(await verdictOf(client)).toMatchObject({ links: 8, fault: null });
  });

  test.each([
    ['reason', `'another'`],
    ['actor_id', 'null'],
    ['on_behalf_of', 'subject_id'],
    ['subject_id', 'actor_id'],
    ['object_id', 'null'],
    ['action', `'else'`],
    ['request_id', 'null'],
    ['detail', `'{}'`],
    ['at', `at + interval '1 microsecond'`],
  ])('whose row has another %s is broken there', async (column, value) => {
    await tamper(`update app.audit_log set ${column} = ${value} where action = 'three'`);
    expect(await fault()).toMatch(/^link 3: row \d+ is not what it was/);
  });

  test('without one of its rows is broken there, with or without its link', async () => {
    await tamper(`delete from app.audit_log where action = 'four'`);
    expect(await fault()).toMatch(/^link 4: row \d+ was taken out/);
    await tamper('delete from app.audit_chain where seq = 4');
    expect(await fault()).toBe('link 4 is missing');
    await tamper('update app.audit_chain set seq = seq - 1 where seq > 4');
    expect(await fault()).toMatch(/^link 4: row \d+ is not what it was, or not in its place/);
  });

  test('without its end is detected by the head', async () => {
    await tamper(`delete from app.audit_log where action = 'six'`);
    await tamper('delete from app.audit_chain where seq = 6');
    expect(await fault()).toMatch(/^the chain ends at link 5, but the head is 6:/);
  });

  test('with an inserted row names that row', async () => {
    await tamper(`insert into app.audit_log (id, action) overriding system value values (1000, 'put in')`);
    expect(await fault()).toBe('row 1000 was put in: no link leads to it');
  });

  test('with two rows in each other’s place is broken at the first', async () => {
    await tamper('update app.audit_chain set audit_id = -audit_id where seq in (2, 3)');
    await tamper(`
      update app.audit_chain c set audit_id = k.audit_id from kept.audit_chain k
      where c.audit_id < 0 and k.seq = 5 - c.seq`);
    expect(await fault()).toMatch(/^link 2: .*not in its place/);
  });

  test('that was rewritten as a whole is detected by a head that was noted before', async () => {
    const { head } = await verdictOf(client);
    const noted = `${head.seq}:${head.hash}`;
    await write(client, 'seven');
    expect((await verdictOf(client, noted)).fault).toBeNull();
    expect((await verdictOf(client, `8:${head.hash}`)).fault).toMatch(/it is shorter/);

    await tamper(`update app.audit_log set reason = 'another' where action = 'three'`);
    await tamper(`
      delete from app.audit_chain; update app.audit_head set seq = 0, hash = sha256('fulcrum');
      do $$ declare a app.audit_log; h app.audit_head; begin
        for a in select * from app.audit_log order by id loop
          select * into h from app.audit_head;
          insert into app.audit_chain values (h.seq + 1, a.id, app.audit_link(h.hash, a));
          update app.audit_head set seq = seq + 1, hash = app.audit_link(h.hash, a);
        end loop;
      end $$`);
    expect((await verdictOf(client)).fault).toBeNull();
    expect((await verdictOf(client, noted)).fault).toMatch(/^the noted head is not in the chain: link 6/);
  });

  test('cannot be written by the application’s role', async () => {
    await client.query('set role fulcrum_app');
    await write(client, 'of the application');
    for (const statement of [
      `insert into app.audit_chain (seq, audit_id, hash) values (99, 99, sha256('x'))`,
      'delete from app.audit_chain',
      `update app.audit_head set seq = 0`,
      `update app.audit_log set reason = 'another'`,
    ]) {
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    }
    await client.query('reset role');
    await expect(client.query('update app.audit_chain set seq = seq + 100')).rejects.toThrow(/append-only/i);
    expect(await verdictOf(client)).toMatchObject({ links: 7, fault: null });
  });

  test('serialises concurrent writers', async () => {
    const writers = await Promise.all(Array.from({ length: 6 }, () => connect(database)));
    await Promise.all(
      writers.map(async (writer, n) => {
        for (let i = 0; i < 20; i += 1) await write(writer, `writer ${n}`);
        await writer.end();
      }),
    );
    expect(await verdictOf(client)).toMatchObject({ links: 126, fault: null });
  });
});

test('a database from before there was a chain gets one over all that it has', async () => {
  const database = await cloneDatabase('template0');
  const client = await connect(database);
  try {
    const all = readMigrations();
    const chained = all.findIndex(({ name }) => name.startsWith('0015'));
    await migrate(client, all.slice(0, chained), testLog);
    await client.query(
      `insert into app.audit_log (action, reason) select 'old', 'n ' || n from generate_series(1, 50) n`,
    );
    await migrate(client, all, testLog);
    await write(client, 'new');
    expect(await verdictOf(client)).toMatchObject({ links: 51, fault: null });
  } finally {
    await client.end();
    await database.drop();
  }
});

test('a head is read back from how it is printed', () => {
  const hash = 'ab'.repeat(32);
  expect(parseHead(` 12:${hash}\n`)).toEqual({ seq: 12, hash });
  expect([`12:${hash}0`, `x:${hash}`, '12', ''].map(parseHead)).toEqual([null, null, null, null]);
});
