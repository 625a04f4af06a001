/**
 * The simulated feed: endless prices without a network. Every symbol is looked at four times a second, the symbols
 * spread over the quarter, and emitted when its price moved or a second has passed. Bars are computed from the path on
 * demand, in turns with everything else; finished ones are kept, because they cannot change. With sessions honoured, a
 * shut market shows the price it shut at, and bars and day figures cover trading hours only.
 */
import { ALWAYS_OPEN, barSpan, barStart, dayMs, previousBar, type Timeframe } from '@fulcrum/domain';
import type { Clock } from '../../../../platform/clock/index.ts';
import type { Config } from '../../../../platform/config/index.ts';
import type { ListedPair } from '../../catalogue.ts';
import type { Bar, CandleQuery, DayFigures, Feed, FeedTick } from '../../feed.ts';
import { createSessions, roundTheClock, type Sessions } from '../../sessions.ts';
import { createTurns } from '../../turns.ts';
import { createSimulatedPath, firstInstant, type SimulatedPath } from './path.ts';

const lookEveryMs = 250;
const phases = 5;
/** An unchanged price is emitted this often, so that it stays fresh; the day's figures are as old at most. */
const heartbeatMs = 1_000;
/** Finished bars that are kept over all symbols and timeframes; about 10 MB. */
const keptBarsMax = 50_000;

export interface SimulatedFeedOptions {
  readonly seed: string;
  /** null: round the clock. */
  readonly sessions: Config['sessions'];
  readonly pairs: readonly ListedPair[];
  readonly clock: Clock;
}

interface Market {
  readonly tradingHours: string;
  readonly path: SimulatedPath;
  readonly sessions: Sessions;
  lookedAt: number;
  emittedAt: number;
  emittedPrice: number;
  day: DayFigures | null;
}

/** No listed market is shut for longer. */
const closureMsMax = 8 * dayMs;

export function createSimulatedFeed({ seed, sessions, pairs, clock }: SimulatedFeedOptions): Feed {
  const markets = new Map<string, Market>(pairs.map((pair) => [pair.symbol, openMarket(pair)]));
  const keptBars = new Map<string, Bar>();
  const turns = createTurns();
  let timer: NodeJS.Timeout | null = null;

  function openMarket(pair: ListedPair): Market {
    return {
      tradingHours: pair.tradingHours,
      path: createSimulatedPath(seed, pair),
      sessions: sessions === 'honour' ? createSessions(pair.tradingHours) : roundTheClock,
      lookedAt: -Infinity,
      emittedAt: -Infinity,
      emittedPrice: Number.NaN,
      day: null,
    };
  }

  function look(symbol: string, market: Market, emit: (tick: FeedTick) => void): void {
    const now = clock.now();
    const shownAt = lastOpenInstant(market.sessions, now);
    const price = market.path.priceAt(shownAt);
    // A clock that was set back takes the path's time with it: without a word of ours the hub would drop every tick.
    const breaks = now < market.lookedAt;
    const isDue = now - market.emittedAt >= heartbeatMs || breaks;
    market.lookedAt = now;
    if (isDue || market.day === null) {
      const day = market.sessions.within(shownAt + 1 - dayMs, shownAt + 1);
      market.day = market.path.dayFigures(day);
      market.emittedAt = now;
    } else if (price === market.emittedPrice) {
      return;
    }
    market.emittedPrice = price;
    market.day = including(market.day, price);
    emit({ symbol, source: 'simulated', price, marketTime: now, day: market.day, ...(breaks && { breaks }) });
  }

  const keyOf = (symbol: string, timeframe: Timeframe, start: number) => `${symbol} ${timeframe} ${start}`;

  /** Null when the market was shut all the while. */
  function computeBar(symbol: string, market: Market, timeframe: Timeframe, start: number, now: number) {
    const { from, to: end } = barSpan(timeframe, start, market.tradingHours);
    const bar = market.path.bar(market.sessions.within(from, Math.min(end, now + 1)));
    if (!bar) return null;
    const quote_volume = (bar.volume * (bar.high + bar.low + bar.close)) / 3;
    const candle: Bar = { open_time: new Date(start).toISOString(), ...bar, quote_volume };
    if (end <= now) {
      if (keptBars.size >= keptBarsMax) forgetOldest(keptBars);
      keptBars.set(keyOf(symbol, timeframe, start), candle);
    }
    return candle;
  }

  return {
    sourceOf: (symbol) => (markets.has(symbol) ? 'simulated' : null),
    async start(emit) {
      const all = [...markets];
      for (const [symbol, market] of all) look(symbol, market, emit);
      let phase = 0;
      timer = setInterval(() => {
        for (let next = phase; next < all.length; next += phases) {
          const entry = all[next];
          if (entry) look(...entry, emit);
        }
        phase = (phase + 1) % phases;
      }, lookEveryMs / phases);
    },
    async stop() {
      if (timer) clearInterval(timer);
      timer = null;
    },
    async candles(symbol: string, timeframe: Timeframe, { limit, before }: CandleQuery) {
      const market = markets.get(symbol);
      if (!market) return [];
      const now = clock.now();
      const bars: Bar[] = [];
      const { tradingHours } = market;
      const newest = before === null ? Infinity : barStart(timeframe, before - 1, ALWAYS_OPEN);
      let start = Math.min(barStart(timeframe, now, tradingHours), newest);
      await turns.run(async (turn) => {
        while (bars.length < limit && start >= firstInstant + dayMs) {
          let bar = keptBars.get(keyOf(symbol, timeframe, start)) ?? null;
          if (!bar) {
            await turn.keep();
            bar = computeBar(symbol, market, timeframe, start, now);
          }
          if (bar) bars.push(bar);
          start = previousBar(timeframe, start);
        }
      });
      return bars.reverse();
    },
  };
}

/** The day's extremes are up to a heartbeat old; the price of this moment belongs to them. */
function including(day: DayFigures, price: number): DayFigures {
  return { ...day, high: Math.max(day.high ?? price, price), low: Math.min(day.low ?? price, price) };
}

/** `now` in an open market, else the last moment of the session before. */
function lastOpenInstant(sessions: Sessions, now: number): number {
  const [current] = sessions.within(now, now + 1);
  if (current) return now;
  const latest = sessions.within(now - closureMsMax, now).at(-1);
  return latest ? latest.to - 1 : now;
}

function forgetOldest(kept: Map<string, unknown>): void {
  const oldest = kept.keys().next();
  if (!oldest.done) kept.delete(oldest.value);
}
