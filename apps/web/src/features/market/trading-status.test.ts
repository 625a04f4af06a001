import { minuteMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { formatOpeningTitle, formatWait, getNextOpening, getTradingStatusLabel } from './trading-status.ts';

const crypto = 'UTC|Mon-Sun 00:00-24:00';
const stock = 'America/New_York|Mon-Fri 09:30-16:00';
const forex = 'America/New_York|Sun 17:00-24:00;Mon-Thu 00:00-24:00;Fri 00:00-17:00';
const noon = Date.UTC(2026, 10, 19, 17, 0);
const evening = Date.UTC(2026, 10, 19, 23, 0);
const saturday = Date.UTC(2026, 10, 21, 17, 0);

test('A98: a closed market shows how long until it opens, never the present minute', () => {
  const shut = { freshness: 'closed', isReplay: false } as const;
  expect(getTradingStatusLabel({ ...shut, tradingHours: stock, marketNow: evening })).toBe(
    'Opens in 15 h 30 min',
  );
  expect(getTradingStatusLabel({ ...shut, tradingHours: forex, marketNow: saturday })).toBe(
    'Opens in 1 d 5 h',
  );
  expect(getTradingStatusLabel({ ...shut, tradingHours: stock, marketNow: noon })).toBe('Closed');
});

test('A98: the exact opening is shown in the local time zone', () => {
  const shut = { freshness: 'closed', isReplay: false, tradingHours: stock } as const;
  const opening = getNextOpening({ ...shut, marketNow: evening });
  expect(opening).toBe(Date.UTC(2026, 10, 20, 14, 30));
  expect(formatOpeningTitle(opening ?? 0, 'UTC')).toMatch(/^Opens on Friday,? 20 November at 14:30 UTC$/);
  expect(formatOpeningTitle(opening ?? 0, 'Europe/Berlin')).toMatch(/15:30/);
  expect(getNextOpening({ ...shut, marketNow: noon })).toBeNull();
  expect(getNextOpening({ ...shut, freshness: 'fresh', marketNow: evening })).toBeNull();
});

test('a wait is shown in its two largest units, rounded up', () => {
  expect(
    [1, minuteMs, 59.5 * minuteMs, 192 * minuteMs, 120 * minuteMs, 1441 * minuteMs, 3120 * minuteMs].map(
      formatWait,
    ),
  ).toEqual(['1 min', '1 min', '1 h', '3 h 12 min', '2 h', '1 d', '2 d 4 h']);
});

test('ENG-8: a recording without prices within the hours is shown as not recorded, because it may continue', () => {
  const shut = { freshness: 'closed', isReplay: true } as const;
  expect(getTradingStatusLabel({ ...shut, tradingHours: crypto, marketNow: noon })).toBe('Not recorded');
  expect(getTradingStatusLabel({ ...shut, tradingHours: stock, marketNow: evening })).toBe('Closed');
});

test('a pair without a price has no session', () => {
  const pair = { tradingHours: crypto, isReplay: false, marketNow: noon } as const;
  expect(getTradingStatusLabel({ ...pair, freshness: 'missing' })).toBe('No prices');
  expect(getTradingStatusLabel({ ...pair, freshness: 'fresh' })).toBe('Open 24/7');
});
