import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { namedUsers, positionOf, server, shareRestServer } from './rest-server.ts';

shareRestServer();

describe('the documents’ own reads, with the official client', () => {
  test('CALL-19, CALL-20: a user by id, one object', async () => {
    const { data, error } = await server
      .as('alice')
      .from('users')
      .select('*')
      .eq('id', namedUsers.alice.id)
      .single();
    expect(error).toBeNull();
    expect(data).toMatchObject({ id: namedUsers.alice.id, username: 'alice', kyc_status: 'unverified' });
    const status = await server
      .as('alice')
      .from('users')
      .select('kyc_status')
      .eq('id', namedUsers.alice.id)
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
      id: namedUsers.mona.id,
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
    expect(await names('manager_id', namedUsers.mona.id)).toEqual(['alice']);
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
      .eq('user_id', namedUsers.alice.id)
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
    expect(all.data).toEqual(
      [namedUsers.alice, namedUsers.bob].map(({ id }, index) => ({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        user_id: id,
        balance: 10000,
        available_balance: 9000.5,
        last_updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        users: { username: ['alice', 'bob'][index] },
      })),
    );
  });

  test('CALL-35, CALL-36: transactions by type and status, newest first', async () => {
    // Beside bob's three completed deposits what the filters have to leave out, and a withdrawal.
    await server.db.query(
      `insert into app.transactions (user_id, type, amount, status, created_at) values
         ($1, 'withdrawal', -5, 'completed', '2026-11-01T00:01:30Z'),
         ($1, 'deposit', 6, 'pending', '2026-11-01T00:04:00Z'),
         ($1, 'position_closed', 7, 'completed', '2026-11-01T00:05:00Z')`,
      [namedUsers.bob.id],
    );
    const { data } = await server
      .as('bob')
      .from('transactions')
      .select('*')
      .eq('user_id', namedUsers.bob.id)
      .in('type', ['deposit', 'withdrawal'])
      .eq('status', 'completed')
      .order('created_at', { ascending: false });
    expect(data?.map(({ type, amount, created_at }) => [type, amount, created_at])).toEqual([
      ['deposit', 10000, '2026-11-01T00:03:00+00:00'],
      ['deposit', 10000, '2026-11-01T00:02:00+00:00'],
      ['withdrawal', -5, '2026-11-01T00:01:30+00:00'],
      ['deposit', 10000, '2026-11-01T00:01:00+00:00'],
    ]);
    const staff = await server
      .as('ada')
      .from('transactions')
      .select('amount, user_id')
      .order('created_at', { ascending: false })
      .limit(2);
    expect(staff.data).toEqual([
      { amount: 7, user_id: namedUsers.bob.id },
      { amount: 6, user_id: namedUsers.bob.id },
    ]);
  });

  describe('positions', () => {
    const closedOf = (n: number) => `00000000-0000-4000-8000-00000000040${n}`;
    beforeAll(async () => {
      // The one that was opened first is closed last.
      for (const [n, opened, closed] of [
        [1, '2026-11-20T08:00:00Z', '2026-11-21T12:00:00Z'],
        [2, '2026-11-20T09:00:00Z', '2026-11-21T11:00:00Z'],
        [3, '2026-11-20T10:00:00Z', '2026-11-21T10:00:00Z'],
      ] as const) {
        await server.db.query(
          `insert into app.positions (id, user_id, symbol, side, entry_price, close_price, size, leverage, margin,
             liquidation_price, realized_pnl, status, rules, account_version, created_at, closed_at, close_reason,
             close_price_source)
           values ($1, $2, 'BTCUSDT', 'SELL', 100, 99, 0.1, 10, 1, 109.5, 0.1, 'closed', 'standard', 1, $3, $4, 'manual', 'live')`,
          [closedOf(n), namedUsers.bob.id, opened, closed],
        );
      }
    });
    const idsOf = ({ data }: { data: { id: string }[] | null }) => data?.map(({ id }) => id);

    test('CALL-40, CALL-41: one by its id, and the open ones', async () => {
      const open = await server
        .as('alice')
        .from('positions')
        .select('*')
        .eq('user_id', namedUsers.alice.id)
        .eq('status', 'open');
      expect(open.data).toMatchObject([
        { entry_price: 100.5, size: 0.1, mark_price: null, created_at: '2026-11-21T08:00:00.123456+00:00' },
      ]);
      const one = await server.as('alice').from('positions').select('*').eq('id', positionOf.alice).single();
      expect(one.data?.id).toBe(positionOf.alice);
    });

    test('CALL-38: closed ones, the last closed first', async () => {
      const closed = await server
        .as('bob')
        .from('positions')
        .select()
        .eq('user_id', namedUsers.bob.id)
        .eq('status', 'closed')
        .order('closed_at', { ascending: false });
      expect(idsOf(closed)).toEqual([closedOf(1), closedOf(2), closedOf(3)]);
      expect(closed.data?.[0]).toMatchObject({ close_price: 99, closed_at: '2026-11-21T12:00:00+00:00' });
    });

    test('CALL-39: all or those of one status, the last opened first', async () => {
      const ordered = (status: 'open' | 'closed' | null) => {
        const all = server.as('bob').from('positions').select('id').eq('user_id', namedUsers.bob.id);
        return (status === null ? all : all.eq('status', status)).order('created_at', { ascending: false });
      };
      expect(idsOf(await ordered(null))).toEqual([positionOf.bob, closedOf(3), closedOf(2), closedOf(1)]);
      expect(idsOf(await ordered('closed'))).toEqual([closedOf(3), closedOf(2), closedOf(1)]);
      expect(idsOf(await ordered('open'))).toEqual([positionOf.bob]);
    });

    test('CALL-42: staff read those of all users or of one user, the last opened first', async () => {
      const newest = { ascending: false } as const;
      const all = await server.as('ada').from('positions').select('id').order('created_at', newest);
      expect(idsOf(all)?.slice(-3)).toEqual([closedOf(3), closedOf(2), closedOf(1)]);
      expect(new Set(idsOf(all)?.slice(0, 2))).toEqual(new Set(Object.values(positionOf)));
      const bobs = await server
        .as('ada')
        .from('positions')
        .select('id')
        .eq('user_id', namedUsers.bob.id)
        .order('created_at', newest);
      expect(idsOf(bobs)).toEqual([positionOf.bob, closedOf(3), closedOf(2), closedOf(1)]);
    });
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
    expect(data).toEqual({ id: namedUsers.alice.id, manager: null });
  });
});

describe('pages', () => {
  test('A100: a select without limit stops at 1,000 rows and answers 206', async () => {
    await server.db.query(
      `insert into app.transactions (user_id, type, amount, status) select $1, 'fee', -n, 'completed' from generate_series(1, 1001) n`,
      [namedUsers.bob.id],
    );
    const cut = await server.fetch('transactions?select=id&type=eq.fee', {}, 'bob');
    expect([cut.status, cut.headers.get('content-range')]).toEqual([206, '0-999/*']);
    expect(await cut.json()).toHaveLength(1000);
    const counted = await server.fetch(
      'transactions?select=id&type=eq.fee',
      { headers: { prefer: 'count=exact' } },
      'bob',
    );
    expect([counted.status, counted.headers.get('content-range')]).toEqual([206, '0-999/1001']);
    // The official client shows the cut as the status of its answer.
    expect(await server.as('bob').from('transactions').select('id').eq('type', 'fee')).toMatchObject({
      status: 206,
    });

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
