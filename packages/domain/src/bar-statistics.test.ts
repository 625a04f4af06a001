import { expect, test } from 'vitest';
import { averageTrueRange, correlationOf, type HourBar } from './bar-statistics.ts';
import { asPrice, parseDecimal } from './money.ts';
import { hourMs } from './time.ts';

const price = (value: number) => asPrice(parseDecimal(value.toFixed(8)));
const bars = (closes: readonly number[], from = 0): HourBar[] =>
  closes.map((close, hour) => ({
    openTime: (from + hour) * hourMs,
    high: price(close + 1),
    low: price(close - 1),
    close: price(close),
  }));

test('the average true range is that of the last 24 hours, and includes the gap from the close before', () => {
  expect(averageTrueRange(bars(Array(24).fill(100)))).toBeNull();
  expect(averageTrueRange(bars(Array(25).fill(100)))).toBe(price(2));
  // The bar of 110 reaches from the close of 100 to 111, and the one after it from 110 to 99: 11 each, 22 bars of 2.
  expect(averageTrueRange(bars([...Array(23).fill(100), 110, 100]))).toBe(price((22 * 2 + 11 + 11) / 24));
  // What is older than 24 hours and the close before them does not count.
  expect(averageTrueRange(bars([500, ...Array(25).fill(100)]))).toBe(price(2));
});

const wave = Array.from({ length: 73 }, (_, hour) => 100 + (hour % 3) + (hour % 7));

test('the correlation of a market with itself is 1, with its inverse -1', () => {
  expect(correlationOf(bars(wave), bars(wave))).toBe(1);
  expect(correlationOf(bars(wave), bars(wave.map((close) => close * 3)))).toBe(1);
  expect(correlationOf(bars(wave), bars(wave.map((close) => 10_000 / close)))).toBe(-1);
});

test('two alternating markets of which one moves every other time are correlated by a half of the variance', () => {
  // Returns x = +1, -1, +1, … and y = +1, -1, 0, 0, …, in per cent of 100: the covariance is 1/2, the variances 1 and 1/2.
  const x = [100];
  const y = [100];
  for (let hour = 0; hour < 64; hour += 1) {
    x.push(x[hour]! * (hour % 2 === 0 ? 1.01 : 0.99));
    y.push(y[hour]! * (hour % 4 === 0 ? 1.01 : hour % 4 === 1 ? 0.99 : 1));
  }
  expect(correlationOf(bars(x), bars(y))).toBe(0.71);
});

test('only hours that both have, after an hour that both have, count; 48 are needed', () => {
  expect(correlationOf(bars(wave.slice(0, 49)), bars(wave.slice(0, 49)))).toBe(1);
  expect(correlationOf(bars(wave.slice(0, 48)), bars(wave.slice(0, 48)))).toBeNull();
  // Bars 25 to 72 of the one are the hours 25 to 72 of the other: 47 returns.
  expect(correlationOf(bars(wave), bars(wave.slice(25), 25))).toBeNull();
  expect(correlationOf(bars(wave), bars(wave.slice(24), 24))).toBe(1);
  const holed = bars(wave).filter((_, hour) => hour !== 30);
  expect(correlationOf(holed, bars(wave))).toBe(1);
  expect(
    correlationOf(
      bars(wave).filter((_, hour) => hour % 2 === 0),
      bars(wave),
    ),
  ).toBeNull();
});

test('a market that stood still has none', () => {
  expect(correlationOf(bars(wave), bars(Array(73).fill(100)))).toBeNull();
  expect(correlationOf([], [])).toBeNull();
});
