import { expect, test } from 'vitest';
import { ema, macd, rsi, sma } from './indicators.ts';

test('TRADE-19: a simple moving average', () => {
  expect(sma([1, 2, 3, 4, 5], 3)).toEqual([null, null, 2, 3, 4]);
});

test('an exponential average starts from the simple one and skips missing values', () => {
  expect(ema([null, 2, 4, 6, 10], 3)).toEqual([null, null, null, 4, 7]);
});

test("TRADE-19: RSI with Wilder's smoothing, checked by hand over three bars", () => {
  const closes = [10, 11, 10.5, 11.5, 11];
  // First: gains (1 + 0 + 1) / 3, losses 0.5 / 3. Then both smoothed by a third.
  const [gain, loss] = [(2 / 3) * (2 / 3), (0.5 / 3) * (2 / 3) + 0.5 / 3];
  const values = rsi(closes, 3);
  expect(values.slice(0, 3)).toEqual([null, null, null]);
  expect(values[3]).toBeCloseTo((100 * 2) / 2.5, 10);
  expect(values[4]).toBeCloseTo((100 * gain) / (gain + loss), 10);
  expect(rsi([5, 5, 5, 5], 3)[3]).toBe(50);
});

test('TRADE-19: the MACD histogram is line minus signal', () => {
  const closes = Array.from({ length: 60 }, (_, index) => 100 + index);
  const last = macd(closes, [12, 26, 9]).at(-1);
  expect(last?.macd).toBeCloseTo(7, 10);
  expect(last?.signal).toBeCloseTo(7, 10);
  expect(last?.histogram).toBeCloseTo(0, 10);
  expect(macd(closes, [12, 26, 9])[24]).toEqual({ macd: null, signal: null, histogram: null });
});
