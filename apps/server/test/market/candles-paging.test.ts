/** Paging far back: which bars are stored, which are cached, and which are requested from the provider. */
import type { Timeframe } from '@fulcrum/domain';
import { dayMs, hourMs } from '@fulcrum/domain';
import { expect, onTestFinished, test } from 'vitest';
import type { Depth } from '../../src/features/market/candles/index.ts';
import { createSetting, type Setting } from './candle-provider.ts';

/** A Friday, 18:00 UTC: New York trades. */
const start = Date.UTC(2026, 10, 20, 18);

async function open(): Promise<Setting> {
  const setting = await createSetting(start);
  onTestFinished(async () => {
    await setting.candles.stop();
    await setting.db.close();
  });
  return setting;
}
const page = (
  { candles }: Setting,
  before: number | null,
  { timeframe = '1h', limit = 1000, symbol = 'BTCUSDT', depth = 'whole' }: Partial<PageRequest> = {},
) => candles.candles(symbol, timeframe, { limit, before }, depth);
interface PageRequest {
  readonly timeframe: Timeframe;
  readonly limit: number;
  readonly symbol: string;
  readonly depth: Depth;
}
async function storedOf({ db }: Setting, symbol = 'BTCUSDT'): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from app.candles where symbol = $1',
    [symbol],
  );
  return rows[0]?.count ?? 0;
}

test('paging back thirty thousand bars stores three thousand of them', async () => {
  const setting = await open();
  let before: number | null = null;
  const seen: number[] = [];
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const bars = await page(setting, before);
    seen.push(...bars.map(({ open_time }) => Date.parse(open_time)));
    before = Date.parse(bars[0]!.open_time);
  }
  expect(new Set(seen).size).toBe(30_000);
  expect(Math.min(...seen)).toBe(start - 29_999 * hourMs);
  expect(await storedOf(setting)).toBeLessThanOrEqual(3_001);
});

test('of a market with sessions it is bars that count, not hours', async () => {
  const setting = await open();
  for (let back = 0; back < 10; back += 1)
    await page(setting, start - back * 100 * dayMs, { timeframe: '15m', symbol: 'AAPL' });
  const stored = await storedOf(setting, 'AAPL');
  expect(stored).toBeGreaterThan(1_000);
  expect(stored).toBeLessThanOrEqual(3_100);
});

test('an older page is requested once while it is cached, and its neighbours with it', async () => {
  const setting = await open();
  const { provider } = setting;
  const before = start - 5_000 * hourMs;
  const first = await page(setting, before, { limit: 300 });
  expect(first).toHaveLength(300);
  expect(await page(setting, before, { limit: 300 })).toEqual(first);
  expect(await page(setting, before - 300 * hourMs, { limit: 300 })).toHaveLength(300);
  expect(provider.requests).toHaveLength(1);
  expect(await storedOf(setting)).toBe(0);
  // After sixty-four others it is requested again.
  for (let other = 1; other <= 64; other += 1)
    await page(setting, before - other * 1001 * hourMs, { limit: 10 });
  provider.requests.length = 0;
  expect(await page(setting, before, { limit: 300 })).toEqual(first);
  expect(provider.requests).toHaveLength(1);
});

test('a page across the boundary is whole, and only its newer part is stored', async () => {
  const setting = await open();
  const before = start - 2_500 * hourMs;
  const bars = await page(setting, before);
  expect(bars).toHaveLength(1000);
  expect(await storedOf(setting)).toBeLessThanOrEqual(501);
  setting.provider.requests.length = 0;
  for (let attempt = 0; attempt < 5; attempt += 1) expect(await page(setting, before)).toEqual(bars);
  expect(setting.provider.requests.length).toBeLessThanOrEqual(1);
});

test('long before any listing, the provider gets one request for all timeframes of a symbol', async () => {
  const setting = await open();
  setting.provider.hasNone = (instant) => instant < Date.UTC(2017, 0);
  const before = Date.UTC(1990, 0);
  for (const timeframe of ['1h', '1d', '1w', '15m'] as const)
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(await page(setting, before - attempt * dayMs, { timeframe })).toEqual([]);
  expect(setting.provider.requests).toHaveLength(1);
});

test('no more than two older pages are requested at once; beyond eight more, none waits', async () => {
  const setting = await open();
  let underWay = 0;
  let most = 0;
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  setting.provider.before = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await promise;
    underWay -= 1;
  };
  const pages = Array.from({ length: 14 }, (_, index) =>
    page(setting, start - (4_000 + index * 2_000) * hourMs),
  );
  const refused: unknown[] = [];
  const outcomes = Promise.all(pages.map((one) => one.catch((reason: unknown) => refused.push(reason))));
  // All have arrived once those beyond the limit are refused.
  await expect.poll(() => refused.length).toBe(4);
  expect(underWay).toBe(2);
  // A chart of now has its own way.
  const now = page(setting, null, { limit: 10 });
  await expect.poll(() => underWay).toBe(3);
  letGo();
  expect(await now).toHaveLength(10);
  await outcomes;
  expect(refused).toMatchObject(Array(4).fill({ code: 'busy' }));
  expect(most).toBe(3);
});

test('a reader of stored bars causes no request for older ones', async () => {
  const setting = await open();
  const { provider } = setting;
  const stored = { depth: 'stored' } as const;
  expect(await page(setting, null, { ...stored, limit: 300 })).toHaveLength(300);
  // Across the boundary it gets the stored part, and nothing before it, though another reader has just fetched it.
  const before = start - 2_900 * hourMs;
  expect(await page(setting, before)).toHaveLength(1000);
  expect((await page(setting, before, stored)).length).toBeLessThanOrEqual(101);
  provider.requests.length = 0;
  for (const back of [3_001, 5_000, 50_000])
    expect(await page(setting, start - back * hourMs, stored)).toEqual([]);
  expect(provider.requests).toEqual([]);
});
