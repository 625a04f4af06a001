/**
 * Bars of simulated paths. Those of up to four hours are computed, in turns with everything else. Longer ones are made of
 * trading days, which are looked for in memory, then where they are kept between two starts, in one look, and computed
 * where they are missing; what was computed is kept afterwards, and nobody waits for that. A week or month of which no
 * day is known is computed as a whole, which costs half of its days and leaves none.
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
} from '@fulcrum/domain';
import type { Clock } from '../../../../platform/clock/index.ts';
import type { Bar, CandleQuery } from '../../feed.ts';
import { roundTheClock, type Sessions } from '../../sessions.ts';
import type { Turn, Turns } from '../../turns.ts';
import type { KeptDay, KeptDays } from './kept-days.ts';
import { createKeptSeries } from './kept-series.ts';
import { firstInstant, type PathBar, type SimulatedPath } from './path.ts';

/** Over all symbols and timeframes; about 10 MB each. */
const barsMax = 50_000;
const daysMax = 100_000;
/** Where hours are honoured, 7 calendar days have 5 trading days at least. */
const weekDays = 7;
const tradingDays = 5;

/** A market of which bars are made. */
export interface Charted {
  readonly symbol: string;
  readonly tradingHours: string;
  readonly path: SimulatedPath;
  readonly sessions: Sessions;
  /** Names what a trading day (00:00 UTC of its date) is computed from. */
  readonly pathOfDay: (day: number) => string;
}

export interface Bars {
  /** @throws AppError busy */
  candles(market: Charted, timeframe: Timeframe, query: CandleQuery): Promise<Bar[]>;
  /** To be called when a path has changed. */
  forget(symbol: string): void;
  /** Resolves when what was to be kept is kept, or could not be. */
  settled(): Promise<void>;
}

interface BarsOptions {
  readonly clock: Clock;
  readonly turns: Turns;
  /** Left out: days are known as long as the process runs. */
  readonly keptDays?: KeptDays | undefined;
}

/** A chart that is being made. */
interface Drawing {
  readonly market: Charted;
  readonly now: number;
  /** The running trading day. */
  readonly today: number;
  readonly turn: Turn;
  /** Finished days that it had to compute. */
  readonly computed: KeptDay[];
}

export function createBars({ clock, turns, keptDays }: BarsOptions): Bars {
  const finished = createKeptSeries<Bar>(barsMax);
  /** Null on a day on which the market is shut. */
  const finishedDays = createKeptSeries<PathBar | null>(daysMax);
  const keeping = new Set<Promise<unknown>>();

  /** Looks for what is not known of the days from `oldest` to `newest`. */
  async function recall(market: Charted, kept: KeptDays, oldest: number, newest: number): Promise<void> {
    const { symbol, pathOfDay } = market;
    const known = finishedDays.of(symbol);
    let first = oldest;
    let last = newest;
    while (first <= last && known.has(first)) first += dayMs;
    while (first <= last && known.has(last)) last -= dayMs;
    if (first > last) return;
    for (const { day, path, ...bar } of await kept.read(symbol, first, last)) {
      if (path === pathOfDay(day)) finishedDays.add(symbol, day, bar);
    }
  }

  function keepLater(symbol: string, days: readonly KeptDay[]): void {
    if (!keptDays || days.length === 0) return;
    const kept = keptDays.keep(symbol, days).finally(() => keeping.delete(kept));
    keeping.add(kept);
  }

  /** Null when the market was shut all the while. */
  async function dayBar({ market, now, turn, computed }: Drawing, day: number): Promise<PathBar | null> {
    const known = finishedDays.of(market.symbol).get(day);
    if (known !== undefined) return known;
    const wait = turn.keep();
    if (wait) await wait;
    const { bar, kept } = computeDay(market, day, now);
    if (kept !== undefined) finishedDays.add(market.symbol, day, bar);
    if (kept) computed.push(kept);
    return bar;
  }

  async function longBar(drawing: Drawing, timeframe: Timeframe, start: number): Promise<PathBar | null> {
    if (timeframe === '1d') return dayBar(drawing, start);
    const { market, today } = drawing;
    const last = Math.min(nextBar(timeframe, start) - dayMs, today);
    const known = finishedDays.of(market.symbol);
    if (!isAnyKnown(known, start, last)) return wholeBar(drawing, timeframe, start);
    const days: PathBar[] = [];
    for (let day = start; day <= last; day += dayMs) {
      // Most are known: the whole past has thousands.
      let bar = known.get(day);
      if (bar === undefined) bar = await dayBar(drawing, day);
      if (bar) days.push(bar);
    }
    return market.path.joined(days);
  }

  async function wholeBar(drawing: Drawing, timeframe: Timeframe, start: number): Promise<PathBar | null> {
    const wait = drawing.turn.keep();
    if (wait) await wait;
    const { market, now } = drawing;
    const { from, to } = barSpan(timeframe, start, market.tradingHours);
    return market.path.bar(market.sessions.within(from, Math.min(to, now + 1)));
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
      if (keptDays && isLong && latest >= oldest) {
        const first = Math.max(oldest, firstOf(timeframe, latest, limit, market.sessions));
        await recall(market, keptDays, first, Math.min(nextBar(timeframe, latest), today) - dayMs);
      }
      const series = `${symbol} ${timeframe}`;
      const bars: Bar[] = [];
      const computed: KeptDay[] = [];
      try {
        await turns.run(async (turn) => {
          const drawing = { market, now, today, turn, computed };
          for (let start = latest; bars.length < limit && start >= oldest; ) {
            let bar = finished.of(series).get(start);
            if (!bar) {
              const made = await (isLong
                ? longBar(drawing, timeframe, start)
                : wholeBar(drawing, timeframe, start));
              if (made) bar = { open_time: new Date(start).toISOString(), ...made };
              if (bar && start < running) finished.add(series, start, bar);
            }
            if (bar) bars.push(bar);
            start = previousBar(timeframe, start);
          }
        });
      } finally {
        keepLater(symbol, computed);
      }
      return bars.reverse();
    },
    forget(symbol) {
      finishedDays.forget(symbol);
      finished.forgetWhere((series) => series.startsWith(`${symbol} `));
    },
    async settled() {
      await Promise.all(keeping);
    },
  };
}

interface ComputedDay {
  readonly bar: PathBar | null;
  /** Undefined while the day runs; null when it is over and the market was shut all the while. */
  readonly kept: KeptDay | null | undefined;
}

/** The trading day named `day`, as far as it has come by `now`. */
export function computeDay(market: Charted, day: number, now: number): ComputedDay {
  const { from, to } = barSpan('1d', day, market.tradingHours);
  const bar = market.path.bar(market.sessions.within(from, Math.min(to, now + 1)));
  if (to > now) return { bar, kept: undefined };
  return { bar, kept: bar && { ...bar, day, path: market.pathOfDay(day) } };
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
function firstOf(timeframe: Timeframe, latest: number, limit: number, sessions: Sessions): number {
  const daysOfBar = timeframe === '1d' ? 1 : timeframe === '1w' ? 7 : 31;
  const isShutAtTimes = timeframe === '1d' && sessions !== roundTheClock;
  const days = isShutAtTimes ? Math.ceil(limit / tradingDays) * weekDays : limit * daysOfBar;
  return latest - days * dayMs;
}
