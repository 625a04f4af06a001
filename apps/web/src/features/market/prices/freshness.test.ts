import { expect, test } from 'vitest';
import { getFreshness, getShownState, type PriceObservation } from './freshness.ts';

const crypto = { type: 'crypto', tradingHours: 'UTC|Mon-Sun 00:00-24:00' } as const;
const stock = { type: 'stock', tradingHours: 'America/New_York|Mon-Fri 09:30-16:00' } as const;
const open = { market_open: true, state: 'live' } as const;
const thursdayNoonNewYork = Date.UTC(2026, 10, 19, 17, 0);
const saturday = Date.UTC(2026, 10, 21, 17, 0);

const seen = (
  tick: PriceObservation['tick'],
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
  expect(getFreshness(crypto, seen(open, 15_000, saturday))).toBe('fresh');
  expect(getFreshness(crypto, seen(open, 15_001, saturday))).toBe('stale');
  expect(getFreshness(stock, seen(open, 60_000, thursdayNoonNewYork))).toBe('fresh');
  expect(getFreshness(stock, seen(open, 60_001, thursdayNoonNewYork))).toBe('stale');
});

test('A37: a server set to one age applies it to every market', () => {
  expect(getFreshness(crypto, seen(open, 30_000, saturday, 30))).toBe('fresh');
  expect(getFreshness(crypto, seen(open, 30_001, saturday, 30))).toBe('stale');
  expect(getFreshness(stock, seen(open, 30_001, thursdayNoonNewYork, 30))).toBe('stale');
});

test("a closed market is shown as closed, by the server's state or by its hours", () => {
  expect(getFreshness(stock, seen({ market_open: false, state: 'closed' }, 0, thursdayNoonNewYork))).toBe(
    'closed',
  );
  expect(getFreshness(stock, seen(open, 120_000, saturday))).toBe('closed');
});

test('hours are ignored while prices arrive: a round-the-clock server trades on Saturday', () => {
  expect(getFreshness(stock, seen(open, 1_000, saturday))).toBe('fresh');
});

test("A37: the server's state of a price applies at once, however recent the price is", () => {
  expect(getFreshness(crypto, seen({ market_open: true, state: 'stale' }, 0, saturday))).toBe('stale');
  expect(getFreshness(stock, seen({ market_open: true, state: 'delayed' }, 0, thursdayNoonNewYork))).toBe(
    'delayed',
  );
});

test("A37: the stricter of the server's state and the age applies", () => {
  expect(
    getFreshness(stock, seen({ market_open: true, state: 'delayed' }, 60_001, thursdayNoonNewYork)),
  ).toBe('stale');
  // A feed that died during hours that this server does not apply counts as lost, not closed.
  expect(getFreshness(stock, seen({ market_open: true, state: 'stale' }, 120_000, saturday))).toBe('stale');
});

test('a fresh price shows its source, any other the reason why it is not fresh', () => {
  expect(getShownState('fresh', 'simulated')).toBe('simulated');
  expect(getShownState('stale', 'live')).toBe('stale');
  expect(getShownState('missing', undefined)).toBe('missing');
});

test('without a price the state is missing', () => {
  expect(getFreshness(crypto, seen(undefined, 0, saturday))).toBe('missing');
});
