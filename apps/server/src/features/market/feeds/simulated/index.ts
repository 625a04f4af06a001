/**
 * The simulated feed: endless prices without a network. A followed symbol is computed four times a second, any other
 * once, the symbols spread over the quarter, and emitted when its price moved or a second has passed. With trading hours
 * honoured, a closed market shows its closing price, and bars and day figures cover trading hours only.
 *
 * Invariant: the price of a symbol at an instant depends on the models, the shocks and the scales alone: not on the other
 * simulated symbols, on earlier calls, or on the number of restarts.
 */
import { dayMs, tradingCalendar } from '@fulcrum/domain';
import type { Timers } from '../../../../platform/clock/index.ts';
import type { Config } from '../../../../platform/config/index.ts';
import { catalogue, type ListedPair } from '../../catalogue/index.ts';
import type { Feed, FeedTick } from '../../feed.ts';
import type { FollowedSymbols } from '../../followed-symbols.ts';
import { createTimeSlicer, type TimeSlicer } from '../../time-slicer.ts';
import { createTradingSchedule, roundTheClock, type TradingSchedule } from '../../trading-hours.ts';
import { type ChartMarket, createBars } from './bars.ts';
import { type Composition, compositionOf } from './composition.ts';
import { createDayBackfill } from './day-backfill.ts';
import { createPathNames, type DayCache, joinPathNames } from './day-cache.ts';
import { createRollingDay, type RollingDay, type RollingFigures, withPrice } from './day-figures.ts';
import { joinPaths } from './epochs.ts';
import type { MarketModel, PathEpoch } from './model.ts';
import { createSimulatedPath } from './path.ts';
import { leafMs } from './rhythm.ts';
import { type Move, type PriceShock, toPathMove } from './shocks.ts';

export type { CachedDay, DayCache } from './day-cache.ts';
export { committedStreams, hashOfKeys, keysOfDay, keysOfPast, publishedKeys } from './day-keys.ts';
export { engine2DefaultSeed } from './engine-2.ts';
export { createDayKeys, engine3, keyIdOf, keyOfSeed } from './engine-3.ts';
export {
  type MarketModel,
  modelOfDayKeys,
  modelOfEngine2,
  modelOfKey,
  modelOfSeed,
  type PathEpoch,
} from './model.ts';
export { leafMs } from './rhythm.ts';
export type { PriceShock } from './shocks.ts';

const pollEveryMs = 250;
const phases = 5;
/** An unchanged price is emitted this often, so that it stays fresh. */
const heartbeatMs = 1_000;
/** A timer that fires early must not leave out a beat. */
const beatMs = heartbeatMs - pollEveryMs / phases;
/**
 * Maximum age of the day's volumes, and of extremes between two computations. A request takes the cached figures: computing
 * those of all symbols at once would block the process.
 */
const figuresEveryMs = { followed: 5_000, unfollowed: 60_000, requested: 60_000 } as const;
type Reason = keyof typeof figuresEveryMs;
/** No listed market is shut for longer. */
const closureMsMax = 8 * dayMs;

export interface SimulatedFeedOptions {
  readonly model: MarketModel;
  /** The markets that it was before, oldest first; left out, none. */
  readonly earlier?: readonly PathEpoch[];
  /** null: round the clock. */
  readonly sessions: Config['sessions'];
  /** The symbols to simulate; one without typical figures is left out. */
  readonly pairs: readonly ListedPair[];
  readonly timers: Timers;
  /** All shocks so far, of any symbol. */
  readonly shocks: readonly PriceShock[];
  /**
   * By symbol: a factor on all its prices. Each pair has its own, so that no other pair's change of source moves it; triangles
   * then hold but for the factors.
   */
  readonly scales: ReadonlyMap<string, number>;
  /** Shared with other long computations; left out, the feed's own. */
  readonly timeSlicer?: TimeSlicer;
  /** Stores finished days between two starts; left out, none are stored. */
  readonly dayCache?: DayCache | undefined;
  /** Left out, all symbols are followed. */
  readonly followedSymbols?: Pick<FollowedSymbols, 'followed' | 'hasViewers'> | undefined;
  /** Computes and stores the days of the whole past in the background; left out, only those that charts computed. */
  readonly backfillDays?: boolean;
}

export interface SimulatedFeed extends Feed {
  emitCurrent(symbol: string): void;
  /** Moves the price from the shock's instant on; one of a symbol that neither is listed nor simulated moves nothing. */
  shock(shock: PriceShock): void;
  /**
   * The price of a simulated symbol at an instant (ms since the epoch) before it is put on the ticks, to scale a path
   * by; null of any other symbol.
   */
  priceAt(symbol: string, instant: number): number | null;
  /** What the market shows at an instant (ms since the epoch): while it is shut the last price of its session. Null of any other symbol. */
  shownPriceAt(symbol: string, instant: number): number | null;
}

const followEverything = { followed: () => () => true, hasViewers: () => true } as const;

interface SimulatedMarket extends ChartMarket {
  readonly composition: Composition;
  readonly rollingDay: RollingDay;
  readonly moves: Move[];
  /** Leaves since the epoch at which moves begin that no tick has shown yet. */
  unshown: number[];
  polledAt: number;
  emittedAt: number;
  emittedPrice: number;
  figuresAt: number;
  day: RollingFigures | null;
}

export function createSimulatedFeed(options: SimulatedFeedOptions): SimulatedFeed {
  const {
    model,
    earlier = [],
    sessions,
    pairs,
    timers,
    dayCache,
    followedSymbols = followEverything,
  } = options;
  const markets = new Map<string, SimulatedMarket>();
  const requested = new Set<string>();
  const timeSlicer = options.timeSlicer ?? createTimeSlicer();
  const bars = createBars({ clock: timers, timeSlicer, dayCache });
  const pairOf = new Map([...catalogue, ...pairs].map((pair) => [pair.symbol, pair]));
  let stopPolling: (() => void) | null = null;
  let emit: ((tick: FeedTick) => void) | null = null;

  for (const pair of pairs) openMarket(pair);
  for (const shock of options.shocks) addShock(shock);
  const dayBackfill =
    dayCache && options.backfillDays
      ? createDayBackfill({
          markets: [...markets.values()],
          requested,
          dayCache,
          timeSlicer,
          timers,
          hasViewers: followedSymbols.hasViewers,
        })
      : null;

  function openMarket(pair: ListedPair): void {
    const { typical } = pair;
    const composition = compositionOf(pair);
    if (!typical || !composition) return;
    const { symbol, tradingHours } = pair;
    // The first use of a time zone is expensive: here no caller waits for it.
    tradingCalendar(tradingHours);
    const moves: Move[] = [];
    const createEpochPath = (epoch: Pick<PathEpoch, 'model' | 'scales'>) => {
      const scale = epoch.scales.get(symbol) ?? 1;
      const origin = { model: epoch.model, sessions, pair: { ...pair, typical }, composition, scale };
      return { path: createSimulatedPath({ ...origin, moves }), nameOf: createPathNames(origin, moves) };
    };
    const current = createEpochPath({ model, scales: options.scales });
    const before = earlier.map((epoch) => ({ ...createEpochPath(epoch), until: epoch.until }));
    const path = joinPaths(before, current.path);
    const schedule: TradingSchedule =
      sessions === 'honour' ? createTradingSchedule(tradingHours) : roundTheClock;
    markets.set(symbol, {
      symbol,
      tradingHours,
      composition,
      path,
      pathOfDay: joinPathNames(before, current.nameOf, tradingHours),
      schedule,
      rollingDay: createRollingDay(path, schedule),
      moves,
      unshown: [],
      polledAt: -Infinity,
      emittedAt: -Infinity,
      emittedPrice: Number.NaN,
      figuresAt: -Infinity,
      day: null,
    });
  }

  /** Adds it to every market that has a part in the path; returns those. */
  function addShock(shock: PriceShock): SimulatedMarket[] {
    const pair = pairOf.get(shock.symbol);
    const composition = pair && compositionOf(pair);
    const shocked = composition && toPathMove(shock, composition);
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

  /** A symbol that is not followed is skipped until its second is over, unless a shock begins. */
  function isPollDue({ polledAt, unshown }: SimulatedMarket): boolean {
    const elapsedMs = timers.now() - polledAt;
    return elapsedMs >= beatMs || elapsedMs < 0 || unshown.length > 0;
  }

  function emitMarket(symbol: string, market: SimulatedMarket, reason: Reason): void {
    const now = timers.now();
    const shownAt = lastOpenInstant(market.schedule, now);
    const price = market.path.priceAt(shownAt);
    const breaks = isBreak(market, now, shownAt);
    const isDue = now - market.emittedAt >= beatMs || breaks || reason === 'requested';
    market.polledAt = now;
    if (!isDue && price === market.emittedPrice) return;
    if (isDue) market.emittedAt = now;
    const figuresAgeMs = now - market.figuresAt;
    const areFiguresOld = breaks || !(figuresAgeMs < figuresEveryMs[reason]) || figuresAgeMs < 0;
    if (areFiguresOld) market.figuresAt = now;
    const { open, ...day } = withPrice(
      market.day === null || areFiguresOld ? market.rollingDay.at(shownAt) : market.day,
      price,
    );
    market.day = { open, ...day };
    market.emittedPrice = price;
    emit?.({ symbol, source: 'simulated', price, marketTime: now, day, ...(breaks && { breaks }) });
  }

  return {
    sourceOf: (symbol) => (markets.has(symbol) ? 'simulated' : null),
    priceAt: (symbol, instant) => markets.get(symbol)?.path.exactPriceAt(instant) ?? null,
    shownPriceAt(symbol, instant) {
      const market = markets.get(symbol);
      return market ? market.path.priceAt(lastOpenInstant(market.schedule, instant)) : null;
    },
    async start(take) {
      emit = take;
      const all = [...markets];
      for (const [symbol, market] of all) emitMarket(symbol, market, 'followed');
      let phase = 0;
      stopPolling = timers.every(pollEveryMs / phases, () => {
        const isFollowed = followedSymbols.followed();
        for (let next = phase; next < all.length; next += phases) {
          const [symbol, market] = all[next] ?? [];
          if (symbol === undefined || !market) continue;
          if (isFollowed(symbol)) emitMarket(symbol, market, 'followed');
          else if (isPollDue(market)) emitMarket(symbol, market, 'unfollowed');
        }
        phase = (phase + 1) % phases;
      });
      dayBackfill?.start();
    },
    async stop() {
      stopPolling?.();
      stopPolling = null;
      emit = null;
      await dayBackfill?.stop();
      await bars.settled();
    },
    shock(shock) {
      for (const { symbol } of addShock(shock)) bars.forget(symbol);
    },
    emitCurrent(symbol) {
      const market = markets.get(symbol);
      if (market && emit) emitMarket(symbol, market, 'requested');
    },
    async candles(symbol, timeframe, query) {
      const market = markets.get(symbol);
      if (!market) return [];
      requested.add(symbol);
      return bars.candles(market, timeframe, query);
    },
  };
}

/**
 * Whether the tick is a break: a shock begins with it, or the clock was set back and the path's time with it. Without this
 * mark the hub would drop such ticks, or hold them.
 */
function isBreak(market: SimulatedMarket, now: number, shownAt: number): boolean {
  const leaf = Math.floor(shownAt / leafMs);
  const upcoming = market.unshown.filter((from) => from > leaf);
  const hasBegun = upcoming.length < market.unshown.length;
  market.unshown = upcoming;
  const isFirst = market.polledAt === -Infinity;
  return !isFirst && (hasBegun || now < market.polledAt);
}

/** `now` in an open market, else the last moment of the session before. */
export function lastOpenInstant(sessions: TradingSchedule, now: number): number {
  const [current] = sessions.openSpans(now, now + 1);
  if (current) return now;
  const latest = sessions.openSpans(now - closureMsMax, now).at(-1);
  return latest ? latest.to - 1 : now;
}
