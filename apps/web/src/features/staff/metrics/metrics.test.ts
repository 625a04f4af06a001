import { describe, expect, test } from 'vitest';
import { formatUtcDay, type TotalsDay, toBuckets } from './buckets.ts';
import { formatTotal } from './charts.ts';
import { pageCursorUrlState, toValidPageCursor } from './page-cursor.ts';
import { getRangeStart, rangeUrlState } from './range.ts';
import { getStatusVariant, getTypeVariant } from './transaction-variants.ts';

const search = (text: string) => new URLSearchParams(text);
const parseRange = (text: string) => rangeUrlState.parse(search(text)).range;
const dayWith = (day: string, over: Partial<TotalsDay> = {}): TotalsDay => ({
  day,
  volume: 0,
  active_traders: 0,
  house_pnl: 0,
  liquidations: 0,
  transactions: 0,
  deposits: 0,
  withdrawals: 0,
  ...over,
});

test('METR-01, METR-02, METR-03: 7, 30 or 90 days including today, or all, which is the default', () => {
  const now = Date.parse('2026-11-22T13:00:00Z');
  expect(parseRange('').label).toBe('All Time');
  expect(parseRange('range=nonsense').value).toBe('all');
  const begins = ['7d', '30d', '90d', 'all'].map((range) => getRangeStart(parseRange(`range=${range}`), now));
  expect(begins).toEqual([
    '2026-11-16T00:00:00.000Z',
    '2026-10-24T00:00:00.000Z',
    '2026-08-25T00:00:00.000Z',
    null,
  ]);
  const month = rangeUrlState.write(search(''), { range: parseRange('range=30d') });
  expect(`${month}`).toBe('range=30d');
  expect(`${rangeUrlState.write(month, rangeUrlState.initial)}`).toBe('');
});

describe('the bars of a chart', () => {
  test('every day of a range has a bar, also days without data', () => {
    const { unit, bars } = toBuckets(
      [dayWith('2026-11-20', { volume: 5, active_traders: 2 })],
      '2026-11-19',
      '2026-11-21',
    );
    expect(unit).toBe('Day');
    expect(bars.map(({ name, volume, active_traders }) => [name, volume, active_traders])).toEqual([
      ['Nov 19', 0, 0],
      ['Nov 20', 5, 2],
      ['Nov 21', 0, 0],
    ]);
    expect(formatUtcDay('2026-11-05')).toBe('Nov 05, 2026');
  });

  test('more than 92 days become months: sums, and the daily average of users', () => {
    const days = [
      dayWith('2026-01-31', { deposits: 10, active_traders: 31 }),
      dayWith('2026-02-01', { deposits: 1, active_traders: 14 }),
      dayWith('2026-02-28', { deposits: 2, active_traders: 14 }),
      dayWith('2026-06-01', { deposits: 4 }),
    ];
    const { unit, bars } = toBuckets(days, null, '2026-06-01');
    expect(unit).toBe('Month');
    expect(bars.map(({ name, deposits, active_traders }) => [name, deposits, active_traders])).toEqual([
      ['Jan 2026', 10, 31],
      ['Feb 2026', 3, 1],
      ['Mar 2026', 0, 0],
      ['Apr 2026', 0, 0],
      ['May 2026', 0, 0],
      ['Jun 2026', 4, 0],
    ]);
  });

  test('without any data there is a bar for today', () => {
    expect(toBuckets([], null, '2026-11-21').bars).toHaveLength(1);
  });

  test('a figure that may be a loss shows its sign', () => {
    const figures = [12_560_000, -3200, 0].map((value) => formatTotal(value, true));
    expect(figures).toEqual(['+12.56M', '−3.2K', '0']);
    expect(formatTotal(67_214, false)).toBe('67.21K');
  });
});

describe('the page cursor of transactions', () => {
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const { parse, write } = pageCursorUrlState;
  const read = (params: URLSearchParams) => toValidPageCursor(parse(params));
  test('is written to the URL and read back; an invalid one is the first page', () => {
    const pageCursors = [
      { page: 1, cursor: { kind: 'newest' } },
      { page: 3, cursor: { kind: 'older', at: '2026-11-20T14:09:00.123456+00:00', id } },
      { page: 7, cursor: { kind: 'newer', at: '2026-11-20T14:09:00Z', id } },
      { page: 1345, cursor: { kind: 'oldest' } },
    ] as const;
    for (const pageCursor of pageCursors)
      expect(read(write(search('range=7d'), pageCursor))).toEqual(pageCursor);
    expect(`${write(search('range=7d&page=2&from=oldest'), pageCursors[0])}`).toBe('range=7d');
    for (const odd of [
      'page=2',
      'page=0&from=oldest',
      'page=2&from=older~x~y',
      `page=2&from=older~2026~${id}`,
    ]) {
      expect(read(search(odd))).toEqual(pageCursors[0]);
    }
  });
});

test('METR-07 … METR-09, METR-12 … METR-14: each type and status has its label, icon and colour', () => {
  expect(
    ['deposit', 'withdrawal', 'position_closed', 'fee'].map((type) => getTypeVariant(type).colour),
  ).toEqual(['text-up', 'text-down', 'text-[var(--blue)]', 'text-[var(--blue)]']);
  expect(getTypeVariant('position_closed').label).toBe('Position closed');
  expect(['completed', 'pending', 'failed'].map((status) => getStatusVariant(status).tone)).toEqual([
    'up',
    'warn',
    'down',
  ]);
});
