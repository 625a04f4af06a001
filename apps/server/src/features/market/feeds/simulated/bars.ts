/**
 * Bars of simulated paths. Those of up to four hours are computed in time slices, or folded from shorter ones that are in
 * memory. Longer ones consist of trading days, which are looked up in memory, then with one read in the store, and computed
 * where they are missing; computed days are stored afterwards, without delaying the chart. A week or month without any known
 * day is computed as a whole, which costs half of its days and yields none.
 * Invariant: a bar is the same to the last digit wherever its days come from.
 */
import {
  ALWAYS_OPEN,
  barSpan,
  barStart,
  dayMs,
  isIntraday,
  nextBar,
  previousBar,
  type Timeframe,
  timeframes,
} from '@fulcrum/domain';
import type { Clock } from '../../../../platform/clock/index.ts';
import type { Bar, CandleQuery } from '../../feed.ts';
import type { Slice, TimeSlicer } from '../../time-slicer.ts';
import { roundTheClock, type TradingSchedule } from '../../trading-hours.ts';
import type { CachedDay, DayCache } from './day-cache.ts';
import { firstInstant, type PathBar, type SimulatedPath } from './path.ts';
import { createSeriesCache } from './series-cache.ts';

/** Over all symbols and timeframes; about 10 MB each. */
const barsMax = 50_000;
const daysMax = 100_000;
/** Where hours are honoured, 7 calendar days have 5 trading days at least. */
const weekDays = 7;
const tradingDays = 5;

const intraday = timeframes.filter(isIntraday);

/** A market of which bars are made. */
export interface ChartMarket {
  readonly symbol: string;
  readonly tradingHours: string;
  readonly path: SimulatedPath;
  readonly schedule: TradingSchedule;
  /** Names what a trading day (00:00 UTC of its date) is computed from. */
  readonly pathOfDay: (day: number) => string;
}

export interface Bars {
  /** @throws AppError busy */
  candles(market: ChartMarket, timeframe: Timeframe, query: CandleQuery): Promise<Bar[]>;
  /** To be called when a path has changed. */
  forget(symbol: string): void;
  /** Resolves when the pending writes have ended, successful or not. */
  settled(): Promise<void>;
}

interface BarsOptions {
  readonly clock: Clock;
  readonly timeSlicer: TimeSlicer;
  /** Left out: days are known as long as the process runs. */
  readonly dayCache?: DayCache | undefined;
}

/** A chart that is being made. */
interface ChartRequest {
  readonly market: ChartMarket;
  readonly now: number;
  /** The running trading day. */
  readonly today: number;
  readonly slice: Slice;
  /** Finished days that it had to compute. */
  readonly computed: CachedDay[];
}

export function createBars({ clock, timeSlicer, dayCache }: BarsOptions): Bars {
  const finished = createSeriesCache<Bar>(barsMax);
  /** Null on a day on which the market is shut. */
  const finishedDays = createSeriesCache<PathBar | null>(daysMax);
  const pendingWrites = new Set<Promise<unknown>>();

  /** Reads the unknown days from `oldest` to `newest` from the store. */
  async function loadDays(
    market: ChartMarket,
    store: DayCache,
    oldest: number,
    newest: number,
  ): Promise<void> {
    const { symbol, pathOfDay } = market;
    const known = finishedDays.get(symbol);
    let first = oldest;
    let last = newest;
    while (first <= last && known.has(first)) first += dayMs;
    while (first <= last && known.has(last)) last -= dayMs;
    if (first > last) return;
    for (const { day, path, ...bar } of await store.read(symbol, first, last)) {
      if (path === pathOfDay(day)) finishedDays.set(symbol, day, bar);
    }
  }

  function storeLater(symbol: string, days: readonly CachedDay[]): void {
    if (!dayCache || days.length === 0) return;
    const write = dayCache.store(symbol, days).finally(() => pendingWrites.delete(write));
    pendingWrites.add(write);
  }

  /** Null when the market was shut all the while. */
  async function dayBar(
    { market, now, slice, computed }: ChartRequest,
    day: number,
  ): Promise<PathBar | null> {
    const known = finishedDays.get(market.symbol).get(day);
    if (known !== undefined) return known;
    const wait = slice.yield();
    if (wait) await wait;
    const { bar, cacheable } = computeDay(market, day, now);
    if (cacheable !== undefined) finishedDays.set(market.symbol, day, bar);
    if (cacheable) computed.push(cacheable);
    return bar;
  }

  async function longBar(
    request: ChartRequest,
    timeframe: Timeframe,
    start: number,
  ): Promise<PathBar | null> {
    if (timeframe === '1d') return dayBar(request, start);
    const { market, today } = request;
    const last = Math.min(nextBar(timeframe, start) - dayMs, today);
    const known = finishedDays.get(market.symbol);
    if (!isAnyKnown(known, start, last)) return wholeBar(request, timeframe, start);
    const days: PathBar[] = [];
    for (let day = start; day <= last; day += dayMs) {
      // Most are known: the whole past has thousands.
      let bar = known.get(day);
      if (bar === undefined) bar = await dayBar(request, day);
      if (bar) days.push(bar);
    }
    return market.path.joined(days);
  }

  /** Of finished bars of a shorter timeframe, if all of them are in memory; else null. */
  function foldedBar({ symbol, path }: ChartMarket, timeframe: Timeframe, start: number): PathBar | null {
    if (!isIntraday(timeframe)) return null;
    const end = nextBar(timeframe, start);
    for (const shorter of intraday.slice(0, intraday.indexOf(timeframe)).reverse()) {
      const known = finished.get(`${symbol} ${shorter}`);
      const bars: PathBar[] = [];
      let at = start;
      for (let bar = known.get(at); bar && at < end; bar = known.get(at)) {
        bars.push(bar);
        at = nextBar(shorter, at);
      }
      if (at === end) return path.joined(bars);
    }
    return null;
  }

  async function wholeBar(
    request: ChartRequest,
    timeframe: Timeframe,
    start: number,
  ): Promise<PathBar | null> {
    const folded = foldedBar(request.market, timeframe, start);
    if (folded) return folded;
    const wait = request.slice.yield();
    if (wait) await wait;
    const { market, now } = request;
    const { from, to } = barSpan(timeframe, start, market.tradingHours);
    return market.path.bar(market.schedule.openSpans(from, Math.min(to, now + 1)));
  }

  return {
    async candles(market, timeframe, { limit, before }) {
      const { symbol, tradingHours } = market;
      const now = clock.now();
      const newest = before === null ? Infinity : barStart(timeframe, before - 1, ALWAYS_OPEN);
      const running = barStart(timeframe, now, tradingHours);
      const latest = Math.min(running, newest);
      const oldest = firstBar(timeframe, tradingHours);
      const isLong = !isIntraday(timeframe);
      const today = barStart('1d', now, tradingHours);
      if (dayCache && isLong && latest >= oldest) {
        const first = Math.max(oldest, firstOf(timeframe, latest, limit, market.schedule));
        await loadDays(market, dayCache, first, Math.min(nextBar(timeframe, latest), today) - dayMs);
      }
      const series = `${symbol} ${timeframe}`;
      const bars: Bar[] = [];
      const computed: CachedDay[] = [];
      try {
        await timeSlicer.run(async (slice) => {
          const request = { market, now, today, slice, computed };
          for (let start = latest; bars.length < limit && start >= oldest; ) {
            let bar = finished.get(series).get(start);
            if (!bar) {
              const built = await (isLong
                ? longBar(request, timeframe, start)
                : wholeBar(request, timeframe, start));
              if (built) bar = { open_time: new Date(start).toISOString(), ...built };
              if (bar && start < running) finished.set(series, start, bar);
            }
            if (bar) bars.push(bar);
            start = previousBar(timeframe, start);
          }
        });
      } finally {
        storeLater(symbol, computed);
      }
      return bars.reverse();
    },
    forget(symbol) {
      finishedDays.forget(symbol);
      finished.forgetWhere((series) => series.startsWith(`${symbol} `));
    },
    async settled() {
      await Promise.all(pendingWrites);
    },
  };
}

interface ComputedDay {
  readonly bar: PathBar | null;
  /** Undefined while the day runs; null when it is over and the market was shut all the while. */
  readonly cacheable: CachedDay | null | undefined;
}

/** The trading day named `day`, as far as it has come by `now`. */
export function computeDay(market: ChartMarket, day: number, now: number): ComputedDay {
  const { from, to } = barSpan('1d', day, market.tradingHours);
  const bar = market.path.bar(market.schedule.openSpans(from, Math.min(to, now + 1)));
  if (to > now) return { bar, cacheable: undefined };
  return { bar, cacheable: bar && { ...bar, day, path: market.pathOfDay(day) } };
}

function isAnyKnown(days: ReadonlyMap<number, unknown>, first: number, last: number): boolean {
  for (let day = first; day <= last; day += dayMs) if (days.has(day)) return true;
  return false;
}

/** The name of the first bar that lies wholly in the market's past. */
export function firstBar(timeframe: Timeframe, tradingHours: string): number {
  const start = barStart(timeframe, firstInstant, tradingHours);
  const { from, to } = barSpan(timeframe, start, tradingHours);
  return from >= firstInstant ? start : barStart(timeframe, to, tradingHours);
}

/** The first day of `limit` bars up to the one named `latest`, or one before it. */
function firstOf(timeframe: Timeframe, latest: number, limit: number, sessions: TradingSchedule): number {
  const daysOfBar = timeframe === '1d' ? 1 : timeframe === '1w' ? 7 : 31;
  const isShutAtTimes = timeframe === '1d' && sessions !== roundTheClock;
  const days = isShutAtTimes ? Math.ceil(limit / tradingDays) * weekDays : limit * daysOfBar;
  return latest - days * dayMs;
}
