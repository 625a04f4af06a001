import { expect, test } from 'vitest';
import type { PriceStanding } from '../../shared/prices/state-explanation.ts';
import { stillOf, stillWords } from './standing-still.ts';

const now = Date.parse('2026-11-20T14:05:00Z');
const heardAt = Date.parse('2026-11-20T14:03:22Z');
const marketTime = Date.parse('2026-11-18T21:00:00Z');
const standing: Omit<PriceStanding, 'nowMs' | 'source'> = {
  state: 'live',
  heardAt,
  marketTime,
  isHeld: false,
};

test.each(['live', 'simulated', 'replay', 'missing'] as const)('%s: nothing stands still', (state) => {
  expect(stillOf({ ...standing, state })).toBeNull();
});

test.each([
  ['stale', false, { short: 'Stale · 14:03', sentence: 'Stale: this price stands still since 14:03:22.' }],
  ['stale', true, { short: 'Stale', sentence: 'Stale: this price was held back.' }],
  [
    'closed',
    false,
    {
      short: 'Closed · 18 Nov',
      sentence: 'Closed: this price stands still since Wed 18 Nov, 21:00.',
    },
  ],
  [
    'delayed',
    false,
    {
      short: 'Delayed · 18 Nov',
      sentence: 'Delayed: this price stands still since Wed 18 Nov, 21:00.',
    },
  ],
] as const)('A37: %s, held back %s, says since when', (state, isHeld, words) => {
  const still = stillOf({ ...standing, state, isHeld }) ?? expect.unreachable();
  expect(stillWords(still, now, 'UTC')).toEqual(words);
});
