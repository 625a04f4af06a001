import { expect, test } from 'vitest';
import { instantText, type PriceStanding, stateExplanation } from './state-explanation.ts';
import { stateWords } from './state-words.ts';

const now = Date.UTC(2026, 10, 20, 14, 3, 54);
const standing = (given: Partial<PriceStanding>): PriceStanding => ({
  state: 'live',
  source: 'binance',
  heardAt: now - 32_000,
  marketTime: now - 32_000,
  isHeld: false,
  nowMs: now,
  ...given,
});
const explained = (given: Partial<PriceStanding>) => stateExplanation(standing(given), 'UTC');

test('every state has its word; only a price to trade on, a shut market and none at all are quiet', () => {
  expect(Object.values(stateWords).map(({ word }) => word)).toEqual([
    'Live',
    'Simulated',
    'Recorded day',
    'Delayed',
    'Stale',
    'Closed',
    'No price',
  ]);
  const quiet = Object.entries(stateWords).filter(([, { tone }]) => tone === 'quiet');
  expect(quiet.map(([state]) => state)).toEqual(['live', 'closed', 'missing']);
});

test('A37: the explanation names the source and its time', () => {
  expect(explained({})).toBe('Live price from Binance, of 14:03:22.');
  expect(explained({ state: 'stale' })).toBe(
    'No word from Binance since 14:03:22. Nothing opens or fires on this price.',
  );
  expect(
    explained({ state: 'delayed', source: 'yahoo', marketTime: Date.UTC(2026, 10, 20, 13, 40, 10) }),
  ).toBe(
    'Yahoo lags more than 20 min behind this market: its last price is of 13:40:10. It is to look at, not to trade on.',
  );
  expect(explained({ state: 'closed', source: 'yahoo', marketTime: Date.UTC(2026, 10, 19, 21, 0) })).toBe(
    'The market is closed. This is the last price from Yahoo, of Thu 19 Nov, 21:00.',
  );
});

test('what no market made says so', () => {
  expect(explained({ state: 'simulated', source: 'simulated' })).toContain('made by a model');
  expect(explained({ state: 'replay', source: 'replay', marketTime: Date.UTC(2022, 11, 13, 9, 30) })).toBe(
    'A recorded market day, played back: the price of 13 Dec 2022, 09:30 UTC.',
  );
});

test('a price that the server holds back is not told as a lost one', () => {
  expect(explained({ state: 'stale', isHeld: true })).toContain('staff have accepted it');
});

test('an instant of today is a clock, any other carries its day', () => {
  expect(instantText(now, now, 'UTC')).toBe('14:03:54');
  expect(instantText(now - 86_400_000, now, 'UTC')).toBe('Thu 19 Nov, 14:03');
  expect(instantText(now, now, 'America/New_York')).toBe('09:03:54');
});
