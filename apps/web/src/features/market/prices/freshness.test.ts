import { expect, test } from 'vitest';
import { formatAge, freshnessOf } from './freshness.ts';

const crypto = { type: 'crypto', tradingHours: 'UTC|Mon-Sun 00:00-24:00' } as const;
const stock = { type: 'stock', tradingHours: 'America/New_York|Mon-Fri 09:30-16:00' } as const;
const open = { market_open: true };
const thursdayNoonNewYork = Date.UTC(2026, 10, 19, 17, 0);
const saturday = Date.UTC(2026, 10, 21, 17, 0);

const seen = (
  tick: typeof open | undefined,
  ageMs: number,
  nowMs: number,
  staleAfterS: number | null = null,
) => ({
  tick,
  ageMs,
  nowMs,
  staleAfterS,
});

test('A37: a crypto price is stale after 15 s, any other after 60 s', () => {
  expect(freshnessOf(crypto, seen(open, 15_000, saturday))).toBe('fresh');
  expect(freshnessOf(crypto, seen(open, 15_001, saturday))).toBe('stale');
  expect(freshnessOf(stock, seen(open, 60_000, thursdayNoonNewYork))).toBe('fresh');
  expect(freshnessOf(stock, seen(open, 60_001, thursdayNoonNewYork))).toBe('stale');
});

test('A37: a server set to one age means it for every market', () => {
  expect(freshnessOf(crypto, seen(open, 30_000, saturday, 30))).toBe('fresh');
  expect(freshnessOf(crypto, seen(open, 30_001, saturday, 30))).toBe('stale');
  expect(freshnessOf(stock, seen(open, 30_001, thursdayNoonNewYork, 30))).toBe('stale');
});

test('a shut market is closed, whether the server says so or its hours explain the silence', () => {
  expect(freshnessOf(stock, seen({ market_open: false }, 0, thursdayNoonNewYork))).toBe('closed');
  expect(freshnessOf(stock, seen(open, 120_000, saturday))).toBe('closed');
});

test('hours are not asked while prices come: a round-the-clock server trades on Saturday', () => {
  expect(freshnessOf(stock, seen(open, 1_000, saturday))).toBe('fresh');
});

test('no price is missing', () => {
  expect(freshnessOf(crypto, seen(undefined, 0, saturday))).toBe('missing');
});

test('ages read in the unit that fits', () => {
  expect([400, 42_000, 240_000, 7_200_000, 400_000_000].map(formatAge)).toEqual([
    '0.4 s',
    '42 s',
    '4 min',
    '2 h',
    '5 d',
  ]);
});
