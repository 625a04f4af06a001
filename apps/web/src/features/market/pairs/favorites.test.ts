import { beforeAll, expect, test, vi } from 'vitest';

beforeAll(() => vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined }));
const load = () => import('./favorites.ts');

test('RULE-39: favorites are kept in normal form, and a broken store is an empty one', async () => {
  const { readFavorites } = await load();
  expect(readFavorites('["EUR/USD","btcusdt","EURUSD",7]')).toEqual(['EURUSD', 'BTCUSDT']);
  expect(readFavorites('{"a":1}')).toEqual([]);
  expect(readFavorites('not json')).toEqual([]);
  expect(readFavorites(null)).toEqual([]);
});

test("A38: a visitor's stars are added once, after that the server wins", async () => {
  const { mergeFavorites } = await load();
  expect(mergeFavorites(['EURUSD', 'BTCUSDT'], null, ['EUR/USD', 'AAPL'])).toEqual({
    merged: ['EURUSD', 'AAPL', 'BTCUSDT'],
    missing: ['BTCUSDT'],
  });
  expect(mergeFavorites(['BTCUSDT'], 'the same person', ['AAPL'])).toEqual({ merged: ['AAPL'], missing: [] });
  expect(mergeFavorites(['BTCUSDT'], 'somebody else', [])).toEqual({ merged: [], missing: [] });
});
