import { expect, test } from 'vitest';
import { findBarIndex, getTradeWindow } from './trade-window.ts';

const minute = 60_000;
const hour = 60 * minute;
const now = Date.parse('2026-11-21T12:00:00Z');

test.each([
  ['a minute', minute, '1m'],
  ['36 minutes', 36 * minute, '1m'],
  ['37 minutes', 37 * minute, '5m'],
  ['three hours', 3 * hour, '5m'],
  ['nine hours', 9 * hour, '15m'],
  ['a day', 24 * hour, '1h'],
  ['a week', 7 * 24 * hour, '1d'],
  ['three years', 3 * 365 * 24 * hour, '1w'],
])('%s held is shown in bars of %3$s', (_what, held, timeframe) => {
  const exit = now - 100 * 24 * hour;
  expect(getTradeWindow(exit - held, exit, now).timeframe).toBe(timeframe);
});

test('a closed trade has as many bars after it as before, none from the future', () => {
  // 30 of 72 bars held: 21 after.
  expect(getTradeWindow(now - 10 * hour, now - 10 * hour + 30 * minute, now)).toEqual({
    timeframe: '1m',
    bars: 72,
    before: now - 10 * hour + 51 * minute,
  });
  expect(getTradeWindow(now - 30 * minute, now - minute, now).before).toBe(now);
  expect(getTradeWindow(now - 30 * minute, null, now)).toEqual({ timeframe: '1m', bars: 72, before: now });
});

test('the bar that contains an instant', () => {
  expect([0, 9, 10, 25, 99].map((at) => findBarIndex([10, 20, 30], at))).toEqual([null, null, 0, 1, 2]);
  expect(findBarIndex([], 1)).toBeNull();
});
