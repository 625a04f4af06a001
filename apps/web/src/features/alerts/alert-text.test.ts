import { expect, test } from 'vitest';
import { describeAlert, describeEarlierFirings } from './alert-text.ts';

const alert = {
  kind: 'price',
  level: 64_000,
  direction: 'rises',
  windowMinutes: null,
  positionId: null,
} as const;

test('alerts: each kind states what it waits for', () => {
  expect(describeAlert(alert, 0.01)).toBe('Price rises to 64,000.00');
  expect(
    describeAlert({ ...alert, kind: 'change', level: 2.5, direction: 'falls', windowMinutes: 60 }, 0.01),
  ).toBe('Price falls by 2.50% in 1 hour');
  expect(describeAlert({ ...alert, kind: 'change', level: 2, windowMinutes: 1440 }, 0.01)).toBe(
    'Price rises by 2.00% in 24 hours',
  );
  expect(describeAlert({ ...alert, kind: 'roe', level: -25 }, 0.01)).toBe('ROE rises to −25.00%');
  expect(describeAlert({ ...alert, kind: 'liquidation', level: 5 }, 0.01)).toBe(
    'Within 5.00% of liquidation',
  );
});

test('alerts: one that was set again states how often it fired before', () => {
  expect([0, 1, 3].map(describeEarlierFirings)).toEqual([
    'Not yet',
    'Once, before it was set again',
    '3 times, before it was set again',
  ]);
});
