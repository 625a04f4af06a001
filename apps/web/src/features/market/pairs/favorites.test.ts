import { beforeAll, expect, test, vi } from 'vitest';

beforeAll(() => vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined }));
const load = () => import('./favorites.ts');

test('RULE-39: favorites are stored in normalised form, and a broken store counts as empty', async () => {
  const { parseFavorites: readFavorites } = await load();
  expect(readFavorites('["EUR/USD","btcusdt","EURUSD",7]')).toEqual(['EURUSD', 'BTCUSDT']);
  expect(readFavorites('{"a":1}')).toEqual([]);
  expect(readFavorites('not json')).toEqual([]);
  expect(readFavorites(null)).toEqual([]);
});

test('RULE-40: favorites are stored in this browser under `trading-favorites`', async () => {
  vi.resetModules();
  const stored: Record<string, string> = { 'trading-favorites': '["BTCUSDT"]', favorites: '["AAPL"]' };
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored[name] ?? null,
    setItem: () => undefined,
  });
  const { useFavorites } = await load();
  expect([...useFavorites.getState().symbols]).toEqual(['BTCUSDT']);
});

test('RULE-40: a star is stored under `trading-favorites`, and reverted when the server refuses it', async () => {
  vi.resetModules();
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
  });
  const { toggleFavorite } = await load();
  let refusal: { message: string } | null = null;
  const upsert = async () => ({ data: null, error: refusal, status: refusal ? 403 : 201 });
  const supabase = { rest: { from: () => ({ upsert }) } } as unknown as Parameters<typeof toggleFavorite>[0];
  await toggleFavorite(supabase, 'trader', 'eur/usd');
  expect(Object.fromEntries(stored)).toEqual({ 'trading-favorites': '["EURUSD"]' });
  refusal = { message: 'no' };
  await expect(toggleFavorite(supabase, 'trader', 'AAPL')).rejects.toThrow('no');
  expect(stored.get('trading-favorites')).toBe('["EURUSD"]');
});

test("A38: a visitor's stars are added once, then the server's list applies", async () => {
  const { mergeFavorites } = await load();
  expect(mergeFavorites(['EURUSD', 'BTCUSDT'], null, ['EUR/USD', 'AAPL'])).toEqual({
    merged: ['EURUSD', 'AAPL', 'BTCUSDT'],
    missing: ['BTCUSDT'],
  });
  expect(mergeFavorites(['BTCUSDT'], 'the same user', ['AAPL'])).toEqual({ merged: ['AAPL'], missing: [] });
  expect(mergeFavorites(['BTCUSDT'], 'another user', [])).toEqual({ merged: [], missing: [] });
});

test("A45: a visitor's stars are not added to the list of an impersonated user", async () => {
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
  await syncFavorites(supabase, { userId: 'trader', isImpersonated: true }, signal);
  expect(upsert).not.toHaveBeenCalled();
  expect([...useFavorites.getState().symbols]).toEqual(['AAPL']);
});

test('A38: many stars of a visitor are sent in several requests', async () => {
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
  await syncFavorites(supabase, { userId: 'trader', isImpersonated: false }, new AbortController().signal);
  expect(upsert.mock.calls.map(([rows]) => rows.length)).toEqual([100, 77]);
  expect(useFavorites.getState().symbols.size).toBe(177);
});
