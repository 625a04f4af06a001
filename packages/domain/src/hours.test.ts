import { describe, expect, test } from 'vitest';
import { ALWAYS_OPEN, isMarketOpen, nextOpening, TradingHoursError } from './hours.ts';

const at = (iso: string) => Date.parse(iso);
const opening = (hours: string, iso: string) => {
  const found = nextOpening(hours, at(iso));
  return found === null ? null : new Date(found).toISOString().replace(':00.000Z', 'Z');
};

const nyse = 'America/New_York|Mon-Fri 09:30-16:00';
const forex = 'America/New_York|Sun 17:00-24:00;Mon-Thu 00:00-24:00;Fri 00:00-17:00';
const metals = 'America/New_York|Sun 18:00-24:00;Mon-Thu 00:00-17:00;Mon-Thu 18:00-24:00;Fri 00:00-17:00';
const grains =
  'America/Chicago|Sun 19:00-24:00;Mon-Thu 00:00-07:45;Mon-Thu 08:30-13:20;Mon-Thu 19:00-24:00;Fri 00:00-07:45;Fri 08:30-13:20';
const tokyo = 'Asia/Tokyo|Mon-Fri 09:00-11:30;Mon-Fri 12:30-15:30';
const sydney = 'Australia/Sydney|Mon-Fri 10:00-16:00';

describe('isMarketOpen', () => {
  test.each([
    // The same wall time is another instant before and after 9 March 2025, when New York went to summer time.
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
    // The start does not exist on the wall clock: the first instant after the jump is inside the segment.
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
