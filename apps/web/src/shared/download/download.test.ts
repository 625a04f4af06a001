import { expect, test } from 'vitest';
import { formatDayStamp, toFileName } from './index.ts';

test('a name keeps letters of any script and loses path characters', () => {
  expect(toFileName('closed_positions_../müller x_20261121.csv')).toBe(
    'closed_positions_.._müller_x_20261121.csv',
  );
});
test('A78: the day is the local one', () => {
  expect(formatDayStamp(new Date(2026, 0, 9, 23, 59))).toBe('20260109');
});
