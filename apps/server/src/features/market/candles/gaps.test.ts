import { ALWAYS_OPEN, barSpan, barStart, isMarketOpen, nextBar, type Timeframe } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import type { Bar } from '../feed.ts';
import { markGaps } from './gaps.ts';

const stocks = 'America/New_York|Mon-Fri 09:30-16:00';
const nikkei = 'Asia/Tokyo|Mon-Fri 09:00-11:30;Mon-Fri 12:30-15:30';
const hongKong = 'Asia/Hong_Kong|Mon-Fri 09:30-12:00;Mon-Fri 13:00-16:00';
const forex = 'America/New_York|Sun 17:00-24:00;Mon-Thu 00:00-24:00;Fri 00:00-17:00';
const futures = 'America/New_York|Sun 18:00-24:00;Mon-Thu 00:00-17:00;Mon-Thu 18:00-24:00;Fri 00:00-17:00';
const corn =
  'America/Chicago|Sun 19:00-24:00;Mon-Thu 00:00-07:45;Mon-Thu 08:30-13:20;Mon-Thu 19:00-24:00;Fri 00:00-07:45;Fri 08:30-13:20';
const sugar = 'Europe/London|Mon-Fri 01:00-19:00';
const at = (text: string) => Date.parse(text);

const barAt = (name: number): Bar => ({
  open_time: new Date(name).toISOString(),
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  volume: 0,
  quote_volume: 0,
});

/** Every bar in which the market trades by its hours, except those that are left out. */
function bars(
  hours: string,
  timeframe: Timeframe,
  [from, to]: readonly [string, string],
  isLeftOut: (name: number) => boolean = () => false,
): Bar[] {
  const made: Bar[] = [];
  for (let name = barStart(timeframe, at(from), hours); name < at(to); name = nextBar(timeframe, name)) {
    const span = barSpan(timeframe, name, hours);
    let isExpected = false;
    for (let instant = span.from; instant < span.to && !isExpected; instant += 60_000)
      isExpected = isMarketOpen(hours, instant);
    if (isExpected && !isLeftOut(name)) made.push(barAt(name));
  }
  return made;
}
const between = (from: string, to: string) => (name: number) => name >= at(from) && name < at(to);
const gapsOf = (made: readonly Bar[], timeframe: Timeframe, hours: string) =>
  markGaps(made, timeframe, hours)
    .filter(({ gap }) => gap)
    .map(({ open_time }) => open_time);

test.each([
  ['crypto', ALWAYS_OPEN],
  ['New York', stocks],
  ['Tokyo with its lunch', nikkei],
  ['Hong Kong with its lunch', hongKong],
  ['forex', forex],
  ['futures with their daily break', futures],
  ['grains, whose day has two sessions that end on odd minutes', corn],
  ['London', sugar],
])('whole hours of %s have no gap, over both changes of the clocks', (_, hours) => {
  for (const range of [
    ['2026-03-05T00:00:00Z', '2026-03-11T00:00:00Z'],
    ['2026-03-26T00:00:00Z', '2026-03-31T00:00:00Z'],
    ['2026-10-22T00:00:00Z', '2026-10-27T00:00:00Z'],
    ['2026-10-29T00:00:00Z', '2026-11-03T00:00:00Z'],
  ] as const)
    for (const timeframe of ['5m', '30m', '1h', '4h'] as const)
      expect(gapsOf(bars(hours, timeframe, range), timeframe, hours), timeframe).toEqual([]);
  for (const timeframe of ['1d', '1w', '1M'] as const)
    expect(
      gapsOf(bars(hours, timeframe, ['2026-01-05T00:00:00Z', '2026-12-01T00:00:00Z']), timeframe, hours),
      timeframe,
    ).toEqual([]);
});

test('a missing minute of a market that never shuts is a gap before the next bar', () => {
  const made = bars(
    ALWAYS_OPEN,
    '1m',
    ['2026-11-21T00:00:00Z', '2026-11-21T01:00:00Z'],
    between('2026-11-21T00:10:00Z', '2026-11-21T00:11:00Z'),
  );
  expect(gapsOf(made, '1m', ALWAYS_OPEN)).toEqual(['2026-11-21T00:11:00.000Z']);
  const days = bars(
    ALWAYS_OPEN,
    '1d',
    ['2026-11-01T00:00:00Z', '2026-11-21T00:00:00Z'],
    between('2026-11-07T00:00:00Z', '2026-11-08T00:00:00Z'),
  );
  expect(gapsOf(days, '1d', ALWAYS_OPEN)).toEqual(['2026-11-08T00:00:00.000Z']);
});

test('minutes missing inside a session, at its beginning or at its end are a gap', () => {
  const range = ['2026-11-17T00:00:00Z', '2026-11-19T00:00:00Z'] as const;
  for (const [from, to, marked] of [
    ['2026-11-17T16:00:00Z', '2026-11-17T16:05:00Z', '2026-11-17T16:05:00.000Z'],
    ['2026-11-18T14:30:00Z', '2026-11-18T14:40:00Z', '2026-11-18T14:40:00.000Z'],
    ['2026-11-17T20:55:00Z', '2026-11-17T21:00:00Z', '2026-11-18T14:30:00.000Z'],
  ] as const)
    expect(gapsOf(bars(stocks, '1m', range, between(from, to)), '1m', stocks)).toEqual([marked]);
});

test('a whole session without bars is a holiday: one day in New York, an afternoon in Hong Kong, a day of forex', () => {
  const thanksgiving = between('2026-11-26T00:00:00Z', '2026-11-27T00:00:00Z');
  const week = ['2026-11-23T00:00:00Z', '2026-11-28T00:00:00Z'] as const;
  for (const timeframe of ['1m', '15m', '1h', '4h', '1d'] as const)
    expect(gapsOf(bars(stocks, timeframe, week, thanksgiving), timeframe, stocks), timeframe).toEqual([]);
  const halfDay = between('2026-12-24T05:00:00Z', '2026-12-25T00:00:00Z');
  const christmas = ['2026-12-21T00:00:00Z', '2026-12-30T00:00:00Z'] as const;
  expect(gapsOf(bars(hongKong, '5m', christmas, halfDay), '5m', hongKong)).toEqual([]);
  const feast = between('2026-12-24T22:00:00Z', '2026-12-25T22:00:00Z');
  expect(gapsOf(bars(forex, '15m', christmas, feast), '15m', forex)).toEqual([]);
});

test('Tokyo’s new year is a holiday, a week without a bar is a gap', () => {
  const newYear = between('2026-12-31T00:00:00Z', '2027-01-04T00:00:00Z');
  const range = ['2026-12-21T00:00:00Z', '2027-01-20T00:00:00Z'] as const;
  for (const timeframe of ['15m', '1d'] as const)
    expect(gapsOf(bars(nikkei, timeframe, range, newYear), timeframe, nikkei), timeframe).toEqual([]);
  const week = between('2027-01-04T00:00:00Z', '2027-01-11T00:00:00Z');
  expect(gapsOf(bars(nikkei, '15m', range, week), '15m', nikkei)).toEqual(['2027-01-11T00:00:00.000Z']);
  for (const timeframe of ['1d', '1w'] as const)
    expect(gapsOf(bars(nikkei, timeframe, range, week), timeframe, nikkei), timeframe).toEqual([
      '2027-01-11T00:00:00.000Z',
    ]);
});

test('a day of forex that lost an hour at its edge is no holiday', () => {
  const range = ['2026-11-16T00:00:00Z', '2026-11-19T00:00:00Z'] as const;
  const silence = between('2026-11-16T21:00:00Z', '2026-11-17T22:00:00Z');
  expect(gapsOf(bars(forex, '15m', range, silence), '15m', forex)).toEqual(['2026-11-17T22:00:00.000Z']);
});

test('the first bar is never marked, and bars outside the hours cause no mark', () => {
  expect(markGaps([], '1m', stocks)).toEqual([]);
  expect(markGaps([barAt(at('2026-11-21T12:00:00Z'))], '1m', stocks)).toMatchObject([{ gap: false }]);
  const night = ['2026-11-21T00:00:00Z', '2026-11-21T06:00:00Z'] as const;
  expect(gapsOf(bars(ALWAYS_OPEN, '1m', night), '1m', stocks)).toEqual([]);
});
