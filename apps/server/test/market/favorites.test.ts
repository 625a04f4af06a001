import { normaliseSymbol } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import { limits } from '../../src/protocols/rest/limits.ts';
import { namedUsers, server, shareRestServer } from '../rest/rest-server.ts';

shareRestServer();

const starsOf = async (user: 'alice' | 'bob') => {
  const { data } = await server.as(user).from('favorites').select('symbol').limit(1_000).throwOnError();
  return data.map(({ symbol }) => symbol).sort();
};
/** How the app adds a star. */
const starred = { onConflict: 'user_id,symbol', ignoreDuplicates: true };
const all = catalogue.map(({ symbol }) => normaliseSymbol(symbol)).sort();

test('ENT-26 RULE-41: a user can star every listed pair, and the stars are that user’s own (A38)', async () => {
  const stars = all.map((symbol) => ({ symbol }));
  for (let from = 0; from < stars.length; from += limits.insertRows) {
    await server
      .as('alice')
      .from('favorites')
      .upsert(stars.slice(from, from + limits.insertRows), starred)
      .throwOnError();
  }
  expect(await starsOf('alice')).toEqual(all);
  expect(await starsOf('bob')).toEqual([]);

  await server.as('bob').from('favorites').insert({ symbol: 'EURUSD' }).throwOnError();
  await server
    .as('alice')
    .from('favorites')
    .delete()
    .eq('user_id', namedUsers.alice.id)
    .eq('symbol', 'EURUSD')
    .throwOnError();
  expect(await starsOf('alice')).toEqual(all.filter((symbol) => symbol !== 'EURUSD'));
  expect(await starsOf('bob')).toEqual(['EURUSD']);
});

test('ENT-26: it is a set: a star that is there already is not there twice', async () => {
  for (const _ of [1, 2]) {
    await server
      .as('bob')
      .from('favorites')
      .upsert([{ symbol: 'XAUUSD' }], starred)
      .throwOnError();
  }
  expect((await starsOf('bob')).filter((symbol) => symbol === 'XAUUSD')).toEqual(['XAUUSD']);
});

test.each(['EUR/USD', 'btcusdt', 'BTC-USDT', ''])(
  'RULE-39 ENT-26: %j is no normalised symbol and is refused',
  async (symbol) => {
    const { error } = await server.as('bob').from('favorites').insert({ symbol });
    expect(error).toMatchObject({ code: '23514' });
  },
);
