/** Threat: one user sends many slow requests at once, and holds the connections that all others need. */
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { server, shareRestServer, type UserName } from './rest-server.ts';

const requestCount = 30;
const note = '00000000-0000-4000-8000-000000000999';

shareRestServer({ writes: { 'orders.update': async (_caller, ids) => ids } });

/** Whatever reads or writes `table` lasts until `meanwhile` is over. */
async function whileHeld(table: string, meanwhile: () => Promise<void>): Promise<void> {
  const owner = new pg.Client({ connectionString: server.db.url });
  await owner.connect();
  try {
    await owner.query('begin');
    await owner.query(`lock table app.${table} in access exclusive mode`);
    await meanwhile();
  } finally {
    await owner.end();
  }
}

/** Resolves once so many statements wait for the held table. */
async function whenWaiting(statements: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await server.db.query<{ waiting: number }>(
          `select count(*)::int as waiting from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows[0]?.waiting;
      },
      { timeout: 20_000 },
    )
    .toBe(statements);
}

const body = (method: string, values: object) => ({ method, body: JSON.stringify(values) });
const waiting = 'status=eq.NEW';
const requests: readonly [string, table: string, path: string, init?: RequestInit][] = [
  ['reads of rows', 'journal_entries', 'journal_entries?select=id&content=ilike.*a*b*c*'],
  ['reads of an embedded row', 'users', 'positions?select=id,users(username)'],
  ['counts', 'journal_entries', 'journal_entries?select=id&limit=1', { headers: { prefer: 'count=exact' } }],
  ['updates', 'journal_entries', `journal_entries?id=eq.${note}`, body('PATCH', { title: 'x' })],
  ['deletes', 'journal_entries', 'journal_entries?content=ilike.*a*b*c*', { method: 'DELETE' }],
  ['inserts', 'journal_entries', 'journal_entries', body('POST', { title: 'x', content: 'y' })],
  [
    'rows that a command is requested for',
    'orders',
    `orders?${waiting}`,
    body('PATCH', { status: 'CANCELED' }),
  ],
];

describe(`X-20: ${requestCount} of one user that take long leave connections for the others`, () => {
  test.each(requests)('%s', async (_what, table, path, init) => {
    let answers: Promise<Response>[] = [];
    await whileHeld(table, async () => {
      answers = Array.from({ length: requestCount }, () => server.fetch(path, init));
      await whenWaiting(3);
      expect((await server.fetch('wallets?select=balance', {}, 'bob')).status).toBe(200);
      // Not on the way to more.
      await whenWaiting(3);
    });
    // None of them was refused or forgotten.
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status >= 300)).toEqual([]);
    expect(statuses).toHaveLength(requestCount);
  });

  test('and so do those of many users', async () => {
    const everybody: readonly UserName[] = ['alice', 'bob', 'mona', 'ada'];
    let answers: Promise<Response>[] = [];
    await whileHeld('orders', async () => {
      answers = everybody.flatMap((user) =>
        Array.from({ length: requestCount }, () => server.fetch('orders?select=id', {}, user)),
      );
      // Half of the connections: the statement that counts them has one of the others.
      await whenWaiting(8);
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect([...new Set(statuses)]).toEqual([200]);
  });
});
