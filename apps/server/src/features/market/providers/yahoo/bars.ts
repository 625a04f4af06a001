/**
 * Converts the provider's bars into ours. It requests as few of the provider's intervals as possible, because the others are
 * unreliable: half hours have come as hours (yfinance #64); hours of an exchange that opens at half past begin at half past;
 * weeks begin on the weekday of the first requested day (yfinance #521). So half hours, and hours of exchanges, are built from
 * quarters as far back as there are any, four hours from single ones, weeks and months from days. A day is stamped with the
 * session's opening or the local midnight, both of which lie in its trading day (packages/domain/src/bars.ts).
 * Invariants: bars are complete except the running one, on the pair's ticks, in rising order, each once. Entries without a
 * price, those of an exchange outside its hours, and those before the requested range are skipped: a bar that begins before
 * the range would otherwise be stored as complete.
 *
 * Known limitations: volumes of futures are contracts. Beyond 60 days, hours of exchanges that open at half past, and their
 * four-hour bars at any age, contain half an hour that belongs to the next bar.
 */
import {
  ALWAYS_OPEN,
  type BarPrices,
  barSpan,
  barStart,
  dayMs,
  isIntraday,
  isMarketOpen,
  minuteMs,
  nextBar,
  type Timeframe,
  type TradingPair,
} from '@fulcrum/domain';
import type { Bar, CandleQuery } from '../../feed.ts';
import { createGrid } from '../../grid.ts';
import { priceMax } from '../../price.ts';
import { createTradingSchedule } from '../../trading-hours.ts';
import type { Chart, Interval } from './chart.ts';

/** `[from, to)` in ms since the epoch, `from` at the beginning of a bar; the provider has it in bars of `interval`. */
export interface BarRange {
  readonly interval: Interval;
  readonly from: number;
  readonly to: number;
}

/** How the provider serves an interval: how much at once, and how far back; ms. */
interface Reach {
  readonly spanMs: number;
  readonly backMs: number;
}

const sixtyDays: Reach = { spanMs: 60 * dayMs, backMs: 60 * dayMs };
const reaches = {
  '1m': { spanMs: 7 * dayMs, backMs: 29 * dayMs },
  '5m': sixtyDays,
  '15m': sixtyDays,
  '1h': { spanMs: 730 * dayMs, backMs: 730 * dayMs },
  // As far back as the provider goes; the bound is on the size of the answer, some 12,000 entries of 100 bytes.
  '1d': { spanMs: 50 * 365 * dayMs, backMs: Number.POSITIVE_INFINITY },
} as const satisfies Record<Interval, Reach>;

const intervals = {
  '1m': '1m',
  '5m': '5m',
  '15m': '15m',
  '30m': '15m',
  '1h': '1h',
  '4h': '1h',
  '1d': '1d',
  '1w': '1d',
  '1M': '1d',
} as const satisfies Record<Timeframe, Interval>;

/** Weekends between the days, a long holiday before them. */
const calendarDaysPerTradingDay = 7 / 5;
const slackMs = 5 * dayMs;
/** Quarters of an hour that reach less far than this are not worth a request of their own. */
const quartersMin = 7 * dayMs;
/** The provider's clock and ours differ: bounds have a margin of one minute. */
const marginMs = minuteMs;

const hasSessions = ({ type }: Pick<TradingPair, 'type'>): boolean => type === 'stock' || type === 'index';

/** The request to the provider; null when the wanted bars lie before all that it has. */
export function rangeOf(
  pair: Pick<TradingPair, 'type' | 'tradingHours'>,
  timeframe: Timeframe,
  { limit, before }: CandleQuery,
  now: number,
): BarRange | null {
  const { tradingHours } = pair;
  const end = Math.min(before ?? now, now);
  // Whole bars at this end too: the last one opened before `end` and may go on behind it.
  const last = barSpan(timeframe, barStart(timeframe, end - 1, tradingHours), tradingHours);
  const to = Math.min(Math.ceil(now / minuteMs) * minuteMs, last.to);
  const quartersFrom = now - reaches['15m'].backMs + marginMs;
  const isOfQuarters = timeframe === '1h' && hasSessions(pair) && to - quartersFrom >= quartersMin;
  const interval = isOfQuarters ? '15m' : intervals[timeframe];
  const { spanMs, backMs } = reaches[interval];
  const requestedFrom = isIntraday(timeframe)
    ? intradayFrom(tradingHours, timeframe, limit, to)
    : daysFrom(timeframe, limit, to);
  const earliest = Math.max(0, requestedFrom, to - spanMs + marginMs, now - backMs + marginMs);
  const from = wholeFrom(timeframe, earliest, tradingHours);
  return from < to ? { interval, from, to } : null;
}

/** The most that the provider serves at once of what lies before `range`; null where it has nothing so old. */
export function rangeBefore(
  { tradingHours }: Pick<TradingPair, 'tradingHours'>,
  timeframe: Timeframe,
  { interval, from: to }: BarRange,
  now: number,
): BarRange | null {
  const { spanMs, backMs } = reaches[interval];
  const earliest = Math.max(0, to - spanMs + marginMs, now - backMs + marginMs);
  const from = wholeFrom(timeframe, earliest, tradingHours);
  return from < to ? { interval, from, to } : null;
}

/** Half a bar at the beginning would pass for a whole one. */
function wholeFrom(timeframe: Timeframe, earliest: number, tradingHours: string): number {
  const span = barSpan(timeframe, barStart(timeframe, earliest, tradingHours), tradingHours);
  return span.from >= earliest ? span.from : span.to;
}

/** From where on there are `limit` bars of trading time. */
function intradayFrom(tradingHours: string, timeframe: Timeframe, limit: number, to: number): number {
  const sessions = createTradingSchedule(tradingHours);
  let missing = limit * nextBar(timeframe, 0);
  let from = to;
  for (let days = 0; missing > 0 && days < reaches['1h'].backMs / dayMs; days += 1) {
    for (const span of sessions.openSpans(from - dayMs, from)) missing -= span.to - span.from;
    from -= dayMs;
  }
  return from - slackMs;
}

function daysFrom(timeframe: Timeframe, limit: number, to: number): number {
  const barMs = timeframe === '1d' ? dayMs * calendarDaysPerTradingDay : nextBar(timeframe, 0);
  return to - (limit + 1) * barMs - slackMs;
}

interface Entry extends BarPrices {
  /** Name of the bar it belongs to. */
  readonly start: number;
  readonly volume: number;
  readonly quoteVolume: number;
}

const sum = (left: number, right: number): number => left + right;

/**
 * All bars of a chart, oldest first, the running one last.
 * @param range the requested range
 * @param now ms since the epoch: later entries are left out
 */
export function readBars(
  chart: Chart,
  pair: TradingPair,
  timeframe: Timeframe,
  { interval, from }: BarRange,
  now: number,
): Bar[] {
  const first = barStart(timeframe, from, pair.tradingHours);
  const grid = createGrid(pair.tickSize);
  const entries = entriesOf(chart, pair, interval, now);
  // The running entry comes twice, the second time with the instant of the last trade: of a day with all that was traded.
  const single = mergeEntries(entries, interval === '1d' ? Math.max : sum);
  // Entries have the names of bars by now, days that of 00:00 UTC: the clock that remains is UTC's.
  const bars = mergeEntries(
    single.map((entry) => ({ ...entry, start: barStart(timeframe, entry.start, ALWAYS_OPEN) })),
    sum,
  );
  return bars.flatMap(({ start, open, high, low, close, volume, quoteVolume }) => {
    const least = grid.round(low);
    // Of less than half a tick no price is left.
    if (start < first || least <= 0) return [];
    return {
      open_time: new Date(start).toISOString(),
      open: grid.round(open),
      high: grid.round(high),
      low: least,
      close: grid.round(close),
      volume,
      quote_volume: quoteVolume,
    };
  });
}

function* entriesOf(
  { timestamps, columns }: Chart,
  pair: TradingPair,
  interval: Interval,
  now: number,
): Generator<Entry> {
  // The provider now and then includes trades before and after the session without a request for them.
  const hasTradingHours = interval !== '1d' && hasSessions(pair);
  for (const [index, timestamp] of timestamps.entries()) {
    const instant = (figureOf(timestamp) ?? 0) * 1000;
    const open = priceOf(columns.open[index]);
    const high = priceOf(columns.high[index]);
    const low = priceOf(columns.low[index]);
    const close = priceOf(columns.close[index]);
    // Minutes without a trade come as nulls.
    if (open === null || high === null || low === null || close === null) continue;
    if (instant <= 0 || instant > now) continue;
    if (hasTradingHours && !isMarketOpen(pair.tradingHours, instant)) continue;
    const volume = Math.max(0, figureOf(columns.volume[index]) ?? 0);
    yield {
      start: barStart(interval, instant, pair.tradingHours),
      open,
      // An extreme that its own bar contradicts would make a candle that cannot be drawn.
      high: Math.max(open, high, low, close),
      low: Math.min(open, high, low, close),
      close,
      volume,
      quoteVolume: volume * ((high + low + close) / 3),
    };
  }
}

/** One entry per bar, by time. */
function mergeEntries(entries: Iterable<Entry>, add: (left: number, right: number) => number): Entry[] {
  const byStart = new Map<number, Entry>();
  for (const entry of entries) {
    const known = byStart.get(entry.start);
    byStart.set(
      entry.start,
      known
        ? {
            start: entry.start,
            open: known.open,
            high: Math.max(known.high, entry.high),
            low: Math.min(known.low, entry.low),
            close: entry.close,
            volume: add(known.volume, entry.volume),
            quoteVolume: add(known.quoteVolume, entry.quoteVolume),
          }
        : entry,
    );
  }
  return [...byStart.values()].sort((left, right) => left.start - right.start);
}

const figureOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
const priceOf = (value: unknown): number | null => {
  const price = figureOf(value);
  return price !== null && price > 0 && price <= priceMax ? price : null;
};
