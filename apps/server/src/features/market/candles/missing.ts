/**
 * What a chart lacks and a provider may have: bars that are missing where the market's hours ask for some, bars that were
 * only sampled although they are over, the older end of the history, and the newest bars after a start or a silence.
 * Invariant: pure; what the provider was asked already is not asked again, so asking ends.
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
import type { Asked } from './asked.ts';
import { asksForBars } from './gaps.ts';
import { type Heard, silenceMs } from './sampler.ts';
import type { StoredBar } from './store.ts';

/** Bars of one answer at most, as the contract and the exchange have it. */
export const barsMax = 1_000;
/** For so long after its end a provider may still change a bar: quotes of some markets lag by 10 to 20 min. */
export const settleMs = 30 * minuteMs;
/** The shortest that a bar of the timeframe can last. */
export const leastMs = (timeframe: Timeframe): number =>
  timeframe === '1M' ? 28 * dayMs : nextBar(timeframe, 0);

export interface Chart {
  readonly timeframe: Timeframe;
  readonly tradingHours: string;
  /** ms since the epoch. */
  readonly now: number;
  /** Name of the first bar that is answered at all; -Infinity: there is no such bound. */
  readonly first: number;
  readonly heard: Heard | null;
  readonly asked: Asked;
}

/** Name of the first bar that did not open before the instant; of the one after the running bar when there is no bound. */
export function endOf({ timeframe, tradingHours, now }: Chart, before: number | null): number {
  const end = nextBar(timeframe, barStart(timeframe, now, tradingHours));
  // Names stand on the UTC clock, whatever the market's.
  return before === null
    ? end
    : Math.min(end, nextBar(timeframe, barStart(timeframe, before - 1, ALWAYS_OPEN)));
}

/** Whether what we have of the newest bars is as good as the provider's: sampled without a break since it was asked. */
function isNewestWhole({ asked, heard, now, tradingHours }: Chart): boolean {
  const newest = asked.newest();
  if (!newest) return false;
  if (asked.askedNewestJustNow(now)) return true;
  const isSampled = heard !== null && heard.since <= newest.at && now - heard.at <= silenceMs;
  return isSampled || !asksForBars(tradingHours, { from: newest.at, to: now });
}

/**
 * The question to the provider that fills `bars` (the newest stored ones before `query.before`, oldest first, at least
 * `query.limit` of them where there are so many) up to what `query` asks for; null when nothing is missing or all of it was asked already.
 */
export function missingOf(
  chart: Chart,
  bars: readonly StoredBar[],
  { limit, before }: CandleQuery,
): CandleQuery | null {
  const { timeframe, tradingHours, now, first, asked } = chart;
  const end = endOf(chart, before);
  if (end <= first || asked.failure(now)) return null;
  const running = barStart(timeframe, now, tradingHours);
  const newest = asked.newest();
  // A bar that has just ended is left to the provider for a moment.
  const patienceMs = Math.min(settleMs, 2 * leastMs(timeframe));
  const dueEnd = Math.min(
    end,
    newest && asked.askedNewestJustNow(now)
      ? newest.settledTo
      : barStart(timeframe, now - patienceMs, tradingHours),
  );

  let from = Infinity;
  let to = -Infinity;
  const want = (wantedFrom: number, wantedTo: number) => {
    if (wantedFrom >= wantedTo || asked.covers({ from: wantedFrom, to: wantedTo }, now)) return;
    from = Math.min(from, wantedFrom);
    to = Math.max(to, wantedTo);
  };
  const instantOf = (name: number) =>
    Number.isFinite(name) ? barSpan(timeframe, name, tradingHours).from : name;
  const wantHole = (holeFrom: number, holeTo: number) => {
    if (holeFrom >= holeTo) return;
    // Before the first stored bar there may be any number; nobody knows since when the market exists.
    const isOpenEnded = !Number.isFinite(holeFrom);
    if (isOpenEnded || asksForBars(tradingHours, { from: instantOf(holeFrom), to: instantOf(holeTo) }))
      want(holeFrom, holeTo);
  };

  let expected = bars.length < limit ? first : (bars[0]?.name ?? first);
  for (const { name, sampled } of bars) {
    wantHole(expected, name);
    expected = nextBar(timeframe, name);
    if (sampled && name < dueEnd) want(name, expected);
  }
  wantHole(expected, dueEnd);

  const wantsNewest = end > running && !isNewestWhole(chart);
  if (to === -Infinity && !wantsNewest) return null;
  if (wantsNewest) from = Math.min(from, previousBar(timeframe, running));
  // Only the bars after one show that it is settled, unless it is old.
  const isNewest = wantsNewest || to > barStart(timeframe, now - settleMs, tradingHours);
  const askedEnd = isNewest ? nextBar(timeframe, running) : to;
  const reach = Number.isFinite(from) ? Math.ceil((askedEnd - from) / leastMs(timeframe)) : limit;
  return { limit: Math.min(barsMax, reach + 1), before: isNewest ? null : to };
}
