/**
 * The simulated feed: endless prices without a network. Every symbol is looked at four times a second, the symbols
 * spread over the quarter, and emitted when its price moved or a second has passed. With sessions honoured, a shut market
 * shows the price it shut at, and bars and day figures cover trading hours only.
 *
 * Invariant: what a symbol costs at an instant depends on the seed, the shocks and the scales alone: not on which other
 * symbols are simulated, on what was asked before, or on how often the process was started.
 */
import { dayMs, tradingCalendar } from '@fulcrum/domain';
import type { Timers } from '../../../../platform/clock/index.ts';
import type { Config } from '../../../../platform/config/index.ts';
import { catalogue, type ListedPair } from '../../catalogue/index.ts';
import type { DayFigures, Feed, FeedTick } from '../../feed.ts';
import { createSessions, roundTheClock, type Sessions } from '../../sessions.ts';
import { createTurns, type Turns } from '../../turns.ts';
import { type Charted, createBars } from './bars.ts';
import { type Composition, compositionOf } from './composition.ts';
import { createDailyLayers } from './daily.ts';
import { createRollingDay, type RollingDay } from './day-figures.ts';
import { createDayFill } from './day-fill.ts';
import { createPathNames, type KeptDays } from './kept-days.ts';
import { createSimulatedPath } from './path.ts';
import { leafMs } from './rhythm.ts';
import { type Move, moveOf, type PriceShock } from './shocks.ts';

export type { KeptDay, KeptDays } from './kept-days.ts';
export type { PriceShock } from './shocks.ts';

const lookEveryMs = 250;
const phases = 5;
/** An unchanged price is emitted this often, so that it stays fresh; the day's figures are as old at most. */
const heartbeatMs = 1_000;
/** No listed market is shut for longer. */
const closureMsMax = 8 * dayMs;

export interface SimulatedFeedOptions {
  readonly seed: string;
  /** null: round the clock. */
  readonly sessions: Config['sessions'];
  /** Those that are to be simulated; one of which nothing typical is known is left out. */
  readonly pairs: readonly ListedPair[];
  readonly timers: Timers;
  /** All that were ever given, of any symbol. */
  readonly shocks: readonly PriceShock[];
  /**
   * By symbol: a factor on all its prices. Each pair has its own, so that no other pair's change of source moves it; triangles
   * then hold but for the factors.
   */
  readonly scales: ReadonlyMap<string, number>;
  /** Shared with other long computations; left out, the feed's own. */
  readonly turns?: Turns;
  /** Who keeps finished days between two starts; left out, nobody. */
  readonly keptDays?: KeptDays | undefined;
  /** Has the days of the whole past computed and kept in the background; left out, those that charts computed. */
  readonly fillsDays?: boolean;
}

export interface SimulatedFeed extends Feed {
  /** Moves the price from the shock's instant on; one of a symbol that neither is listed nor simulated moves nothing. */
  shock(shock: PriceShock): void;
  /**
   * The price of a simulated symbol at an instant (ms since the epoch) before it is put on the ticks, to scale a path
   * by; null of any other symbol.
   */
  priceAt(symbol: string, instant: number): number | null;
}

interface Market extends Charted {
  readonly composition: Composition;
  readonly rollingDay: RollingDay;
  readonly moves: Move[];
  /** Leaves since the epoch at which moves begin that no tick has shown yet. */
  unshown: number[];
  lookedAt: number;
  emittedAt: number;
  emittedPrice: number;
  day: DayFigures | null;
}

export function createSimulatedFeed(options: SimulatedFeedOptions): SimulatedFeed {
  const { seed, sessions, pairs, timers, keptDays } = options;
  const layers = createDailyLayers(seed);
  const markets = new Map<string, Market>();
  const asked = new Set<string>();
  const turns = options.turns ?? createTurns();
  const bars = createBars({ clock: timers, turns, keptDays });
  const pairOf = new Map([...catalogue, ...pairs].map((pair) => [pair.symbol, pair]));
  let stopLooking: (() => void) | null = null;

  for (const pair of pairs) openMarket(pair);
  for (const shock of options.shocks) addShock(shock);
  const dayFill =
    keptDays && options.fillsDays
      ? createDayFill({ markets: [...markets.values()], asked, keptDays, turns, timers })
      : null;

  function openMarket(pair: ListedPair): void {
    const { typical } = pair;
    const composition = compositionOf(pair);
    if (!typical || !composition) return;
    const { symbol, tradingHours } = pair;
    // The first look at a zone is dear: here nobody waits for it.
    tradingCalendar(tradingHours);
    const moves: Move[] = [];
    const scale = options.scales.get(symbol) ?? 1;
    const path = createSimulatedPath({ seed, layers, pair: { ...pair, typical }, composition, scale, moves });
    const hours: Sessions = sessions === 'honour' ? createSessions(tradingHours) : roundTheClock;
    markets.set(symbol, {
      symbol,
      tradingHours,
      composition,
      path,
      pathOfDay: createPathNames({ seed, sessions, pair, composition, scale }, moves),
      sessions: hours,
      rollingDay: createRollingDay(path, hours),
      moves,
      unshown: [],
      lookedAt: -Infinity,
      emittedAt: -Infinity,
      emittedPrice: Number.NaN,
      day: null,
    });
  }

  /** Adds it to every market that has a part in the path; returns those. */
  function addShock(shock: PriceShock): Market[] {
    const pair = pairOf.get(shock.symbol);
    const composition = pair && compositionOf(pair);
    const shocked = composition && moveOf(shock, composition);
    if (!shocked) return [];
    const { path, move } = shocked;
    return [...markets.values()].filter((market) => {
      const leg = market.composition.legs.find((one) => one.path.name === path);
      if (!leg) return false;
      market.moves.push({ ...move, size: move.size * leg.weight });
      market.unshown.push(move.from);
      market.path.forget();
      market.rollingDay.forget();
      return true;
    });
  }

  function look(symbol: string, market: Market, emit: (tick: FeedTick) => void): void {
    const now = timers.now();
    const shownAt = lastOpenInstant(market.sessions, now);
    const price = market.path.priceAt(shownAt);
    const breaks = isBreak(market, now, shownAt);
    const isDue = now - market.emittedAt >= heartbeatMs || breaks;
    market.lookedAt = now;
    if (isDue || market.day === null) {
      market.day = market.rollingDay.at(shownAt);
      market.emittedAt = now;
    } else if (price === market.emittedPrice) {
      return;
    }
    market.emittedPrice = price;
    market.day = including(market.day, price);
    emit({ symbol, source: 'simulated', price, marketTime: now, day: market.day, ...(breaks && { breaks }) });
  }

  return {
    sourceOf: (symbol) => (markets.has(symbol) ? 'simulated' : null),
    priceAt: (symbol, instant) => markets.get(symbol)?.path.exactPriceAt(instant) ?? null,
    async start(emit) {
      const all = [...markets];
      for (const [symbol, market] of all) look(symbol, market, emit);
      let phase = 0;
      stopLooking = timers.every(lookEveryMs / phases, () => {
        for (let next = phase; next < all.length; next += phases) {
          const entry = all[next];
          if (entry) look(...entry, emit);
        }
        phase = (phase + 1) % phases;
      });
      dayFill?.start();
    },
    async stop() {
      stopLooking?.();
      stopLooking = null;
      await dayFill?.stop();
      await bars.settled();
    },
    shock(shock) {
      for (const { symbol } of addShock(shock)) bars.forget(symbol);
    },
    async candles(symbol, timeframe, query) {
      const market = markets.get(symbol);
      if (!market) return [];
      asked.add(symbol);
      return bars.candles(market, timeframe, query);
    },
  };
}

/**
 * Whether the tick has nothing to do with the one before: a shock begins with it, or the clock was set back and took the
 * path's time with it. Without a word of ours the hub would drop such ticks, or hold them back.
 */
function isBreak(market: Market, now: number, shownAt: number): boolean {
  const leaf = Math.floor(shownAt / leafMs);
  const toCome = market.unshown.filter((from) => from > leaf);
  const hasBegun = toCome.length < market.unshown.length;
  market.unshown = toCome;
  const isFirst = market.lookedAt === -Infinity;
  return !isFirst && (hasBegun || now < market.lookedAt);
}

/** The day's extremes are up to a heartbeat old; the price of this moment belongs to them. */
function including(day: DayFigures, price: number): DayFigures {
  return { ...day, high: Math.max(day.high ?? price, price), low: Math.min(day.low ?? price, price) };
}

/** `now` in an open market, else the last moment of the session before. */
export function lastOpenInstant(sessions: Sessions, now: number): number {
  const [current] = sessions.within(now, now + 1);
  if (current) return now;
  const latest = sessions.within(now - closureMsMax, now).at(-1);
  return latest ? latest.to - 1 : now;
}
