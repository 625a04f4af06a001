import { dayMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { periods, spanOf } from './period.ts';

const [week, lastWeek, month] = periods;
const local = (...[year, month_, day]: [number, number, number]) =>
  new Date(year, month_ - 1, day).toISOString();

test('A115: a week runs from Monday to Monday, on the first and on the last of its days', () => {
  const span = { from: local(2026, 11, 23), to: local(2026, 11, 30) };
  expect(spanOf(week, new Date(2026, 10, 23, 0, 0).getTime())).toEqual(span);
  expect(spanOf(week, new Date(2026, 10, 29, 23, 59).getTime())).toEqual(span);
  expect(spanOf(lastWeek, new Date(2026, 11, 1, 12).getTime())).toEqual(span);
});

test('31 days end with today, and are never longer than the server reviews', () => {
  for (let month_ = 0; month_ < 12; month_ += 1) {
    const now = new Date(2026, month_, 15, 12).getTime();
    const { from, to } = spanOf(month, now);
    expect(Date.parse(to) - Date.parse(from)).toBeLessThanOrEqual(31 * dayMs);
    expect(Date.parse(to)).toBeGreaterThan(now);
  }
});
