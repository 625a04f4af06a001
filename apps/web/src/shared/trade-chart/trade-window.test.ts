import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { findBarIndex, getTradeWindow } from './trade-window.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

test.each([
  ['a minute', minuteMs, '1m'],
  ['36 minutes', 36 * minuteMs, '1m'],
  ['37 minutes', 37 * minuteMs, '5m'],
  ['three hours', 3 * hourMs, '5m'],
  ['nine hours', 9 * hourMs, '15m'],
  ['a day', dayMs, '1h'],
  ['a week', 7 * dayMs, '1d'],
  ['three years', 3 * 365 * dayMs, '1w'],
])('%s held is shown in bars of %3$s', (_what, held, timeframe) => {
  const exit = now - 100 * dayMs;
  expect(getTradeWindow(exit - held, exit, now).timeframe).toBe(timeframe);
});

test('a closed trade has as many bars after it as before, none from the future', () => {
  // 30 of 72 bars held: 21 after.
  expect(getTradeWindow(now - 10 * hourMs, now - 10 * hourMs + 30 * minuteMs, now)).toEqual({
    timeframe: '1m',
    bars: 72,
    before: now - 10 * hourMs + 51 * minuteMs,
  });
  expect(getTradeWindow(now - 30 * minuteMs, now - minuteMs, now).before).toBe(now);
  expect(getTradeWindow(now - 30 * minuteMs, null, now)).toEqual({ timeframe: '1m', bars: 72, before: now });
});

test('the bar that contains an instant', () => {
  expect([0, 9, 10, 25, 99].map((at) => findBarIndex([10, 20, 30], at))).toEqual([null, null, 0, 1, 2]);
  expect(findBarIndex([], 1)).toBeNull();
});
