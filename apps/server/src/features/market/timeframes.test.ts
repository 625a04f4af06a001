import { timeframes } from '@fulcrum/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { barEnd, barStart } from './timeframes.ts';

const instant = fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2040, 0, 1) });
const iso = (ms: number) => new Date(ms).toISOString();

test('weeks begin on Monday, months on the first, days at midnight UTC', () => {
  const at = Date.UTC(2026, 10, 21, 13, 37);
  expect(iso(barStart('1w', at))).toBe('2026-11-16T00:00:00.000Z');
  expect(iso(barStart('1M', at))).toBe('2026-11-01T00:00:00.000Z');
  expect(iso(barEnd('1M', Date.UTC(2026, 11, 1)))).toBe('2027-01-01T00:00:00.000Z');
  expect(iso(barStart('1d', at))).toBe('2026-11-21T00:00:00.000Z');
  expect(iso(barStart('4h', at))).toBe('2026-11-21T12:00:00.000Z');
  expect(iso(barStart('15m', at))).toBe('2026-11-21T13:30:00.000Z');
});

test('bars of every timeframe tile the time line', () => {
  fc.assert(
    fc.property(instant, fc.constantFrom(...timeframes), (at, timeframe) => {
      const start = barStart(timeframe, at);
      const end = barEnd(timeframe, start);
      expect(start).toBeLessThanOrEqual(at);
      expect(end).toBeGreaterThan(at);
      expect(barStart(timeframe, start)).toBe(start);
      expect(barStart(timeframe, end)).toBe(end);
      expect(barStart(timeframe, end - 1)).toBe(start);
    }),
  );
});
