import { expect, test } from 'vitest';
import { barAfterTick, correctedBars, countdown, endOf, openingOf } from './bars.ts';

const at = Date.UTC(2026, 10, 19, 15, 42, 19);

test('TRADE-17: each of the nine timeframes opens where the server cuts its candles', () => {
  const opening = (timeframe: Parameters<typeof openingOf>[0]) =>
    new Date(openingOf(timeframe, at)).toISOString();
  expect(opening('1m')).toBe('2026-11-19T15:42:00.000Z');
  expect(opening('5m')).toBe('2026-11-19T15:40:00.000Z');
  expect(opening('15m')).toBe('2026-11-19T15:30:00.000Z');
  expect(opening('30m')).toBe('2026-11-19T15:30:00.000Z');
  expect(opening('1h')).toBe('2026-11-19T15:00:00.000Z');
  expect(opening('4h')).toBe('2026-11-19T12:00:00.000Z');
  expect(opening('1d')).toBe('2026-11-19T00:00:00.000Z');
  expect(opening('1w')).toBe('2026-11-16T00:00:00.000Z');
  expect(opening('1M')).toBe('2026-11-01T00:00:00.000Z');
});

test('a bar ends where the next one opens', () => {
  for (const timeframe of ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M'] as const) {
    const end = endOf(timeframe, openingOf(timeframe, at));
    expect(openingOf(timeframe, end)).toBe(end);
    expect(openingOf(timeframe, end - 1)).toBe(openingOf(timeframe, at));
  }
});

test('a tick extends the bar it belongs to, opens the next one, and never rewrites an older one', () => {
  const last = { timestamp: openingOf('1m', at), open: 100, high: 101, low: 99, close: 100, volume: 7 };
  expect(barAfterTick(last, '1m', 102, at)).toEqual({ ...last, high: 102, close: 102 });
  expect(barAfterTick(last, '1m', 98, at + 60_000)).toEqual({
    timestamp: last.timestamp + 60_000,
    open: 98,
    high: 98,
    low: 98,
    close: 98,
    volume: 0,
  });
  expect(barAfterTick(last, '1m', 98, at - 60_000)).toBeNull();
});

test('the countdown reads minutes, hours or days', () => {
  expect(countdown('15m', openingOf('15m', at), at)).toBe('02:41');
  expect(countdown('4h', openingOf('4h', at), at)).toBe('17:41');
  expect(countdown('1d', openingOf('1d', at), at)).toBe('8:17:41');
  expect(countdown('1w', openingOf('1w', at), at)).toBe('3d 08h');
});

test('all bars that closed since the last correction become the server’s, the forming one keeps its close', () => {
  const bar = (index: number, high: number, close: number, volume: number) => ({
    timestamp: index * 60_000,
    open: 10,
    high,
    low: 9,
    close,
    volume,
  });
  const held = [1, 2, 3, 4, 5].map((index) => bar(index, 11, 10, 0));
  const fresh = [0, 1, 2, 3, 4].map((index) => bar(index, 15, 12, 7));
  expect(correctedBars(held, fresh, held[4])).toEqual([1, 2, 3, 4].map((index) => bar(index, 15, 12, 7)));
  expect(correctedBars(held, [bar(5, 10.5, 12, 3)], held[4])).toEqual([bar(5, 11, 10, 3)]);
  expect(correctedBars(held, [bar(5, 12, 12, 3)], undefined)).toEqual([bar(5, 12, 12, 3)]);
});
