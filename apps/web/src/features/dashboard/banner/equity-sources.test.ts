import { expect, test } from 'vitest';
import type { LiveSource } from '../../../shared/numbers/index.ts';
import { followCurve, followResult, followReturn } from './equity-sources.ts';

const source = (value: number | null): LiveSource => ({ get: () => value, subscribe: () => () => {} });
const day = { since: '2026-11-21T00:00:00Z', equity: 12_593.49, net_deposits: 0 };
const afternoon = () => Date.UTC(2026, 10, 21, 15, 42);

test('the result of the day starts from the equity at 00:00 UTC, without deposits', () => {
  expect(followResult(source(12_904.89), day, afternoon).get()).toBe(311.4);
  expect(followReturn(source(12_904.89), day, afternoon).get()).toBe(2.47);
  expect(followResult(source(12_904.89), { ...day, net_deposits: 500 }, afternoon).get()).toBe(-188.6);
});

test('without an equity, or after the end of the day, there is no result of the day', () => {
  expect(followResult(source(null), day, afternoon).get()).toBeNull();
  expect(followResult(source(12_904.89), day, () => Date.UTC(2026, 10, 22)).get()).toBeNull();
});

test('the sum of the curve follows the equity, without deposits', () => {
  const first = { equity: 10_000, result: 20 };
  const last = { equity: 10_590, result: 110 };
  // Deposits until the last point: 10,590 − 110 = 10,480. Result since the first: 10,600 − 10,480 − 20.
  expect(followCurve(source(10_600), first, last).get()).toBe(100);
  expect(followCurve(source(10_590), first, last).get()).toBe(90);
  expect(followCurve(source(null), first, last).get()).toBeNull();
});
