import { hourMs, minuteMs } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { barsToLookInto, findJumps, getJumpThreshold } from './jumps.ts';
import { changeOver, type PriceHistory, priceAt, rangeOver, withPrice } from './price-history.ts';

const now = Date.UTC(2026, 10, 18, 15, 30);
const [start, lengthMs] = [Date.UTC(2026, 10, 18, 10), hourMs];

/** Hourly bars from 10:00, each from the close before it. */
const hours = (...closes: readonly number[]): PriceHistory =>
  closes.slice(1).map((close, index) => {
    const open = closes[index] as number;
    const from = start + index * lengthMs;
    return {
      from,
      to: from + lengthMs,
      open,
      high: Math.max(open, close),
      low: Math.min(open, close),
      close,
      turnover: 1,
    };
  });
const question = (history: PriceHistory) => ({
  history,
  threshold: 1.2,
  now,
  spanMs: 12 * hourMs,
  minutesOf: () => undefined,
});

describe('price history', () => {
  const history = hours(100, 101, 99, 102);

  test('figures of an instant are made of bars that were over by then', () => {
    expect(priceAt(history, start + hourMs - 1)).toBeNull();
    expect(priceAt(history, start + hourMs)).toBe(101);
    expect(priceAt(history, start + 2.5 * hourMs)).toBe(99);
    expect(changeOver(history, start + 3 * hourMs, 2 * hourMs)).toBeCloseTo((102 / 101 - 1) * 100, 10);
    expect(changeOver(history, start + 3 * hourMs, 3 * hourMs)).toBeNull();
    expect(rangeOver(history, start + 3 * hourMs, 2 * hourMs)).toEqual({ high: 102, low: 99 });
  });

  test('the price of now ends the running bar, or begins one', () => {
    const inside = withPrice(history, 103, start + 2.5 * hourMs);
    expect(inside.at(-1)).toMatchObject({ open: 99, high: 103, low: 99, close: 103 });
    const after = withPrice(history, 90, start + 3.2 * hourMs);
    expect(after.at(-1)).toMatchObject({
      from: start + 3 * hourMs,
      open: 102,
      high: 102,
      low: 90,
      close: 90,
    });
    expect(withPrice([], 1, now)).toEqual([]);
  });
});

describe('jumps', () => {
  test('an hour in which gold gains 4 % is found with its size, at its end', () => {
    const jumps = findJumps(question(hours(4000, 4002, 4162.08, 4160, 4161, 4159)));
    expect(jumps).toEqual([{ at: start + 2 * hourMs, percent: expect.closeTo(4, 8), price: 4162.08 }]);
  });

  test('the minutes of a bar date the jump, and reveal a move that came back', () => {
    const history = hours(100, 100, 100);
    const spiked = history.map((bar) => (bar.from === start + hourMs ? { ...bar, high: 105 } : bar));
    const minute = (at: number, open: number, close: number) => ({
      from: start + hourMs + at * minuteMs,
      to: start + hourMs + (at + 1) * minuteMs,
      open,
      high: Math.max(open, close),
      low: Math.min(open, close),
      close,
      turnover: 0,
    });
    expect(barsToLookInto(question(spiked)).map(({ from }) => from)).toEqual([start + hourMs]);
    const minutes = [
      minute(16, 100, 100.5),
      minute(17, 100.5, 105),
      minute(18, 105, 104.8),
      minute(50, 101, 100),
    ];
    const minutesOf = (from: number) => (from === start + hourMs ? minutes : undefined);
    expect(findJumps({ ...question(spiked), minutesOf })).toEqual([
      { at: start + hourMs + 18 * minuteMs, percent: expect.closeTo(5, 8), price: 105 },
    ]);
    expect(findJumps(question(spiked))).toEqual([]);
  });

  test('a move under way has the time of its bar, which has begun', () => {
    const running = { from: start + 5 * hourMs, to: start + 6 * hourMs };
    const history = [
      ...hours(100, 100, 100, 100, 100, 100),
      { ...running, open: 100, high: 100, low: 96, close: 96, turnover: 0 },
    ];
    expect(findJumps(question(history))).toEqual([
      { at: running.from, percent: expect.closeTo(-4, 8), price: 96 },
    ]);
  });

  test('what is a jump depends on what is usual', () => {
    const swinging = (high: number) => hours(...Array.from({ length: 15 }, (_, at) => (at % 2 ? high : 100)));
    const later = start + 14 * hourMs;
    expect(getJumpThreshold(swinging(100.1), 'commodity', later)).toBe(1.2);
    expect(getJumpThreshold(swinging(100.1), 'forex', later)).toBeCloseTo(0.5, 1);
    expect(getJumpThreshold(swinging(102), 'crypto', later)).toBeCloseTo(10, 0);
    expect(getJumpThreshold(hours(100, 102), 'crypto', later)).toBe(2);
  });
});
