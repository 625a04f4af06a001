import { expect, test } from 'vitest';
import { fillCalendar, formatDayLabel, formatDayTick, localDay } from './days.ts';

const tradedDays = [
  { day: '2026-02-27', trades: 2, net_pnl: 5 },
  { day: '2026-03-02', trades: 1, net_pnl: -1 },
];

test('days without a trade are part of the calendar', () => {
  expect(fillCalendar(tradedDays, null, '2026-03-03').map(({ day, trades }) => `${day} ${trades}`)).toEqual([
    '2026-02-27 2',
    '2026-02-28 0',
    '2026-03-01 0',
    '2026-03-02 1',
    '2026-03-03 0',
  ]);
  expect(fillCalendar(tradedDays, '2026-02-26', '2026-03-02')[0]).toEqual({
    day: '2026-02-26',
    trades: 0,
    net_pnl: 0,
  });
});

test('without trades and first day there are no days; of many years the latest is shown', () => {
  expect(fillCalendar([], null, '2026-03-03')).toEqual([]);
  expect(fillCalendar([], '2026-03-03', '2026-03-03')).toHaveLength(1);
  const years = fillCalendar([{ day: '2020-01-01', trades: 1, net_pnl: 1 }], null, '2026-03-03');
  expect(years).toHaveLength(366);
  expect(years.at(-1)?.day).toBe('2026-03-03');
});

test('a calendar day is the local day and is labelled with its weekday', () => {
  expect(localDay(new Date(2026, 10, 21, 23, 59).getTime())).toBe('2026-11-21');
  expect(localDay(new Date(2026, 10, 21, 0, 0).getTime())).toBe('2026-11-21');
  expect(formatDayLabel('2026-11-16')).toBe('Mon 16 Nov');
  expect(formatDayTick('2026-11-16')).toBe('16 Nov');
});
