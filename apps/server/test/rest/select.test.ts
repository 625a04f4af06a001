import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { people, positionOf, type RestServer, startRestServer } from './rest-server.ts';

let server: RestServer;
beforeAll(async () => {
  server = await startRestServer();
});
afterAll(() => server.close());

describe('the documents’ own reads, with the official client', () => {
  test('CALL-19, CALL-20: a user by id, one object', async () => {
    const { data, error } = await server
      .as('alice')
      .from('users')
      .select('*')
      .eq('id', people.alice.id)
      .single();
    expect(error).toBeNull();
    expect(data).toMatchObject({ id: people.alice.id, username: 'alice', kyc_status: 'unverified' });
    const status = await server
      .as('alice')
      .from('users')
      .select('kyc_status')
      .eq('id', people.alice.id)
      .single();
    expect(status.data).toEqual({ kyc_status: 'unverified' });
  });

  test('CALL-21: all users with their manager, newest first', async () => {
    const { data } = await server
      .as('ada')
      .from('users')
      .select('*, manager:manager_id(id, username)')
      .order('created_at', { ascending: false });
    expect(data).toHaveLength(5);
    expect(data?.find(({ username }) => username === 'alice')?.manager).toEqual({
      id: people.mona.id,
      username: 'mona',
    });
    expect(data?.find(({ username }) => username === 'bob')?.manager).toBeNull();
    const created = data?.map((row) => row.created_at);
    expect(created).toEqual(created?.toSorted().reverse());
  });

  test('CALL-22, CALL-23, CALL-24: users by role and by manager', async () => {
    const names = async (column: 'role' | 'manager_id', value: string) => {
      const { data } = await server.as('ada').from('users').select('username').eq(column, value);
      return data?.map(({ username }) => username);
    };
    expect(await names('role', 'manager')).toEqual(['mona']);
    expect(await names('role', 'support')).toEqual(['sam']);
    expect(await names('manager_id', people.mona.id)).toEqual(['alice']);
  });

  test('CALL-25: counts, of all and before a day', async () => {
    const all = await server.as('ada').from('users').select('*', { count: 'exact', head: true });
    expect(all).toMatchObject({ count: 5, data: null, error: null });
    const old = await server
      .as('ada')
      .from('users')
      .select('*', { count: 'exact', head: true })
      .lt('created_at', '2020-01-01T00:00:00.000Z');
    expect(old).toMatchObject({ count: 0, error: null });
  });

  test('CALL-30, CALL-31, CALL-32: wallets, with plain numbers and the owner’s name', async () => {
    const own = await server
      .as('alice')
      .from('wallets')
      .select('*')
      .eq('user_id', people.alice.id)
      .maybeSingle();
    expect(own.data).toMatchObject({
      balance: 10000,
      available_balance: 9000.5,
      currency: 'USDT',
      version: 0,
    });
    const all = await server
      .as('ada')
      .from('wallets')
      .select('id, user_id, balance, available_balance, last_updated, users(username)')
      .order('user_id');
    expect(all.data?.map(({ users }) => users.username)).toEqual(['alice', 'bob']);
  });

  test('CALL-35, CALL-36: transactions by type and status, newest first', async () => {
    const { data } = await server
      .as('alice')
      .from('transactions')
      .select('*')
      .eq('user_id', people.alice.id)
      .in('type', ['deposit', 'withdrawal'])
      .eq('status', 'completed')
      .order('created_at', { ascending: false });
    expect(data?.map(({ created_at }) => created_at)).toEqual([
      '2026-11-01T00:03:00+00:00',
      '2026-11-01T00:02:00+00:00',
      '2026-11-01T00:01:00+00:00',
    ]);
  });

  test('CALL-38, CALL-39, CALL-40, CALL-41, CALL-42: positions', async () => {
    const open = await server
      .as('alice')
      .from('positions')
      .select('*')
      .eq('user_id', people.alice.id)
      .eq('status', 'open');
    expect(open.data).toMatchObject([
      { entry_price: 100.5, size: 0.1, mark_price: null, created_at: '2026-11-21T08:00:00.123456+00:00' },
    ]);
    const closed = await server
      .as('alice')
      .from('positions')
      .select()
      .eq('status', 'closed')
      .order('closed_at', { ascending: false });
    expect(closed.data).toEqual([]);
    const one = await server.as('alice').from('positions').select('*').eq('id', positionOf.alice).single();
    expect(one.data?.id).toBe(positionOf.alice);
    const staff = await server.as('ada').from('positions').select().order('created_at', { ascending: false });
    expect(staff.data).toHaveLength(2);
  });

  test('A53: an anonymous caller reads the trading pairs', async () => {
    const { data } = await server
      .as(null)
      .from('trading_pairs')
      .select('id, symbol')
      .in('symbol', ['EUR/USD', 'no,such (one)']);
    expect(data).toEqual([{ id: 'EUR/USD', symbol: 'EUR/USD' }]);
  });
});

describe('one row', () => {
  test('single() of none or of several is PGRST116', async () => {
    const none = await server.as('alice').from('positions').select().eq('id', randomUUID()).single();
    expect(none).toMatchObject({
      status: 406,
      error: { code: 'PGRST116', details: 'The result contains 0 rows' },
    });
    const several = await server.as('alice').from('transactions').select().single();
    expect(several).toMatchObject({
      status: 406,
      error: { code: 'PGRST116', details: 'The result contains 3 rows' },
    });
  });

  test('maybeSingle() of none is null', async () => {
    const { data, error } = await server
      .as('alice')
      .from('positions')
      .select()
      .eq('id', randomUUID())
      .maybeSingle();
    expect([data, error]).toEqual([null, null]);
  });

  test('RULE-37, X-20: a foreign row answers exactly as a missing one', async () => {
    const ask = async (id: string) => {
      const answer = await server.fetch(`positions?id=eq.${id}`, {
        headers: { accept: 'application/vnd.pgrst.object+json' },
      });
      return [answer.status, await answer.text()];
    };
    expect(await ask(positionOf.bob)).toEqual(await ask(randomUUID()));
  });

  test('an embedded row that the caller may not read is null', async () => {
    const { data } = await server
      .as('alice')
      .from('users')
      .select('id, manager:manager_id(username)')
      .single();
    expect(data).toEqual({ id: people.alice.id, manager: null });
  });
});

describe('pages', () => {
  test('A100: a select without limit stops at 1,000 rows and says so', async () => {
    await server.db.query(
      `insert into app.transactions (user_id, type, amount, status) select $1, 'fee', -n, 'completed' from generate_series(1, 1001) n`,
      [people.bob.id],
    );
    const cut = await server.fetch('transactions?select=id&type=eq.fee', {}, 'bob');
    expect([cut.status, cut.headers.get('content-range')]).toEqual([206, '0-999/*']);
    expect(await cut.json()).toHaveLength(1000);

    const rest = await server
      .as('bob')
      .from('transactions')
      .select('amount', { count: 'exact' })
      .eq('type', 'fee')
      .order('amount')
      .range(1000, 1999);
    expect(rest).toMatchObject({ data: [{ amount: -1 }], count: 1001, status: 206 });
  });

  test('limit, range and the Range header', async () => {
    const minutes = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await server.fetch(`transactions?select=created_at&order=created_at&${path}`, {
        headers,
      });
      const rows = (await answer.json()) as { created_at: string }[];
      return [answer.headers.get('content-range'), ...rows.map((row) => row.created_at.slice(15, 16))];
    };
    expect(await minutes('limit=2')).toEqual(['0-1/*', '1', '2']);
    expect(await minutes('limit=2&offset=2')).toEqual(['2-2/*', '3']);
    expect(await minutes('', { range: '1-1' })).toEqual(['1-1/*', '2']);
    expect(await minutes('offset=7')).toEqual(['*/*']);
    const beyond = await server.fetch('transactions?offset=7', { headers: { prefer: 'count=exact' } });
    expect(beyond.status).toBe(416);
  });
});
