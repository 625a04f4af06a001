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

test('RULE-40: favorites are what this browser keeps under `trading-favorites`', async () => {
  vi.resetModules();
  const kept: Record<string, string> = { 'trading-favorites': '["BTCUSDT"]', favorites: '["AAPL"]' };
  vi.stubGlobal('localStorage', { getItem: (name: string) => kept[name] ?? null, setItem: () => undefined });
  const { useFavorites } = await load();
  expect([...useFavorites.getState().symbols]).toEqual(['BTCUSDT']);
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

test("A45: a visitor's stars are not added to the list of somebody whom staff act as", async () => {
  vi.resetModules();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => (name === 'trading-favorites' ? '["BTCUSDT"]' : null),
    setItem: () => undefined,
  });
  const { syncFavorites, useFavorites } = await load();
  const rows = { data: [{ symbol: 'AAPL' }], error: null, status: 200 };
  const upsert = vi.fn(async () => ({ data: null, error: { message: 'no' }, status: 403 }));
  const select = () => ({ eq: () => ({ limit: () => ({ abortSignal: async () => rows }) }) });
  const supabase = { rest: { from: () => ({ select, upsert }) } } as unknown as Parameters<
    typeof syncFavorites
  >[0];
  const { signal } = new AbortController();
  await syncFavorites(supabase, { userId: 'trader', isActedAs: true }, signal);
  expect(upsert).not.toHaveBeenCalled();
  expect([...useFavorites.getState().symbols]).toEqual(['AAPL']);
});

test("A38: more of a visitor's stars than one request takes go in several", async () => {
  vi.resetModules();
  const stars = Array.from({ length: 177 }, (_, index) => `PAIR${index}`);
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => (name === 'trading-favorites' ? JSON.stringify(stars) : null),
    setItem: () => undefined,
  });
  const { syncFavorites, useFavorites } = await load();
  const none = { data: [], error: null, status: 200 };
  const upsert = vi.fn(async (_rows: readonly object[]) => ({ data: null, error: null, status: 201 }));
  const select = () => ({ eq: () => ({ limit: () => ({ abortSignal: async () => none }) }) });
  const supabase = { rest: { from: () => ({ select, upsert }) } } as unknown as Parameters<
    typeof syncFavorites
  >[0];
  await syncFavorites(supabase, { userId: 'trader', isActedAs: false }, new AbortController().signal);
  expect(upsert.mock.calls.map(([rows]) => rows.length)).toEqual([100, 77]);
  expect(useFavorites.getState().symbols.size).toBe(177);
});
