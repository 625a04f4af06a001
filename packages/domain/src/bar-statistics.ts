/** What hourly bars of the past say of a market: how far it moves in an hour, and which markets move together. Pure. */
import { asPrice, divideRounded, type Price } from './money.ts';
import { hourMs } from './time.ts';

export interface HourBar {
  /** Milliseconds since the epoch. */
  readonly openTime: number;
  readonly high: Price;
  readonly low: Price;
  readonly close: Price;
}

/** Hours of an average true range. */
const rangeHours = 24;

/**
 * The average true range (Wilder, New Concepts in Technical Trading Systems, 1978) of the last 24 bars, as a plain mean rounded to
 * 1e-8 half away from zero. A true range includes the gap from the close before. Null with fewer bars; `bars` are whole, the oldest first.
 */
export function averageTrueRange(bars: readonly HourBar[]): Price | null {
  const used = bars.slice(-rangeHours - 1);
  if (used.length <= rangeHours) return null;
  let sum = 0n;
  used.forEach(({ high, low }, index) => {
    const before = used[index - 1]?.close;
    if (before === undefined) return;
    sum += (high > before ? high : before) - (low < before ? low : before);
  });
  return asPrice(divideRounded(sum, BigInt(rangeHours), 'half-away-from-zero'));
}

/** Hours that two markets must share. */
export const correlationHoursMin = 48;

/** By the open time, of each bar that follows the hour before it: how much the close changed. */
function hourlyReturns(bars: readonly HourBar[]): ReadonlyMap<number, number> {
  const returns = new Map<number, number>();
  bars.forEach(({ openTime, close }, index) => {
    const before = bars[index - 1];
    if (before && openTime - before.openTime === hourMs && before.close > 0n)
      returns.set(openTime, Number(close) / Number(before.close) - 1);
  });
  return returns;
}

/**
 * Pearson's correlation of the hourly returns of two markets in the hours that both have, from -1 to 1, two decimals. Null with fewer than 48
 * of them, and where a price did not move. For display and comparison with a threshold; no money follows from it.
 */
export function correlationOf(one: readonly HourBar[], other: readonly HourBar[]): number | null {
  const others = hourlyReturns(other);
  const pairs = [...hourlyReturns(one)].flatMap(([at, x]) => {
    const y = others.get(at);
    return y === undefined ? [] : [[x, y] as const];
  });
  if (pairs.length < correlationHoursMin) return null;
  let [sumX, sumY, xy, xx, yy] = [0, 0, 0, 0, 0];
  for (const [x, y] of pairs) {
    sumX += x;
    sumY += y;
  }
  for (const [x, y] of pairs) {
    const [dx, dy] = [x - sumX / pairs.length, y - sumY / pairs.length];
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  }
  return xx === 0 || yy === 0 ? null : Math.round((xy / Math.sqrt(xx * yy)) * 100) / 100;
}
