import { expect, test } from 'vitest';
import { formatAge } from './age.ts';

test('an age is shown in minutes, hours or days', () => {
  const at = Date.UTC(2026, 10, 19, 15);
  const after = (minutes: number) => formatAge(at, at + minutes * 60_000);
  expect([-5, 0, 0.9, 1, 59.9, 60, 119, 120, 1439, 1440, 4000].map(after)).toEqual([
    ...['now', 'now', 'now', '1 min', '59 min', '1 h', '1 h', '2 h', '23 h', '1 d', '2 d'],
  ]);
});
