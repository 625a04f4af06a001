import { dayMs, hourMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import type { Bar } from './bars.ts';
import { dayLevels } from './day-levels.ts';

const monday = Date.UTC(2026, 10, 23);
const spec = { timeframe: '4h', tradingHours: 'UTC|Mon-Sun 00:00-24:00' } as const;
const bar = (timestamp: number, price: number, volume = 1): Bar => ({
  timestamp,
  open: price,
  high: price + 3,
  low: price - 3,
  close: price,
  volume,
});
/** Six bars of four hours. */
const day = (start: number, prices: readonly number[]): Bar[] =>
  prices.map((price, index) => bar(start + index * 4 * hourMs, price));

test('charts: VWAP weighs by volume and starts again with each day; the day before gives its high and low', () => {
  const bars = [
    ...day(monday, [100, 110, 120, 110, 100, 90]),
    bar(monday + dayMs, 200, 1),
    bar(monday + dayMs + 4 * hourMs, 220, 3),
  ];
  const levels = dayLevels(bars, spec);
  expect(levels[0]).toEqual({ vwap: 100, high: null, low: null, hasGap: false });
  expect(levels[2]?.vwap).toBeCloseTo(110, 10);
  expect(levels[6]).toEqual({ vwap: 200, high: 123, low: 87, hasGap: false });
  expect(levels[7]?.vwap).toBeCloseTo((200 + 3 * 220) / 4, 10);
});

test('charts: a day whose beginning is not loaded gives no level, and one with missing bars states it', () => {
  const bars = [
    ...day(monday + 4 * hourMs, [100, 110, 120, 110, 100]),
    ...day(monday + dayMs, [100, 110, 120, 110, 100, 90]),
    bar(monday + 2 * dayMs, 100),
  ];
  expect(
    dayLevels(bars, spec)
      .slice(0, 5)
      .every(({ vwap }) => vwap === null),
  ).toBe(true);
  expect(dayLevels(bars, spec)[5]).toMatchObject({ vwap: 100, high: null, low: null });
  expect(dayLevels(bars, spec).at(-1)).toMatchObject({ high: 123, low: 87, hasGap: false });
  const torn = bars.map((one, index) => (index === 7 ? { ...one, gap: true } : one));
  expect(dayLevels(torn, spec).at(-1)).toMatchObject({ high: 123, low: 87, hasGap: true });
});

test('charts: bars of a day or longer, and a day without volume, have no VWAP', () => {
  expect(dayLevels([bar(monday, 100)], { ...spec, timeframe: '1d' })[0]?.vwap).toBeNull();
  expect(dayLevels([bar(monday, 100, 0)], spec)[0]?.vwap).toBeNull();
});
