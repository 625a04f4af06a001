import type { Timeframe } from '@fulcrum/contract';
import { barStart } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { barAfterTick, correctedBars, findGaps, formatCountdown } from './bars.ts';

const at = Date.UTC(2026, 10, 19, 15, 42, 19);
const crypto = 'UTC|Mon-Sun 00:00-24:00';
const forex = 'America/New_York|Sun 17:00-24:00;Mon-Thu 00:00-24:00;Fri 00:00-17:00';
const minutes = { timeframe: '1m', tradingHours: crypto } as const;

test('a tick extends its own bar or opens the next one, and never changes an older one', () => {
  const last = {
    timestamp: barStart('1m', at, crypto),
    open: 100,
    high: 101,
    low: 99,
    close: 100,
    volume: 7,
    gap: true,
  };
  expect(barAfterTick(last, minutes, 102, at)).toEqual({ ...last, high: 102, close: 102 });
  expect(barAfterTick(last, minutes, 98, at + 60_000)).toEqual({
    timestamp: last.timestamp + 60_000,
    open: 98,
    high: 98,
    low: 98,
    close: 98,
    volume: 0,
  });
  expect(barAfterTick(last, minutes, 98, at - 60_000)).toBeNull();
});

test('a tick on Sunday evening belongs to Monday for forex, and to Sunday for crypto', () => {
  const sundayEvening = Date.UTC(2026, 10, 22, 23, 0);
  const nameOf = (tradingHours: string) =>
    barAfterTick(undefined, { timeframe: '1d', tradingHours }, 1, sundayEvening)?.timestamp;
  expect(nameOf(forex)).toBe(Date.UTC(2026, 10, 23));
  expect(nameOf(crypto)).toBe(Date.UTC(2026, 10, 22));
});

test('the countdown is shown in minutes, hours or days', () => {
  const left = (timeframe: Timeframe, tradingHours = crypto) =>
    formatCountdown({ timeframe, tradingHours }, barStart(timeframe, at, tradingHours), at);
  expect(left('15m')).toBe('02:41');
  expect(left('4h')).toBe('17:41');
  expect(left('1d')).toBe('8:17:41');
  expect(left('1w')).toBe('3d 08h');
});

test('a trading day of forex ends at 17:00 in New York, its week on Sunday', () => {
  const left = (timeframe: Timeframe) =>
    formatCountdown({ timeframe, tradingHours: forex }, barStart(timeframe, at, forex), at);
  expect(left('1d')).toBe('6:17:41');
  expect(left('1w')).toBe('3d 06h');
});

test('bars that closed since the last correction take the server’s values, the forming one keeps its close', () => {
  const bar = (index: number, high: number, close: number, volume: number) => ({
    timestamp: index * 60_000,
    open: 10,
    high,
    low: 9,
    close,
    volume,
    gap: false,
  });
  const held = [1, 2, 3, 4, 5].map((index) => bar(index, 11, 10, 0));
  const fresh = [0, 1, 2, 3, 4].map((index) => bar(index, 15, 12, 7));
  expect(correctedBars(held, fresh, held[4])).toEqual([1, 2, 3, 4].map((index) => bar(index, 15, 12, 7)));
  expect(correctedBars(held, [bar(5, 10.5, 12, 3)], held[4])).toEqual([bar(5, 11, 10, 3)]);
  expect(correctedBars(held, [bar(5, 12, 12, 3)], undefined)).toEqual([bar(5, 12, 12, 3)]);
});

const gapped = [true, false, false, true, true, false].map((gap) => ({ gap }));

test('a gap is marked before the visible bar that follows it', () => {
  expect(findGaps(gapped, 0, 6)).toEqual([3, 4]);
  expect(findGaps(gapped, 4, 6)).toEqual([4]);
  expect(findGaps(gapped, -3, 40)).toEqual([3, 4]);
});

test('before the first bar there is no gap', () => {
  expect(findGaps(gapped, 0, 3)).toEqual([]);
});
