/**
 * How far back a provider's bars are stored. The newest three thousand bars of a series are stored, three of the longest
 * charts: more would let a client that pages back fill the disk with the past of every market, which the provider serves
 * anyway. Bars that we sampled ourselves stay, however old.
 */
import { ALWAYS_OPEN, barStart, dayMs, isIntraday, nextBar, type Timeframe, weekMs } from '@fulcrum/domain';
import { createTradingSchedule } from '../trading-hours.ts';
import { barsMax, getBarMsMin } from './missing.ts';

const storedBarsMax = 3 * barsMax;

/** Any week will do: a Monday, 5 January 1970. */
const monday = 4 * dayMs;
/** By trading hours, of which there are as many as different markets. */
const openShares = new Map<string, number>();

/** Name of the first bar that is stored when the provider serves it, to within a holiday or two. `now` in ms since the epoch. */
export function storedFrom(timeframe: Timeframe, tradingHours: string, now: number): number {
  const spanMs = (storedBarsMax * getBarMsMin(timeframe)) / shareWithBars(timeframe, tradingHours);
  return now > spanMs ? barStart(timeframe, now - spanMs, tradingHours) : -Infinity;
}

/** The part of a week in which bars of the timeframe begin. */
function shareWithBars(timeframe: Timeframe, tradingHours: string): number {
  if (tradingHours === ALWAYS_OPEN || nextBar(timeframe, monday) - monday > dayMs) return 1;
  return isIntraday(timeframe) ? openShare(tradingHours) : 5 / 7;
}

function openShare(tradingHours: string): number {
  const known = openShares.get(tradingHours);
  if (known !== undefined) return known;
  const spans = createTradingSchedule(tradingHours).openSpans(monday, monday + weekMs);
  const openMs = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  const share = openMs > 0 ? openMs / weekMs : 1;
  openShares.set(tradingHours, share);
  return share;
}
