import { describe, expect, test } from 'vitest';
import { ALWAYS_OPEN, isMarketOpen, nextClosing, nextOpening, TradingHoursError } from './hours.ts';
import { dayMs, hourMs } from './time.ts';

const at = (iso: string) => Date.parse(iso);
const written = (instant: number | null) =>
  instant === null ? null : new Date(instant).toISOString().replace(':00.000Z', 'Z');
const opening = (hours: string, iso: string) => written(nextOpening(hours, at(iso)));
const closing = (hours: string, iso: string) => written(nextClosing(hours, at(iso)));

const nyse = 'America/New_York|Mon-Fri 09:30-16:00';
const forex = 'America/New_York|Sun 17:00-24:00;Mon-Thu 00:00-24:00;Fri 00:00-17:00';
const metals = 'America/New_York|Sun 18:00-24:00;Mon-Thu 00:00-17:00;Mon-Thu 18:00-24:00;Fri 00:00-17:00';
const grains =
  'America/Chicago|Sun 19:00-24:00;Mon-Thu 00:00-07:45;Mon-Thu 08:30-13:20;Mon-Thu 19:00-24:00;Fri 00:00-07:45;Fri 08:30-13:20';
const tokyo = 'Asia/Tokyo|Mon-Fri 09:00-11:30;Mon-Fri 12:30-15:30';
const sydney = 'Australia/Sydney|Mon-Fri 10:00-16:00';
const london = 'Europe/London|Mon-Fri 08:00-16:30';
const paris = 'Europe/Paris|Mon-Fri 09:00-17:30';
const hongKong = 'Asia/Hong_Kong|Mon-Fri 09:30-12:00;Mon-Fri 13:00-16:00';
const lumber = 'America/Chicago|Mon-Fri 09:00-15:05';
const all = [nyse, forex, metals, grains, lumber, london, paris, tokyo, hongKong, sydney];

describe('isMarketOpen', () => {
  test.each([
    // The same local time is another instant before and after 9 March 2025, when New York changed to summer time.
    [nyse, '2025-03-07T14:29:59.999Z', false],
    [nyse, '2025-03-07T14:30:00Z', true],
    [nyse, '2025-03-10T13:29:59.999Z', false],
    [nyse, '2025-03-10T13:30:00Z', true],
    [nyse, '2025-03-10T19:59:59.999Z', true],
    [nyse, '2025-03-10T20:00:00Z', false],
    [nyse, '2025-03-08T15:00:00Z', false],
    // Back to winter time on 2 November 2025.
    [nyse, '2025-10-31T13:30:00Z', true],
    [nyse, '2025-11-03T13:30:00Z', false],
    [nyse, '2025-11-03T14:30:00Z', true],
    // Midnight between two segments of forex is not a gap.
    [forex, '2025-06-10T03:59:59.999Z', true],
    [forex, '2025-06-10T04:00:00Z', true],
    [forex, '2025-06-13T20:59:59Z', true],
    [forex, '2025-06-13T21:00:00Z', false],
    [forex, '2025-06-15T20:59:59Z', false],
    [forex, '2025-06-15T21:00:00Z', true],
    // The hour's break of metals.
    [metals, '2025-06-10T20:59:00Z', true],
    [metals, '2025-06-10T21:00:00Z', false],
    [metals, '2025-06-10T22:00:00Z', true],
    [grains, '2025-06-10T12:45:00Z', false],
    [grains, '2025-06-10T13:30:00Z', true],
    [tokyo, '2025-06-10T02:29:00Z', true],
    [tokyo, '2025-06-10T02:30:00Z', false],
    [tokyo, '2025-06-10T03:30:00Z', true],
    // Monday in Sydney while it is still Sunday in UTC, in southern summer time.
    [sydney, '2025-01-05T23:00:00Z', true],
    [sydney, '2025-01-05T22:59:00Z', false],
    [sydney, '2025-07-07T00:00:00Z', true],
    [ALWAYS_OPEN, '2025-06-14T00:00:00Z', true],
    [ALWAYS_OPEN, '2025-06-15T23:59:59.999Z', true],
  ])('%s at %s: %s', (hours, instant, open) => {
    expect(isMarketOpen(hours, at(instant))).toBe(open);
  });

  test('a fractional millisecond before the opening is before the opening', () => {
    expect(isMarketOpen(nyse, at('2025-03-10T13:30:00Z') - 0.5)).toBe(false);
  });
});

describe('nextOpening', () => {
  test.each([
    [nyse, '2025-06-10T08:00:00Z', '2025-06-10T13:30Z'],
    [nyse, '2025-06-10T21:00:00Z', '2025-06-11T13:30Z'],
    // Over the weekend in which the clock goes forward, and the one in which it goes back.
    [nyse, '2025-03-07T22:00:00Z', '2025-03-10T13:30Z'],
    [nyse, '2025-10-31T22:00:00Z', '2025-11-03T14:30Z'],
    [forex, '2025-03-08T12:00:00Z', '2025-03-09T21:00Z'],
    [forex, '2025-11-01T12:00:00Z', '2025-11-02T22:00Z'],
    [metals, '2025-06-10T21:00:30Z', '2025-06-10T22:00Z'],
    [grains, '2025-06-10T12:50:00Z', '2025-06-10T13:30Z'],
    [sydney, '2025-04-04T12:00:00Z', '2025-04-07T00:00Z'],
    // The start does not exist on the local clock: the first instant after the jump is inside the segment.
    ['America/New_York|Sun 02:30-05:00', '2025-03-09T05:00:00Z', '2025-03-09T07:00Z'],
    // The start happens twice: the first time counts.
    ['America/New_York|Sun 01:30-05:00', '2025-11-02T04:00:00Z', '2025-11-02T05:30Z'],
    // One opening a week, just missed.
    ['UTC|Wed 10:07-10:08', '2025-06-11T10:08:00Z', '2025-06-18T10:07Z'],
  ])('%s after %s is %s', (hours, from, expected) => {
    expect(opening(hours, from)).toBe(expected);
  });

  test('an open market opens now, to the millisecond', () => {
    const now = at('2025-06-10T14:00:12.345Z');
    expect(nextOpening(nyse, now)).toBe(now);
  });

  test('a start that summer time swallows and that is over before the jump ends is not found within the bound', () => {
    expect(nextOpening('America/New_York|Sun 02:10-02:20', at('2025-03-08T12:00:00Z'))).toBe(
      at('2025-03-16T06:10:00Z'),
    );
    expect(nextOpening('America/New_York|Sun 02:10-02:20', at('2025-03-03T12:00:00Z'))).toBeNull();
  });

  test('agrees with asking every minute, through both changes of the clock', () => {
    for (const hours of [nyse, forex, metals, grains, sydney]) {
      for (const from of [
        '2025-03-08T20:17:00Z',
        '2025-04-05T06:03:00Z',
        '2025-10-04T01:00:00Z',
        '2025-11-01T21:41:00Z',
      ]) {
        let minute = at(from);
        while (!isMarketOpen(hours, minute)) minute += 60_000;
        expect(nextOpening(hours, at(from))).toBe(minute);
      }
    }
  });
});

describe('nextClosing', () => {
  test.each([
    [nyse, '2026-06-10T14:00:12Z', '2026-06-10T20:00Z'],
    [tokyo, '2026-06-10T01:00:00Z', '2026-06-10T02:30Z'],
    // Midnight between two segments is no closing; the weekend is, in winter an hour later on the UTC clock.
    [forex, '2026-03-02T00:00:00Z', '2026-03-06T22:00Z'],
    [forex, '2026-03-09T00:00:00Z', '2026-03-13T21:00Z'],
    [metals, '2026-03-08T23:00:00Z', '2026-03-09T21:00Z'],
    // Through a change of the clock: the session that begins on the Sunday of it.
    ['America/New_York|Sun 00:00-12:00', '2026-03-08T05:00:00Z', '2026-03-08T16:00Z'],
    ['America/New_York|Sun 00:00-12:00', '2026-11-01T04:00:00Z', '2026-11-01T17:00Z'],
    // The end does not exist on the local clock: the first instant after the jump is outside.
    ['America/New_York|Sun 00:00-02:30', '2026-03-08T05:00:00Z', '2026-03-08T07:00Z'],
    [ALWAYS_OPEN, '2026-06-10T14:00:00Z', null],
  ])('%s after %s is %s', (hours, from, expected) => {
    expect(closing(hours, from)).toBe(expected);
  });

  test('a shut market closes now, to the millisecond', () => {
    const now = at('2026-06-10T22:00:12.345Z');
    expect(nextClosing(nyse, now)).toBe(now);
  });
});

describe('A98: sessions keep to the local clock through both changes of the year', () => {
  test.each([
    // [hours, opening and closing on the trading day before a change and on the one after it]
    [
      'New York, forward',
      nyse,
      '2026-03-06T14:30Z',
      '2026-03-06T21:00Z',
      '2026-03-09T13:30Z',
      '2026-03-09T20:00Z',
    ],
    [
      'New York, back',
      nyse,
      '2026-10-30T13:30Z',
      '2026-10-30T20:00Z',
      '2026-11-02T14:30Z',
      '2026-11-02T21:00Z',
    ],
    [
      'Chicago, forward',
      lumber,
      '2026-03-06T15:00Z',
      '2026-03-06T21:05Z',
      '2026-03-09T14:00Z',
      '2026-03-09T20:05Z',
    ],
    [
      'Chicago, back',
      lumber,
      '2026-10-30T14:00Z',
      '2026-10-30T20:05Z',
      '2026-11-02T15:00Z',
      '2026-11-02T21:05Z',
    ],
    [
      'London, forward',
      london,
      '2026-03-27T08:00Z',
      '2026-03-27T16:30Z',
      '2026-03-30T07:00Z',
      '2026-03-30T15:30Z',
    ],
    [
      'London, back',
      london,
      '2026-10-23T07:00Z',
      '2026-10-23T15:30Z',
      '2026-10-26T08:00Z',
      '2026-10-26T16:30Z',
    ],
    [
      'Paris, forward',
      paris,
      '2026-03-27T08:00Z',
      '2026-03-27T16:30Z',
      '2026-03-30T07:00Z',
      '2026-03-30T15:30Z',
    ],
    [
      'Paris, back',
      paris,
      '2026-10-23T07:00Z',
      '2026-10-23T15:30Z',
      '2026-10-26T08:00Z',
      '2026-10-26T16:30Z',
    ],
    // In the south the clock goes back in April; the session of Monday begins on Sunday UTC while it is ahead by 11 h.
    [
      'Sydney, back',
      sydney,
      '2026-04-02T23:00Z',
      '2026-04-03T05:00Z',
      '2026-04-06T00:00Z',
      '2026-04-06T06:00Z',
    ],
    [
      'Sydney, forward',
      sydney,
      '2026-10-02T00:00Z',
      '2026-10-02T06:00Z',
      '2026-10-04T23:00Z',
      '2026-10-05T05:00Z',
    ],
    // No clock change of their own, independent of New York.
    [
      'Tokyo, March',
      tokyo,
      '2026-03-06T00:00Z',
      '2026-03-06T02:30Z',
      '2026-03-09T00:00Z',
      '2026-03-09T02:30Z',
    ],
    [
      'Tokyo, November',
      tokyo,
      '2026-10-30T00:00Z',
      '2026-10-30T02:30Z',
      '2026-11-02T00:00Z',
      '2026-11-02T02:30Z',
    ],
    [
      'Hong Kong, March',
      hongKong,
      '2026-03-06T01:30Z',
      '2026-03-06T04:00Z',
      '2026-03-09T01:30Z',
      '2026-03-09T04:00Z',
    ],
    [
      'Hong Kong, November',
      hongKong,
      '2026-10-30T01:30Z',
      '2026-10-30T04:00Z',
      '2026-11-02T01:30Z',
      '2026-11-02T04:00Z',
    ],
  ])('%s', (_name, hours, openBefore, shutBefore, openAfter, shutAfter) => {
    for (const [open, shut] of [
      [openBefore, shutBefore],
      [openAfter, shutAfter],
    ] as const) {
      expect(isMarketOpen(hours, at(open) - 1)).toBe(false);
      expect(isMarketOpen(hours, at(open))).toBe(true);
      expect(isMarketOpen(hours, at(shut) - 1)).toBe(true);
      expect(isMarketOpen(hours, at(shut))).toBe(false);
      expect(closing(hours, open)).toBe(shut);
    }
    // Queried on the Saturday between them.
    expect(written(nextOpening(hours, at(shutBefore) + dayMs))).toBe(openAfter);
  });
});

test('nextOpening and nextClosing agree with asking every minute, through a week around each change', () => {
  for (const hours of all) {
    for (const sunday of [
      '2026-03-08',
      '2026-03-29',
      '2026-04-05',
      '2026-10-04',
      '2026-10-25',
      '2026-11-01',
    ]) {
      const from = at(`${sunday}T00:00:00Z`) - 36 * hourMs;
      let open = isMarketOpen(hours, from);
      let instant = from;
      for (let minute = from; minute < from + 4 * dayMs; minute += 60_000) {
        if (isMarketOpen(hours, minute) === open) continue;
        expect(open ? nextClosing(hours, instant) : nextOpening(hours, instant)).toBe(minute);
        instant = minute;
        open = !open;
      }
    }
  }
});

describe('what cannot be read is refused', () => {
  test.each([
    '',
    'Mon-Fri 09:30-16:00',
    '|Mon 09:30-16:00',
    'Nowhere/Land|Mon 09:30-16:00',
    'UTC|',
    'UTC|Mon 9:30-16:00',
    'UTC|Mon 16:00-09:30',
    'UTC|Mon 09:30-09:30',
    'UTC|Mon 09:30-24:01',
    'UTC|Mon 09:60-10:00',
    'UTC|Fri-Mon 09:30-16:00',
    'UTC|Mun 09:30-16:00',
    'UTC|Mon-Fun 09:30-16:00',
    'UTC|Mon 09:30-16:00;',
  ])('%j', (hours) => {
    expect(() => isMarketOpen(hours, 0)).toThrow(TradingHoursError);
    expect(() => nextOpening(hours, 0)).toThrow(TradingHoursError);
  });
});

test('more specifications than the cache holds still answer right', () => {
  for (let day = 0; day < 600; day += 1) {
    const end = `${String(1 + (day % 23)).padStart(2, '0')}:${String(day % 60).padStart(2, '0')}`;
    expect(isMarketOpen(`UTC|Mon 00:00-${end}`, at('2025-06-09T00:30:00Z'))).toBe(true);
  }
});
