/**
 * Finds the bars that a chart lacks and a provider may have: gaps inside the market's hours, finished bars that were only
 * sampled, the older end of the history, and the newest bars after a start or a silence.
 * Invariant: pure; a request that the fetch log covers is never repeated, so requests end.
 */
import {
  ALWAYS_OPEN,
  barSpan,
  barStart,
  dayMs,
  minuteMs,
  nextBar,
  previousBar,
  type Timeframe,
} from '@fulcrum/domain';
import type { CandleQuery } from '../feed.ts';
import type { FetchLog } from './fetch-log.ts';
import { expectsBars } from './gaps.ts';
import { type SourceContact, silenceMs } from './sampler.ts';
import type { StoredBar } from './store.ts';

/** Bars of one answer at most, as the contract and the exchange have it. */
export const barsMax = 1_000;
/** For so long after its end a provider may still change a bar: quotes of some markets lag by 10 to 20 min. */
export const settleMs = 30 * minuteMs;
/** The shortest that a bar of the timeframe can last. */
export const getBarMsMin = (timeframe: Timeframe): number =>
  timeframe === '1M' ? 28 * dayMs : nextBar(timeframe, 0);

export interface Chart {
  readonly timeframe: Timeframe;
  readonly tradingHours: string;
  /** ms since the epoch. */
  readonly now: number;
  /** Name of the first bar that is answered at all; -Infinity: there is no such bound. */
  readonly first: number;
  readonly contact: SourceContact | null;
  readonly fetchLog: FetchLog;
}

/** Name of the first bar that did not open before the instant; of the one after the running bar when there is no bound. */
export function getChartEnd({ timeframe, tradingHours, now }: Chart, before: number | null): number {
  const end = nextBar(timeframe, barStart(timeframe, now, tradingHours));
  // Names follow the UTC clock, whatever the market's.
  return before === null
    ? end
    : Math.min(end, nextBar(timeframe, barStart(timeframe, before - 1, ALWAYS_OPEN)));
}

/** Whether our newest bars are as good as the provider's: sampled without a break since the last request. */
function isNewestWhole({ fetchLog, contact, now, tradingHours }: Chart): boolean {
  const newest = fetchLog.newest();
  if (!newest) return false;
  if (fetchLog.isNewestRecent(now)) return true;
  const isSampled = contact !== null && contact.since <= newest.at && now - contact.at <= silenceMs;
  return isSampled || !expectsBars(tradingHours, { from: newest.at, to: now });
}

/**
 * The request to the provider that completes `bars` (the newest stored ones before `query.before`, oldest first, at least
 * `query.limit` of them where there are so many) for `query`; null when nothing is missing or all of it was requested already.
 */
export function findMissing(
  chart: Chart,
  bars: readonly StoredBar[],
  { limit, before }: CandleQuery,
): CandleQuery | null {
  const { timeframe, tradingHours, now, first, fetchLog } = chart;
  const end = getChartEnd(chart, before);
  if (end <= first || fetchLog.failure(now)) return null;
  const running = barStart(timeframe, now, tradingHours);
  const newest = fetchLog.newest();
  // A bar that has just ended is left to the provider for a moment.
  const graceMs = Math.min(settleMs, 2 * getBarMsMin(timeframe));
  const dueEnd = Math.min(
    end,
    newest && fetchLog.isNewestRecent(now)
      ? newest.settledTo
      : barStart(timeframe, now - graceMs, tradingHours),
  );

  let from = Infinity;
  let to = -Infinity;
  const addRange = (rangeFrom: number, rangeTo: number) => {
    if (rangeFrom >= rangeTo || fetchLog.covers({ from: rangeFrom, to: rangeTo }, now)) return;
    from = Math.min(from, rangeFrom);
    to = Math.max(to, rangeTo);
  };
  const instantOf = (name: number) =>
    Number.isFinite(name) ? barSpan(timeframe, name, tradingHours).from : name;
  const addHole = (holeFrom: number, holeTo: number) => {
    if (holeFrom >= holeTo) return;
    // Before the first stored bar there may be any number; the age of the market is unknown.
    const isOpenEnded = !Number.isFinite(holeFrom);
    if (isOpenEnded || expectsBars(tradingHours, { from: instantOf(holeFrom), to: instantOf(holeTo) }))
      addRange(holeFrom, holeTo);
  };

  let expected = bars.length < limit ? first : (bars[0]?.name ?? first);
  for (const { name, sampled } of bars) {
    addHole(expected, name);
    expected = nextBar(timeframe, name);
    if (sampled && name < dueEnd) addRange(name, expected);
  }
  addHole(expected, dueEnd);

  const needsNewest = end > running && !isNewestWhole(chart);
  if (to === -Infinity && !needsNewest) return null;
  if (needsNewest) from = Math.min(from, previousBar(timeframe, running));
  // Only the bars after one show that it is settled, unless it is old.
  const isNewest = needsNewest || to > barStart(timeframe, now - settleMs, tradingHours);
  const queryEnd = isNewest ? nextBar(timeframe, running) : to;
  const reach = Number.isFinite(from) ? Math.ceil((queryEnd - from) / getBarMsMin(timeframe)) : limit;
  return { limit: Math.min(barsMax, reach + 1), before: isNewest ? null : to };
}
