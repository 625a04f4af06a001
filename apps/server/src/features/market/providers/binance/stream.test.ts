import { expect, test } from 'vitest';
import { reconnectDelayMs } from './stream.ts';

test('FEED-17, FEED-19, A31: each wait is twice the one before, and never longer than 30 s', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 60].map(reconnectDelayMs)).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
  ]);
});
