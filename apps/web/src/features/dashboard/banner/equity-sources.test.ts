import { expect, test } from 'vitest';
import type { LiveSource } from '../../../shared/numbers/index.ts';
import { followResult, followReturn } from './equity-sources.ts';

const source = (value: number | null): LiveSource => ({ get: () => value, subscribe: () => () => {} });
const day = { since: '2026-11-21T00:00:00Z', equity: 12_593.49, net_deposits: 0 };
const afternoon = () => Date.UTC(2026, 10, 21, 15, 42);

test('the day is measured from its equity at 00:00 UTC, deposits left aside', () => {
  expect(followResult(source(12_904.89), day, afternoon).get()).toBe(311.4);
  expect(followReturn(source(12_904.89), day, afternoon).get()).toBe(2.47);
  expect(followResult(source(12_904.89), { ...day, net_deposits: 500 }, afternoon).get()).toBe(-188.6);
});

test('without an equity, or once the day is over, there is no result of the day', () => {
  expect(followResult(source(null), day, afternoon).get()).toBeNull();
  expect(followResult(source(12_904.89), day, () => Date.UTC(2026, 10, 22)).get()).toBeNull();
});
