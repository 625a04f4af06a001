import { expect, test } from 'vitest';
import type { PriceStatus } from '../../shared/prices/state-explanation.ts';
import { explainNonLivePrice, getNonLivePrice } from './non-live-price.ts';

const now = Date.parse('2026-11-20T14:05:00Z');
const receivedAt = Date.parse('2026-11-20T14:03:22Z');
const marketTime = Date.parse('2026-11-18T21:00:00Z');
const priceStatus: Omit<PriceStatus, 'nowMs' | 'source'> = {
  state: 'live',
  receivedAt,
  marketTime,
  isHeld: false,
};

test.each(['live', 'simulated', 'replay', 'missing'] as const)('%s: has no notice', (state) => {
  expect(getNonLivePrice({ ...priceStatus, state })).toBeNull();
});

test.each([
  ['stale', false, { short: 'Stale · 14:03', sentence: 'Stale: this price has not changed since 14:03:22.' }],
  ['stale', true, { short: 'Stale', sentence: 'Stale: this price is on hold.' }],
  [
    'closed',
    false,
    {
      short: 'Closed · 18 Nov',
      sentence: 'Closed: this price has not changed since Wed 18 Nov, 21:00.',
    },
  ],
  [
    'delayed',
    false,
    {
      short: 'Delayed · 18 Nov',
      sentence: 'Delayed: this price has not changed since Wed 18 Nov, 21:00.',
    },
  ],
] as const)('A37: %s, held %s, states since when', (state, isHeld, expected) => {
  const still = getNonLivePrice({ ...priceStatus, state, isHeld }) ?? expect.unreachable();
  expect(explainNonLivePrice(still, now, 'UTC')).toEqual(expected);
});
