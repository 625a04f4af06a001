/**
 * Which bars show a trade: the finest timeframe in which its holding time takes at most half of the picture, with what came
 * before it and, once it is closed, what came after.
 */
import type { Timeframe } from '@fulcrum/domain';

export interface TradeWindow {
  readonly timeframe: Timeframe;
  /** How many bars are asked for. */
  readonly bars: number;
  /** Only bars that opened before it; ms since the epoch. */
  readonly before: number;
}

const bars = 72;
const heldBars = bars / 2;
const minuteMs = 60_000;
/** Fixed lengths are near enough for choosing; months are left out. */
const lengths = [
  ['1m', minuteMs],
  ['5m', 5 * minuteMs],
  ['15m', 15 * minuteMs],
  ['30m', 30 * minuteMs],
  ['1h', 60 * minuteMs],
  ['4h', 240 * minuteMs],
  ['1d', 1_440 * minuteMs],
  ['1w', 10_080 * minuteMs],
] as const satisfies readonly (readonly [Timeframe, number])[];

/** `entry`, `exit` (null: still open) and `now` in ms since the epoch. */
export function tradeWindow(entry: number, exit: number | null, now: number): TradeWindow {
  const end = exit ?? now;
  const held = Math.max(0, end - entry);
  const [timeframe, length] = lengths.find(([, ms]) => held <= heldBars * ms) ?? ['1w', 10_080 * minuteMs];
  const heldIn = Math.ceil(held / length);
  // A closed trade stands in the middle, one that is held still at the right.
  const after = exit === null ? 1 : Math.floor((bars - heldIn) / 2);
  return { timeframe, bars, before: Math.min(now, end + Math.max(1, after) * length) };
}

/** The index of the bar in which an instant lies; bars by their opening, oldest first. Null before the first. */
export function barAt(openings: readonly number[], instant: number): number | null {
  const index = openings.findLastIndex((opening) => opening <= instant);
  return index < 0 ? null : index;
}
