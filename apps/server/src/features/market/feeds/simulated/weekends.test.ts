/** ENG-10: the path while a market is closed, where trading hours are honoured. */
import { dayMs, hourMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { createManualTimers } from '../../../../../test/harness/manual-timers.ts';
import { changesOf, deviationOf, meanOf } from '../../../../../test/long/statistics.ts';
import { catalogue } from '../../catalogue/index.ts';
import { createTradingSchedule } from '../../trading-hours.ts';
import { createSimulatedFeed, modelOfSeed } from './index.ts';
import { rhythmOfDay } from './rhythm.ts';

const until = Date.UTC(2026, 10, 16);
const years = 9;
const model = modelOfSeed('weekends', true);
const feed = createSimulatedFeed({
  model,
  sessions: 'honour',
  pairs: catalogue,
  timers: createManualTimers(until),
  shocks: [],
  scales: new Map(),
});
const levelOf = (symbol: string, at: number) => Math.log(feed.priceAt(symbol, at)!);

/** The gaps from a close to the next opening, over a night and over a weekend, and the changes from close to close. */
function gapsOf(symbol: string) {
  const { tradingHours } = catalogue.find((pair) => pair.symbol === symbol)!;
  const sessions = createTradingSchedule(tradingHours).openSpans(until - years * 365 * dayMs, until);
  const nights: number[] = [];
  const weekends: number[] = [];
  const closes: number[] = [];
  for (const [index, { to }] of sessions.entries()) {
    const next = sessions[index + 1];
    // Tokyo has a break at noon.
    if (!next || next.from - to < 6 * hourMs) continue;
    const close = levelOf(symbol, to - 1);
    closes.push(close);
    (next.from - to < dayMs ? nights : weekends).push(levelOf(symbol, next.from) - close);
  }
  return { nights, weekends, days: changesOf(closes) };
}

test('ENG-10: a weekend of a share varies little more than a night, and a day as much as its row states', () => {
  const ratios: number[] = [];
  for (const symbol of ['AAPL', 'NVDA', 'KO', 'JPM', 'SPX', 'FTSE', 'NIKKEI']) {
    const { nights, weekends, days } = gapsOf(symbol);
    const { dailyVolatilityPct } = catalogue.find((pair) => pair.symbol === symbol)!.typical!;
    ratios.push(deviationOf(weekends) / deviationOf(nights));
    expect(ratios.at(-1), symbol).toBeLessThan(1.4);
    expect(ratios.at(-1), symbol).toBeGreaterThan(0.9);
    expect((100 * deviationOf(days)) / dailyVolatilityPct, symbol).toBeGreaterThan(0.85);
    expect((100 * deviationOf(days)) / dailyVolatilityPct, symbol).toBeLessThan(1.25);
  }
  expect(meanOf(ratios)).toBeGreaterThan(1);
  expect(meanOf(ratios)).toBeLessThan(1.3);
});

test('ENG-10: a weekend of a currency is a part of a day, and its Sunday evening is as lively as any evening', () => {
  const { weekends } = gapsOf('EUR/USD');
  const share =
    (100 * deviationOf(weekends)) /
    catalogue.find(({ symbol }) => symbol === 'EUR/USD')!.typical!.dailyVolatilityPct;
  expect(share).toBeGreaterThan(0.2);
  expect(share).toBeLessThan(0.6);

  const sunday = Date.UTC(2026, 10, 8);
  const evenings = (first: number) =>
    Array.from({ length: 400 }, (_, week) => first - week * 7 * dayMs + 22 * hourMs).map(
      (at) => levelOf('EUR/USD', at + 2 * hourMs - 1) - levelOf('EUR/USD', at),
    );
  const ratio = deviationOf(evenings(sunday)) / deviationOf(evenings(sunday + 3 * dayMs));
  expect(ratio).toBeGreaterThan(0.75);
  expect(ratio).toBeLessThan(1.33);
});

test('ENG-10: crypto has no weekend, and a market round the clock none either', () => {
  const saturday = Date.UTC(2026, 10, 7) / dayMs;
  expect(rhythmOfDay('crypto', saturday, true).variance).toBe(1);
  expect(rhythmOfDay('newYork', saturday, false).variance).toBe(1);
  expect(rhythmOfDay('newYork', saturday, true).variance).toBeCloseTo(0.05, 6);
  expect(rhythmOfDay('newYork', saturday + 2, true).variance).toBe(1);
  expect(rhythmOfDay('forex', saturday + 1, true).variance).toBeGreaterThan(0.05);
});
