import { expect, test } from 'vitest';
import { freshnessOf, isHeldBack, type Sighting, shownState } from './freshness.ts';

const crypto = { type: 'crypto', tradingHours: 'UTC|Mon-Sun 00:00-24:00' } as const;
const stock = { type: 'stock', tradingHours: 'America/New_York|Mon-Fri 09:30-16:00' } as const;
const open = { market_open: true, state: 'live' } as const;
const thursdayNoonNewYork = Date.UTC(2026, 10, 19, 17, 0);
const saturday = Date.UTC(2026, 10, 21, 17, 0);

const seen = (tick: Sighting['tick'], ageMs: number, nowMs: number, staleAfterS: number | null = null) => ({
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
  expect(freshnessOf(stock, seen({ market_open: false, state: 'closed' }, 0, thursdayNoonNewYork))).toBe(
    'closed',
  );
  expect(freshnessOf(stock, seen(open, 120_000, saturday))).toBe('closed');
});

test('hours are not asked while prices come: a round-the-clock server trades on Saturday', () => {
  expect(freshnessOf(stock, seen(open, 1_000, saturday))).toBe('fresh');
});

test('A37: what the server says of a price counts at once, however young the price is', () => {
  expect(freshnessOf(crypto, seen({ market_open: true, state: 'stale' }, 0, saturday))).toBe('stale');
  expect(freshnessOf(stock, seen({ market_open: true, state: 'delayed' }, 0, thursdayNoonNewYork))).toBe(
    'delayed',
  );
});

test('A37: the graver of what the server says and of what the age says counts', () => {
  expect(freshnessOf(stock, seen({ market_open: true, state: 'delayed' }, 60_001, thursdayNoonNewYork))).toBe(
    'stale',
  );
  // A feed that died in hours that this server does not honour stays lost, not shut.
  expect(freshnessOf(stock, seen({ market_open: true, state: 'stale' }, 120_000, saturday))).toBe('stale');
});

test('a fresh price shows what it is made of, any other why it is not', () => {
  expect(shownState('fresh', 'simulated')).toBe('simulated');
  expect(shownState('stale', 'live')).toBe('stale');
  expect(shownState('missing', undefined)).toBe('missing');
});

test('a young price that the server calls stale is held back, an old one is lost', () => {
  const stale = { market_open: true, state: 'stale' } as const;
  expect(isHeldBack(crypto, seen(stale, 1_000, saturday))).toBe(true);
  expect(isHeldBack(crypto, seen(stale, 15_000, saturday))).toBe(false);
  expect(isHeldBack(crypto, seen(open, 1_000, saturday))).toBe(false);
});

test('no price is missing', () => {
  expect(freshnessOf(crypto, seen(undefined, 0, saturday))).toBe('missing');
});
