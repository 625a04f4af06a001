import { expect, test } from 'vitest';
import { allDays } from '../../../shared/time/day-range.ts';
import { daysPresets, filterHistory, formatDays } from './history-filter.ts';
import { mayLack } from './history-rows.ts';

const now = new Date(2026, 10, 24, 9, 30);
const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();

test('the days of a history are named as short as they are clear', () => {
  expect(daysPresets(now).map(({ days }) => formatDays(days, now))).toEqual([
    'All days',
    'Today',
    '7 days',
    '30 days',
  ]);
  expect(formatDays({ from: '2026-11-06', to: '2026-11-09' }, now)).toBe('6 Nov – 9 Nov');
  expect(formatDays({ from: '2026-11-06', to: '2026-11-06' }, now)).toBe('6 Nov');
  expect(formatDays({ from: '2026-11-06', to: null }, now)).toBe('From 6 Nov');
  expect(formatDays({ from: null, to: '2025-12-31' }, now)).toBe('To Dec 31, 2025');
});

test('A78: a history is limited by pair and by local days, seven of them with today', () => {
  const rows = [
    { id: 'a', symbol: 'BTCUSDT', closedAt: at(24, 9) },
    { id: 'b', symbol: 'ETHUSDT', closedAt: at(18, 0) },
    { id: 'c', symbol: 'BTCUSDT', closedAt: at(17, 23) },
  ];
  const find = (only: string | null, days: typeof allDays) =>
    filterHistory(rows, { only, days }, ({ closedAt }) => closedAt);
  const week = daysPresets(now)[2]?.days ?? allDays;
  expect(find(null, allDays)).toBe(rows);
  expect(find(null, week).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(find('BTCUSDT', week).map(({ id }) => id)).toEqual(['a']);
});

test('the server is read only when the days start before the oldest loaded row', () => {
  const days = { from: '2026-11-10', to: null };
  expect(mayLack(at(9, 23), { only: null, days })).toBe(false);
  expect(mayLack(at(10, 1), { only: null, days })).toBe(true);
  expect(mayLack(at(9, 23), { only: 'BTCUSDT', days: allDays })).toBe(true);
});
