import { expect, test } from 'vitest';
import { dayStamp, fileNameOf } from './index.ts';

test('a name keeps letters of any script and loses what a path would be made of', () => {
  expect(fileNameOf('closed_positions_../müller x_20261121.csv')).toBe(
    'closed_positions_.._müller_x_20261121.csv',
  );
});
test('A78: the day is the local one', () => {
  expect(dayStamp(new Date(2026, 0, 9, 23, 59))).toBe('20260109');
});
