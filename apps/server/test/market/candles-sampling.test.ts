import { dayMs, hourMs } from '@fulcrum/domain';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../src/platform/log/index.ts';
import type { Setting } from './candle-provider.ts';
import { open, restart } from './candles-server.ts';

/** A Saturday at noon, UTC. */
const noon = Date.UTC(2026, 10, 21, 12);
const stored = async ({ db }: Setting, timeframe: string, symbol = 'BTCUSDT') =>
  (
    await db.query(
      `select to_char(open_time, 'YYYY-MM-DD HH24:MI') as at, open::float8, high::float8, low::float8, close::float8, volume::float8,
         sampled
       from app.candles where timeframe = $1 and symbol = $2 order by open_time`,
      [timeframe, symbol],
    )
  ).rows;
const bar = (at: string, open: number, high: number, low: number, close: number) => ({
  at,
  open,
  high,
  low,
  close,
  volume: 0,
  sampled: true,
});
/** The provider refuses, so that what is seen is what was sampled. */
const mute = ({ provider }: Setting) => {
  provider.before = async () => {
    throw new Error('the provider is away');
  };
};

test('ticks become minutes and all longer bars, written in one statement a minute', async () => {
  const setting = await open(noon);
  const { tick, timers } = setting;
  tick('BTCUSDT', 100);
  await timers.advance(20_000);
  tick('BTCUSDT', 103);
  tick('BTCUSDT', 98);
  tick('BTCUSDT', 99);
  const before = setting.statements();
  await timers.advance(40_000);
  expect(setting.statements() - before).toBe(1);
  expect(await stored(setting, '1m')).toEqual([bar('2026-11-21 12:00', 100, 103, 98, 99)]);
  tick('BTCUSDT', 104);
  await timers.advance(60_000);
  for (const [timeframe, at] of [
    ['5m', '2026-11-21 12:00'],
    ['15m', '2026-11-21 12:00'],
    ['30m', '2026-11-21 12:00'],
    ['1h', '2026-11-21 12:00'],
    ['4h', '2026-11-21 12:00'],
    ['1d', '2026-11-21 00:00'],
    ['1w', '2026-11-16 00:00'],
    ['1M', '2026-11-01 00:00'],
  ] as const)
    expect(await stored(setting, timeframe), timeframe).toEqual([bar(at, 100, 104, 98, 104)]);
  expect(await stored(setting, '1m')).toHaveLength(2);
});

test('a minute inside the range of a longer bar moves its close alone', async () => {
  const setting = await open(noon);
  setting.tick('BTCUSDT', 100);
  setting.tick('BTCUSDT', 110);
  setting.tick('BTCUSDT', 90);
  await setting.timers.advance(60_000);
  setting.tick('BTCUSDT', 101);
  await setting.timers.advance(60_000);
  expect(await stored(setting, '1h')).toEqual([bar('2026-11-21 12:00', 100, 110, 90, 101)]);
});

test('a bar that the provider has settled is not changed by late ticks', async () => {
  const setting = await open(noon);
  await setting.candles.candles('BTCUSDT', '1m', { limit: 5, before: null });
  const settled = (await stored(setting, '1m')).filter(({ sampled }) => sampled === false);
  setting.tick('BTCUSDT', 9999, { market_time: '2026-11-21T11:58:30.000Z' });
  const shown = await setting.candles.candles('BTCUSDT', '1m', { limit: 5, before: null });
  await setting.timers.advance(60_000);
  expect((await stored(setting, '1m')).filter(({ sampled }) => sampled === false)).toEqual(settled);
  expect(settled.length).toBeGreaterThan(2);
  expect(Math.max(...shown.map(({ high }) => high))).toBeLessThan(9999);
});

test('a market that shuts overnight counts its ticks to its own trading day', async () => {
  const setting = await open(Date.UTC(2026, 10, 20, 20, 59));
  setting.tick('AAPL', 200);
  await setting.timers.advance(60_000);
  expect(await stored(setting, '1d', 'AAPL')).toEqual([bar('2026-11-20 00:00', 200, 200, 200, 200)]);
});

test('a fresh price that does not move continues a flat bar; a silent source makes none', async () => {
  const setting = await open(noon);
  const { tick, timers } = setting;
  for (let minute = 0; minute < 3; minute += 1) {
    tick('BTCUSDT', 100);
    await timers.advance(60_000);
  }
  await timers.advance(5 * 60_000);
  expect(await stored(setting, '1m')).toEqual(
    ['12:00', '12:01', '12:02'].map((time) => bar(`2026-11-21 ${time}`, 100, 100, 100, 100)),
  );
});

test('only live prices of an open market are sampled, at the market’s own time', async () => {
  const setting = await open(noon);
  const { tick, timers } = setting;
  tick('BTCUSDT', 1, { state: 'stale' });
  tick('BTCUSDT', 2, { state: 'delayed' });
  tick('BTCUSDT', 3, { state: 'closed' });
  tick('BTCUSDT', 3, { market_open: false });
  tick('BTCUSDT', 4, { state: 'simulated', source: 'simulated' });
  tick('BTCUSDT', 5, { state: 'replay', source: 'replay' });
  tick('BTCUSDT', 6, { market_time: '2026-11-21T12:30:00.000Z' });
  tick('BTCUSDT', 7, { market_time: 'never' });
  tick('UNLISTED', 8);
  await timers.advance(60_000);
  expect(await stored(setting, '1m')).toEqual([]);
  tick('BTCUSDT', 100, { market_time: '2026-11-21T11:50:30.000Z' });
  tick('BTCUSDT', 99, { market_time: '2026-11-21T11:49:59.000Z' });
  await timers.advance(60_000);
  expect(await stored(setting, '1m')).toEqual([bar('2026-11-21 11:50', 100, 100, 100, 100)]);
});

test('the newest bar of every timeframe is the newest tick, before anything is written', async () => {
  const setting = await open(noon + 30_000);
  const { tick, candles } = setting;
  mute(setting);
  tick('BTCUSDT', 100);
  tick('BTCUSDT', 110);
  tick('BTCUSDT', 105);
  for (const timeframe of ['1m', '1h', '1d', '1M'] as const)
    expect(await candles.candles('BTCUSDT', timeframe, { limit: 10, before: null })).toMatchObject([
      { open: 100, high: 110, low: 100, close: 105, volume: 0, gap: false },
    ]);
  await expect(candles.candles('BTCUSDT', '1m', { limit: 10, before: noon })).rejects.toThrow('away');
});

test('a restart in the middle of a bar goes on with it', async () => {
  const first = await open(noon);
  first.tick('BTCUSDT', 100);
  await first.timers.advance(10_000);
  first.tick('BTCUSDT', 90);
  await first.candles.stop();
  const second = restart(first);
  mute(second);
  second.tick('BTCUSDT', 105);
  const [now] = await second.candles.candles('BTCUSDT', '1h', { limit: 5, before: null });
  expect(now).toMatchObject({ open: 100, high: 105, low: 90, close: 105 });
  await second.timers.advance(60_000);
  for (const timeframe of ['1m', '1h', '1d'])
    expect(await stored(second, timeframe)).toMatchObject([{ open: 100, high: 105, low: 90, close: 105 }]);
});

test('a database outage only costs time: it is logged once, and everything is written when it is back', async () => {
  const log = createLog({ logLevel: 'silent' });
  const error = vi.spyOn(log, 'error');
  onTestFinished(() => void vi.restoreAllMocks());
  const setting = await open(noon, { log });
  const { tick, timers } = setting;
  setting.breakDatabase(true);
  for (let minute = 0; minute < 10; minute += 1) {
    tick('BTCUSDT', 100 + minute);
    await timers.advance(60_000);
  }
  expect(error).toHaveBeenCalledOnce();
  setting.breakDatabase(false);
  await timers.advance(60_000);
  expect(await stored(setting, '1m')).toHaveLength(10);
  expect(await stored(setting, '5m')).toEqual([
    bar('2026-11-21 12:00', 100, 104, 100, 104),
    bar('2026-11-21 12:05', 105, 109, 105, 109),
  ]);
});

test('after hours without a database the oldest minutes are dropped, and that is logged', async () => {
  const log = createLog({ logLevel: 'silent' });
  const info = vi.spyOn(log, 'info');
  onTestFinished(() => void vi.restoreAllMocks());
  const setting = await open(noon, { log });
  setting.breakDatabase(true);
  for (let minute = 0; minute < 300; minute += 1) {
    setting.tick('BTCUSDT', 100);
    await setting.timers.advance(60_000);
  }
  setting.breakDatabase(false);
  await setting.timers.advance(60_000);
  expect(await stored(setting, '1m')).toHaveLength(241);
  expect(info).toHaveBeenCalledWith({ dropped: 59 }, expect.any(String));
});

test('minutes are deleted after their retention, longer bars stay', async () => {
  const setting = await open(noon, { candleDays: 2 });
  await setting.db.query(
    `insert into app.candles
     select 'BTCUSDT', 'binance', timeframe, $1::timestamptz - n * interval '1 minute', 1, 1, 1, 1, 0, 0, true
     from generate_series(1, 13000) n, unnest(array['1m', '5m']) timeframe`,
    [new Date(noon).toISOString()],
  );
  await setting.timers.advance(hourMs);
  const left = await setting.db.query(
    'select timeframe, count(*)::int as count, min(open_time) as oldest from app.candles group by 1 order by 1',
  );
  expect(left.rows).toMatchObject([
    { timeframe: '1m', count: 2820, oldest: new Date(noon + hourMs - 2 * dayMs) },
    { timeframe: '5m', count: 13000 },
  ]);
});

test('nothing is sampled or written after the stop', async () => {
  const setting = await open(noon);
  setting.tick('BTCUSDT', 100);
  await setting.candles.stop();
  expect(await stored(setting, '1m')).toHaveLength(1);
  const before = setting.statements();
  setting.tick('BTCUSDT', 101, { market_time: '2026-11-21T12:00:30.000Z' });
  await setting.timers.advance(2 * hourMs);
  expect(setting.statements()).toBe(before);
});
