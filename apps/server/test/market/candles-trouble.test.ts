/** A provider that fails, lags, rewrites its past or is silent: the charts meanwhile and afterwards. */
import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import { expect, test, vi } from 'vitest';
import type { Bar } from '../../src/features/market/feed.ts';
import { PriceError } from '../../src/features/market/price-error.ts';
import { testLog } from '../harness/index.ts';
import { chart, failing, gaps, live, names, open, restart, start } from './candles-server.ts';

test('a provider that fails costs an answer with its gaps marked, and is paused for a while', async () => {
  const setting = await open(start);
  const { provider, timers } = setting;
  await live(setting, 3);
  await timers.advance(10 * minuteMs);
  await live(setting, 3);
  provider.before = failing;
  const bars = await chart(setting, '1m');
  expect(bars.map(({ close }) => close)).toHaveLength(6);
  expect(gaps(bars)).toEqual([new Date(start + 13 * minuteMs).toISOString()]);
  const requestCount = provider.requests.length;
  for (let attempt = 0; attempt < 10; attempt += 1) await chart(setting, '1m');
  expect(provider.requests).toHaveLength(requestCount);

  provider.before = async () => undefined;
  await timers.advance(minuteMs);
  setting.tick('BTCUSDT', 500);
  const whole = await chart(setting, '1m');
  expect(whole).toHaveLength(300);
  expect(gaps(whole)).toEqual([]);
});

test('when no bar is known, the provider’s fault is the answer, also a moment later', async () => {
  const setting = await open(start);
  setting.provider.before = failing;
  for (let attempt = 0; attempt < 2; attempt += 1)
    await expect(chart(setting, '1h')).rejects.toEqual(new PriceError('HTTP error! status: 503'));
  expect(setting.provider.requests).toHaveLength(1);
});

test('a slow provider delays no chart for long, and its answer is there for the next one', async () => {
  const setting = await open(start);
  const { provider, timers } = setting;
  await live(setting, 3);
  await timers.advance(55_000);
  setting.tick('BTCUSDT', 600);
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  provider.before = () => promise;
  const waiting = chart(setting, '1m', 10);
  await timers.advance(0);
  // The minute is over and written meanwhile, and the next one begins.
  await timers.advance(6_000);
  setting.tick('BTCUSDT', 700);
  await timers.advance(4_000);
  expect((await waiting).map(({ close }) => close).slice(-2)).toEqual([600, 700]);
  expect(await waiting).toHaveLength(5);
  answer();
  await timers.advance(0);
  expect(await chart(setting, '1m', 10)).toHaveLength(10);
  expect(provider.requests).toHaveLength(1);
});

test('after a silence the missing minutes are fetched on the next read', async () => {
  const setting = await open(start);
  await live(setting, 5);
  await chart(setting, '1m', 100);
  await setting.timers.advance(hourMs);
  await live(setting, 3);
  setting.tick('BTCUSDT', 500);
  const bars = await chart(setting, '1m', 100);
  expect(names(bars)).toEqual(
    Array.from({ length: 100 }, (_, index) => setting.timers.now() - (99 - index) * minuteMs),
  );
  expect(gaps(bars)).toEqual([]);
});

test('after a silence the recently read charts are completed before the next read', async () => {
  const setting = await open(start);
  const { provider, timers } = setting;
  await live(setting, 1);
  for (const timeframe of ['1m', '5m', '15m'] as const) await chart(setting, timeframe, 100);
  await timers.advance(hourMs);
  provider.requests.length = 0;
  // Two are asked for side by side; which of them leaves first is up to their stored bars.
  await live(setting, 1);
  expect(new Set(provider.requests.map(({ timeframe }) => timeframe))).toEqual(new Set(['1m', '5m']));
  await live(setting, 1);
  expect(provider.requests.map(({ timeframe }) => timeframe).slice(2)).toEqual(['15m']);
  await live(setting, 5);
  expect(provider.requests).toHaveLength(3);
});

test('a silent source gets at most one request a minute, however many reads there are', async () => {
  const setting = await open(start);
  const { provider, timers } = setting;
  await live(setting, 2);
  await chart(setting, '1m', 100);
  await timers.advance(10 * minuteMs);
  provider.requests.length = 0;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    expect((await chart(setting, '1m', 100)).length).toBe(100);
    await timers.advance(3_000);
  }
  expect(provider.requests.length).toBeLessThanOrEqual(5);
});

test('over a weekend a closed market gets no request', async () => {
  const setting = await open(Date.UTC(2026, 10, 20, 20, 50));
  await live(setting, 10, 'AAPL');
  await chart(setting, '1m', 390, null, 'AAPL');
  await setting.timers.advance(5 * minuteMs);
  for (let attempt = 0; attempt < 10; attempt += 1) await chart(setting, '1m', 390, null, 'AAPL');
  expect(setting.provider.requests).toHaveLength(2);
  await setting.timers.advance(hourMs);
  await chart(setting, '1m', 390, null, 'AAPL');
  setting.provider.requests.length = 0;
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await setting.timers.advance(2 * hourMs);
    await chart(setting, '1m', 390, null, 'AAPL');
  }
  expect(setting.provider.requests).toEqual([]);
  const { rows } = await setting.db.query(`select count(*)::int as count from app.candles where sampled
    and timeframe = '1m'`);
  expect(rows).toEqual([{ count: 0 }]);
});

test('invalid bars are dropped, and affect no other', async () => {
  const setting = await open(start);
  setting.provider.spoil = ([first, second, third, fourth, fifth, ...rest]) => [
    { ...first!, open: Number.NaN },
    { ...second!, low: -1 },
    { ...third!, high: third!.low },
    { ...fourth!, open_time: '2026-11-20T10:17:00.000Z' },
    { ...fifth!, open_time: 'yesterday' },
    ...rest.toReversed(),
    rest[0]!,
  ];
  const bars = await chart(setting, '1h', 20);
  expect(names(bars)).toEqual(Array.from({ length: 16 }, (_, index) => start - (15 - index) * hourMs));
  setting.provider.spoil = (given) => given.map((bar) => ({ ...bar, close: Infinity }));
  await expect(chart(setting, '1d', 20)).rejects.toEqual(
    new PriceError('No price data available for BTCUSDT'),
  );
});

/** The provider's bars after one share became `factor`. */
const split =
  (factor: number) =>
  (bars: Bar[]): Bar[] =>
    bars.map((bar) => ({
      ...bar,
      open: bar.open / factor,
      high: bar.high / factor,
      low: bar.low / factor,
      close: bar.close / factor,
    }));

test('after a stock split the bars of all timeframes are fetched again', async () => {
  const setting = await open(start);
  const { provider, timers } = setting;
  await chart(setting, '1h', 50);
  await chart(setting, '1d', 50);
  await chart(setting, '1d', 50, null, 'ETHUSDT');
  await timers.advance(2 * minuteMs);
  provider.spoil = split(10);
  for (const timeframe of ['1h', '1d'] as const) {
    const bars = await chart(setting, timeframe, 50);
    expect(bars).toHaveLength(50);
    expect(Math.max(...bars.map(({ high }) => high))).toBeLessThan(200);
    expect(gaps(bars)).toEqual([]);
  }
  // Those of another symbol stay, and the fetched ones are stored.
  provider.requests.length = 0;
  expect((await chart(setting, '1d', 10, start - 10 * dayMs, 'ETHUSDT'))[0]?.open).toBeGreaterThan(900);
  await chart(setting, '1h', 50);
  await chart(setting, '1d', 50);
  expect(provider.requests).toEqual([]);
});

test('a provider that contradicts every earlier answer gets two requests for a read, and no more', async () => {
  const setting = await open(start);
  const { provider, timers } = setting;
  let factor = 10;
  provider.spoil = (bars) => {
    factor = factor === 1 ? 10 : 1;
    return split(factor)(bars);
  };
  await chart(setting, '1h', 50);
  await timers.advance(2 * minuteMs);
  provider.requests.length = 0;
  expect(await chart(setting, '1h', 50)).toHaveLength(50);
  expect(provider.requests).toHaveLength(2);
});

test('a small correction of a settled bar leaves the stored ones as they are', async () => {
  const setting = await open(start);
  const { provider, timers } = setting;
  const before = await chart(setting, '1h', 50);
  await timers.advance(2 * minuteMs);
  provider.requests.length = 0;
  provider.spoil = split(1.02);
  expect((await chart(setting, '1h', 50)).slice(0, -2)).toEqual(before.slice(0, -2));
  expect(provider.requests).toHaveLength(1);
});

test.each(['1m', '1d'] as const)(
  'ENG-11: a high of ten times in a bar of the provider (%s) is neither shown nor stored',
  async (timeframe) => {
    const setting = await open(start);
    const { provider } = setting;
    let spoilt = '';
    provider.spoil = (bars) =>
      bars.map((bar, index) => {
        if (index !== bars.length - 5) return bar;
        spoilt = bar.open_time;
        return { ...bar, high: 10 * Math.max(bar.open, bar.close) };
      });
    const shown = await chart(setting, timeframe, 20);
    const ofFault = (bars: readonly Bar[]) => bars.find(({ open_time }) => open_time === spoilt);
    const bar = ofFault(shown) ?? expect.unreachable();
    expect(bar.high).toBe(Math.max(bar.open, bar.close));
    provider.before = failing;
    expect(ofFault(await chart(restart(setting), timeframe, 20))).toMatchObject({ high: bar.high });
  },
);

test('an absurd wick is logged once a day of its symbol, however many answers have it', async () => {
  const cut = vi.fn();
  const log = {
    ...testLog,
    warn: (fields: object, message: string) => {
      if (message.startsWith('an absurd wick')) cut(fields);
    },
  } as typeof testLog;
  const setting = await open(start, { log });
  const { provider, timers } = setting;
  provider.spoil = (bars) => bars.map((bar, index) => (index === 3 ? { ...bar, high: bar.high * 100 } : bar));
  await chart(setting, '1h', 100);
  await chart(setting, '15m', 100);
  await chart(setting, '1h', 100, start - 200 * hourMs);
  expect(provider.requests.length).toBeGreaterThanOrEqual(3);
  expect(cut).toHaveBeenCalledTimes(1);
  await chart(setting, '1h', 100, null, 'ETHUSDT');
  expect(cut.mock.calls.map(([{ symbol }]) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
  await timers.advance(dayMs);
  await chart(setting, '1h', 100);
  expect(cut).toHaveBeenCalledTimes(3);
});
