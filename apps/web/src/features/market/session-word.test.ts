import { expect, test } from 'vitest';
import { openingAfter, openingTitle, sessionWord, waitText } from './session-word.ts';

const crypto = 'UTC|Mon-Sun 00:00-24:00';
const stock = 'America/New_York|Mon-Fri 09:30-16:00';
const forex = 'America/New_York|Sun 17:00-24:00;Mon-Thu 00:00-24:00;Fri 00:00-17:00';
const noon = Date.UTC(2026, 10, 19, 17, 0);
const evening = Date.UTC(2026, 10, 19, 23, 0);
const saturday = Date.UTC(2026, 10, 21, 17, 0);

test('A98: a shut market says how long until it opens, never the present minute', () => {
  const shut = { freshness: 'closed', isReplay: false } as const;
  expect(sessionWord({ ...shut, tradingHours: stock, marketNow: evening })).toBe('Opens in 15 h 30 min');
  expect(sessionWord({ ...shut, tradingHours: forex, marketNow: saturday })).toBe('Opens in 1 d 5 h');
  expect(sessionWord({ ...shut, tradingHours: stock, marketNow: noon })).toBe('Closed');
});

test('A98: the exact opening is told in the zone of the reader', () => {
  const shut = { freshness: 'closed', isReplay: false, tradingHours: stock } as const;
  const opening = openingAfter({ ...shut, marketNow: evening });
  expect(opening).toBe(Date.UTC(2026, 10, 20, 14, 30));
  expect(openingTitle(opening ?? 0, 'UTC')).toMatch(/^Opens on Friday,? 20 November at 14:30 UTC$/);
  expect(openingTitle(opening ?? 0, 'Europe/Berlin')).toMatch(/15:30/);
  expect(openingAfter({ ...shut, marketNow: noon })).toBeNull();
  expect(openingAfter({ ...shut, freshness: 'fresh', marketNow: evening })).toBeNull();
});

test('a wait reads in its two largest units, rounded up', () => {
  const minute = 60_000;
  expect(
    [1, minute, 59.5 * minute, 192 * minute, 120 * minute, 1441 * minute, 3120 * minute].map(waitText),
  ).toEqual(['1 min', '1 min', '1 h', '3 h 12 min', '2 h', '1 d', '2 d 4 h']);
});

test('a recording that ended within the hours says so', () => {
  const shut = { freshness: 'closed', isReplay: true } as const;
  expect(sessionWord({ ...shut, tradingHours: crypto, marketNow: noon })).toBe('Recording ended');
  expect(sessionWord({ ...shut, tradingHours: stock, marketNow: evening })).toBe('Closed');
});

test('a pair without a price has no session', () => {
  const pair = { tradingHours: crypto, isReplay: false, marketNow: noon } as const;
  expect(sessionWord({ ...pair, freshness: 'missing' })).toBe('No prices');
  expect(sessionWord({ ...pair, freshness: 'fresh' })).toBe('Open 24/7');
});
