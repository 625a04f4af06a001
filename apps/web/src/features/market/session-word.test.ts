import { expect, test } from 'vitest';
import { sessionWord } from './session-word.ts';

const crypto = 'UTC|Mon-Sun 00:00-24:00';
const stock = 'America/New_York|Mon-Fri 09:30-16:00';
const noon = Date.UTC(2026, 10, 19, 17, 0);
const evening = Date.UTC(2026, 10, 19, 23, 0);

test('a shut market announces an opening that lies ahead, never the present minute', () => {
  const shut = { freshness: 'closed', isReplay: false } as const;
  expect(sessionWord({ ...shut, tradingHours: stock, marketNow: evening })).toBe('Opens Fri 14:30 UTC');
  expect(sessionWord({ ...shut, tradingHours: stock, marketNow: noon })).toBe('Closed');
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
