import { dayMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { explainState, formatInstant, type PriceStatus } from './state-explanation.ts';
import { stateLabels } from './state-labels.ts';

const now = Date.UTC(2026, 10, 20, 14, 3, 54);
const standing = (given: Partial<PriceStatus>): PriceStatus => ({
  state: 'live',
  source: 'binance',
  receivedAt: now - 32_000,
  marketTime: now - 32_000,
  isHeld: false,
  nowMs: now,
  ...given,
});
const explained = (given: Partial<PriceStatus>) => explainState(standing(given), 'UTC');

test('every state has a label; only live, closed and missing prices have the quiet tone', () => {
  expect(Object.values(stateLabels).map(({ label }) => label)).toEqual([
    'Live',
    'Simulated',
    'Recorded day',
    'Delayed',
    'Stale',
    'Closed',
    'No price',
  ]);
  const quiet = Object.entries(stateLabels).filter(([, { tone }]) => tone === 'quiet');
  expect(quiet.map(([state]) => state)).toEqual(['live', 'closed', 'missing']);
});

test('A37: the explanation names the source and its time', () => {
  expect(explained({})).toBe('Live price from Binance at 14:03:22.');
  expect(explained({ state: 'stale' })).toBe(
    'No price from Binance since 14:03:22. Nothing opens or fires on this price.',
  );
  expect(
    explained({ state: 'delayed', source: 'yahoo', marketTime: Date.UTC(2026, 10, 20, 13, 40, 10) }),
  ).toBe(
    'Yahoo is more than 20 min behind this market: its last price is from 13:40:10. You can view it, but not trade on it.',
  );
  expect(explained({ state: 'closed', source: 'yahoo', marketTime: Date.UTC(2026, 10, 19, 21, 0) })).toBe(
    'The market is closed. This is the last price from Yahoo: Thu 19 Nov, 21:00.',
  );
});

test('the explanation of a simulated or recorded price names it', () => {
  expect(explained({ state: 'simulated', source: 'simulated' })).toContain('made by a model');
  expect(explained({ state: 'replay', source: 'replay', marketTime: Date.UTC(2022, 11, 13, 9, 30) })).toBe(
    'A recorded market day, played back: the price from 13 Dec 2022, 09:30 UTC.',
  );
});

test('a held price has another explanation than a stale source', () => {
  expect(explained({ state: 'stale', isHeld: true })).toContain('staff accept it');
});

test('a time today shows the clock only, any other shows its day', () => {
  expect(formatInstant(now, now, 'UTC')).toBe('14:03:54');
  expect(formatInstant(now - dayMs, now, 'UTC')).toBe('Thu 19 Nov, 14:03');
  expect(formatInstant(now, now, 'America/New_York')).toBe('09:03:54');
});
