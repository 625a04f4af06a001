import { expect, test } from 'vitest';
import { barSpan, barStart, nextBar, previousBar, timeframes, tradingDay, tradingDayStart } from './bars.ts';
import { ALWAYS_OPEN, isMarketOpen } from './hours.ts';
import { dayMs, hourMs } from './time.ts';

const forex = 'America/New_York|Sun 17:00-24:00;Mon-Thu 00:00-24:00;Fri 00:00-17:00';
const futures = 'America/New_York|Sun 18:00-24:00;Mon-Thu 00:00-17:00;Mon-Thu 18:00-24:00;Fri 00:00-17:00';
const stocks = 'America/New_York|Mon-Fri 09:30-16:00';
const sydney = 'Australia/Sydney|Mon-Fri 10:00-16:00';
const elsewhere = [
  'America/Chicago|Sun 19:00-24:00;Mon-Thu 00:00-07:45;Mon-Thu 08:30-13:20;Mon-Thu 19:00-24:00;Fri 00:00-07:45;Fri 08:30-13:20',
  'America/New_York|Sun 21:00-24:00;Mon-Thu 00:00-14:20;Mon-Thu 21:00-24:00;Fri 00:00-14:20',
  'Europe/London|Mon-Fri 08:00-16:30',
  'Europe/Paris|Mon-Fri 09:00-17:30',
  'Asia/Tokyo|Mon-Fri 09:00-11:30;Mon-Fri 12:30-15:30',
  'Asia/Hong_Kong|Mon-Fri 09:30-12:00;Mon-Fri 13:00-16:00',
];
const all = [ALWAYS_OPEN, forex, futures, stocks, sydney, ...elsewhere];
const at = (text: string) => Date.parse(text);
const date = (day: number) => new Date(day).toISOString().slice(0, 10);

test('crypto counts days, weeks and months on the UTC clock', () => {
  expect(date(tradingDay(ALWAYS_OPEN, at('2026-11-22T23:59:59Z')))).toBe('2026-11-22');
  expect(barStart('1w', at('2026-11-22T23:59:59Z'), ALWAYS_OPEN)).toBe(at('2026-11-16T00:00:00Z'));
  expect(barSpan('1M', at('2026-02-01T00:00:00Z'), ALWAYS_OPEN)).toEqual({
    from: at('2026-02-01T00:00:00Z'),
    to: at('2026-03-01T00:00:00Z'),
  });
});

test('forex and futures open their Monday on Sunday evening, in winter and in summer', () => {
  expect(date(tradingDay(forex, at('2026-01-18T22:00:00Z')))).toBe('2026-01-19');
  expect(date(tradingDay(forex, at('2026-01-18T21:59:00Z')))).toBe('2026-01-18');
  expect(date(tradingDay(forex, at('2026-07-19T21:00:00Z')))).toBe('2026-07-20');
  expect(date(tradingDay(futures, at('2026-07-19T21:59:00Z')))).toBe('2026-07-19');
  expect(date(tradingDay(futures, at('2026-07-19T22:00:00Z')))).toBe('2026-07-20');
  // So the week that a Sunday evening begins is the week of the Monday after it.
  expect(barStart('1w', at('2026-01-18T22:30:00Z'), forex)).toBe(at('2026-01-19T00:00:00Z'));
  expect(barStart('1M', at('2026-01-31T23:00:00Z'), forex)).toBe(at('2026-02-01T00:00:00Z'));
});

test('a session in Sydney is one day, although midnight UTC lies inside it', () => {
  expect(date(tradingDay(sydney, at('2026-01-19T23:30:00Z')))).toBe('2026-01-20');
  expect(date(tradingDay(sydney, at('2026-01-20T04:30:00Z')))).toBe('2026-01-20');
});

test('days on which the clocks change have 23 or 25 hours', () => {
  const hours = (day: string, of: string) => {
    const { from, to } = barSpan('1d', at(`${day}T00:00:00Z`), of);
    return (to - from) / hourMs;
  };
  expect(hours('2026-03-08', stocks)).toBe(23);
  expect(hours('2026-11-01', stocks)).toBe(25);
  // New York's clocks change on Sunday at 02:00, which is in the trading day from Saturday 17:00 to Sunday 17:00.
  expect(hours('2026-03-08', forex)).toBe(23);
  expect(hours('2026-03-09', forex)).toBe(24);
});

test('bars of a timeframe cover time without gap or overlap, and a moment lies in the bar that it names', () => {
  for (const [hours, begin] of all.flatMap((each) => [
    [each, at('2026-02-20T00:00:00Z')] as const,
    [each, at('2026-09-20T00:00:00Z')] as const,
  ])) {
    for (const timeframe of timeframes) {
      let start = barStart(timeframe, begin, hours);
      for (let count = 0; count < 60; count += 1) {
        const { from, to } = barSpan(timeframe, start, hours);
        const next = nextBar(timeframe, start);
        expect(barStart(timeframe, from, hours)).toBe(start);
        expect(barStart(timeframe, to - 1, hours)).toBe(start);
        expect(barStart(timeframe, to, hours)).toBe(next);
        expect(previousBar(timeframe, next)).toBe(start);
        start = next;
      }
    }
  }
});

test('no session is cut in two by the end of a trading day', () => {
  for (const hours of all.slice(1)) {
    for (let day = at('2026-03-01T00:00:00Z'); day < at('2026-04-15T00:00:00Z'); day += dayMs) {
      const roll = tradingDayStart(hours, day);
      if (hours === forex) continue;
      expect(isMarketOpen(hours, roll - 60_000) && isMarketOpen(hours, roll)).toBe(false);
    }
  }
});
