/**
 * The range of bars that shows a trade: the finest timeframe in which its holding time takes at most half of the
 * picture. Bars before the trade are included, and bars after it once it is closed.
 */
import { dayMs, intradayMs, isIntraday, type Timeframe, timeframes, weekMs } from '@fulcrum/domain';

export interface TradeWindow {
  readonly timeframe: Timeframe;
  /** The number of requested bars. */
  readonly bars: number;
  /** Only bars that opened before it; ms since the epoch. */
  readonly before: number;
}

const bars = 72;
const holdingBarsMax = bars / 2;
/** Fixed lengths are precise enough for choosing; months are left out. */
const lengths: readonly (readonly [Timeframe, number])[] = [
  ...timeframes.filter(isIntraday).map((timeframe) => [timeframe, intradayMs[timeframe]] as const),
  ['1d', dayMs],
  ['1w', weekMs],
];

/** `entry`, `exit` (null: still open) and `now` in ms since the epoch. */
export function getTradeWindow(entry: number, exit: number | null, now: number): TradeWindow {
  const end = exit ?? now;
  const holdingMs = Math.max(0, end - entry);
  const [timeframe, length] = lengths.find(([, ms]) => holdingMs <= holdingBarsMax * ms) ?? ['1w', weekMs];
  const holdingBars = Math.ceil(holdingMs / length);
  // A closed trade is in the middle, an open one at the right.
  const after = exit === null ? 1 : Math.floor((bars - holdingBars) / 2);
  return { timeframe, bars, before: Math.min(now, end + Math.max(1, after) * length) };
}

/** The index of the bar that contains an instant; bars by their opening, oldest first. Null before the first. */
export function findBarIndex(openings: readonly number[], instant: number): number | null {
  const index = openings.findLastIndex((opening) => opening <= instant);
  return index < 0 ? null : index;
}
