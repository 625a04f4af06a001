import { beforeEach, describe, expect, test } from 'vitest';
import { namedUsers, server, shareRestServer } from './rest-server.ts';

shareRestServer();
beforeEach(async () => {
  await server.db.query('delete from app.favorites');
});

const stored = async () => {
  const { rows } = await server.db.query(
    'select user_id, symbol from app.favorites order by user_id, symbol',
  );
  return rows.map((row) => `${row.user_id === namedUsers.alice.id ? 'alice' : 'bob'}: ${row.symbol}`);
};

describe('favourites', () => {
  test('an insert belongs to the caller, whatever it claims', async () => {
    const alice = server.as('alice');
    const plain = await alice.from('favorites').insert({ symbol: 'BTCUSDT', user_id: namedUsers.bob.id });
    expect(plain).toMatchObject({ status: 201, data: null, error: null });
    const returned = await alice.from('favorites').insert({ symbol: 'EURUSD' }).select().single();
    expect(returned.data).toMatchObject({ user_id: namedUsers.alice.id, symbol: 'EURUSD' });
    expect(await stored()).toEqual(['alice: BTCUSDT', 'alice: EURUSD']);
  });

  test('RULE-39: a star is stored in its normal form, and a user has at most 1000', async () => {
    const bob = server.as('bob');
    const { error: shape } = await bob.from('favorites').insert({ symbol: 'EUR/USD' });
    expect(shape).toMatchObject({ code: '23514' });
    const rows = (from: number) => Array.from({ length: 100 }, (_, i) => ({ symbol: `STAR${from + i}` }));
    for (let from = 0; from < 1000; from += 100) {
      expect((await bob.from('favorites').insert(rows(from))).error).toBeNull();
    }
    expect((await bob.from('favorites').insert({ symbol: 'ONEMORE' })).error).toMatchObject({
      code: '23514',
    });
  });

  test('a repeated insert conflicts; an upsert does not', async () => {
    const alice = server.as('alice');
    await alice.from('favorites').insert({ symbol: 'A' });
    const repeated = await alice.from('favorites').insert({ symbol: 'A' });
    expect(repeated).toMatchObject({ status: 409, error: { code: '23505' } });
    const ignored = await alice
      .from('favorites')
      .upsert([{ symbol: 'A' }, { symbol: 'B' }], { onConflict: 'user_id,symbol', ignoreDuplicates: true })
      .select('symbol');
    expect(ignored.data).toEqual([{ symbol: 'B' }]);
    const merged = await alice.from('favorites').upsert({ symbol: 'A' }).select('symbol').single();
    expect(merged.data).toEqual({ symbol: 'A' });
    const twice = await alice.from('favorites').upsert([{ symbol: 'C' }, { symbol: 'C' }]);
    expect(twice).toMatchObject({ status: 400, error: { code: '21000' } });
    expect(await stored()).toEqual(['alice: A', 'alice: B']);
  });

  test('what the table cannot hold is a 400', async () => {
    const alice = server.as('alice');
    expect(await alice.from('favorites').insert({ symbol: '' })).toMatchObject({
      status: 400,
      error: { code: '23514' },
    });
    const empty = await server.fetch('favorites', {
      method: 'POST',
      body: '[{"symbol":"A"},{"symbol":null}]',
    });
    expect([empty.status, await empty.json()]).toMatchObject([400, { code: '23502' }]);
    expect(await stored()).toEqual([]);
  });

  test('a delete reaches own rows only and needs a filter', async () => {
    await server
      .as('alice')
      .from('favorites')
      .insert([{ symbol: 'A' }, { symbol: 'B' }]);
    await server.as('bob').from('favorites').insert({ symbol: 'A' });
    expect(await server.as('alice').from('favorites').delete()).toMatchObject({
      status: 400,
      error: { code: '21000' },
    });
    expect(await server.as('alice').from('favorites').delete().eq('symbol', 'A')).toMatchObject({
      status: 204,
      error: null,
    });
    expect(await stored()).toEqual(['alice: B', 'bob: A']);
    const foreign = await server
      .as('alice')
      .from('favorites')
      .delete()
      .eq('user_id', namedUsers.bob.id)
      .select();
    expect(foreign).toMatchObject({ status: 200, data: [] });
    expect(await stored()).toEqual(['alice: B', 'bob: A']);
  });

  test('a result that single() refuses has not been written', async () => {
    await server
      .as('alice')
      .from('favorites')
      .insert([{ symbol: 'A' }, { symbol: 'B' }]);
    const both = await server
      .as('alice')
      .from('favorites')
      .delete()
      .in('symbol', ['A', 'B'])
      .select()
      .single();
    expect(both).toMatchObject({ status: 406, error: { code: 'PGRST116' } });
    expect(await stored()).toEqual(['alice: A', 'alice: B']);
  });

  test('no role updates rows directly', async () => {
    const answer = await server.fetch('favorites?symbol=eq.A', { method: 'PATCH', body: '{"symbol":"B"}' });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: '42501' }]);
  });
});
