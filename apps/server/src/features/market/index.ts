/**
 * The market: which pairs there are, what they cost now and what they cost before. One feed, chosen by PRICE_FEED,
 * emits into one hub; the hub's prices go out on the bus at once and into `last_prices` at most once a second, never
 * two writes at a time.
 * Invariants: after `start` every price that an earlier process stored and that may still mark something is held, and so
 * is every price that the feed knew by then; after `stop` nothing is emitted, asked for or written.
 */
import { busy, type PriceState, type Tick } from '@fulcrum/contract';
import type { TradingPair } from '@fulcrum/domain';
import type { Bus } from '../../platform/bus/index.ts';
import type { Timers } from '../../platform/clock/index.ts';
import type { Config, PriceFeed } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Outbound } from '../../platform/outbound/index.ts';
import { type Candles, createCandles } from './candles/index.ts';
import { createCatalogue, catalogue as shipped } from './catalogue/index.ts';
import { type ConfiguredFeed, createConfiguredFeed } from './configured-feed.ts';
import { createExchangePairs } from './exchange-pairs.ts';
import type { Feed, Interest, ProviderState, Source } from './feed.ts';
import { createHub } from './hub.ts';
import type { MarketPrice } from './price.ts';
import { createProcedures } from './procedures.ts';
import { createSourceActivity } from './source-activity.ts';
import { type SourceState, sourceStatesOf } from './source-states.ts';
import {
  deleteLastPrices,
  readLastPrices,
  readPairs,
  readSymbolsInUse,
  stillInUse,
  writeLastPrices,
  writePairs,
} from './store.ts';

export type { Bar, CandleQuery, DayFigures, Feed, FeedTick, ProviderState } from './feed.ts';
export type { MarketPrice } from './price.ts';
export type { SourceState } from './source-states.ts';

/** FEED-15: how often the hub looks at its prices, which are then stored. */
const beatEveryMs = 1_000;
/** Whether what is held because of its source is still in use, in beats. */
const releaseEveryBeats = 5;
/** Without any tick for this long the feed counts as dead; a running one ticks at least once a second. */
const silentAfterMs = 15_000;
/** FEED-07: a polled price that is older is asked for before somebody trades on it, who waits so long at most. */
const freshMs = 2_000;
const freshenMs = 2_000;

export type GivenFeed = Feed & Partial<Pick<ConfiguredFeed, 'replay' | 'shock'>>;

export interface MarketDependencies {
  readonly db: Database;
  readonly config: Pick<Config, 'priceFeed' | 'providers' | 'candleDays' | 'sessions' | 'staleAfterS'>;
  readonly timers: Timers;
  readonly bus: Bus;
  readonly log: Log;
  /** Prices under a test's control, instead of the configured feed; with what staff can do to them, if anything. */
  readonly feed?: GivenFeed;
  /** The way to the providers, which a test may count; left out, the one that the configuration allows. */
  readonly outbound?: Outbound;
  /** Has the past of simulated markets computed and kept in the background, from a minute after the start; left out: no. */
  readonly fillsDays?: boolean;
}

export interface MarketState {
  /** The first one of the list that is known; null before. */
  readonly source: Source | null;
  /** How many symbols each source serves. */
  readonly sources: Readonly<Partial<Record<Source, number>>>;
  /** Whether ticks are coming in; says nothing about whether they are of a live market (see `sources`). */
  readonly live: boolean;
  /** ISO 8601 UTC; null before the first tick of this process. */
  readonly lastTickAt: string | null;
  /** Symbols that have a price, listed ones, and those that somebody looks at. */
  readonly symbols: { readonly priced: number; readonly listed: number; readonly watched: number };
  /** Listed symbols by what their price is worth. */
  readonly states: Readonly<Partial<Record<PriceState, number>>>;
  /** `PRICE_FEED`, as it was asked for. */
  readonly wanted: PriceFeed['kind'];
  /** Prices that wait for `accept_price`. */
  readonly held: number;
  /** Who was asked for prices at the start; none while all of them are made here by choice. `heardAt` as ISO 8601 UTC. */
  readonly providers: readonly (Omit<ProviderState, 'heardAt'> & { readonly heardAt: string | null })[];
}

export interface Market {
  pair(symbol: string): TradingPair | undefined;
  pairs(): readonly TradingPair[];
  /** Whether something may be opened in it. A pair that left its list is kept for what is open on it alone. */
  isListed(symbol: string): boolean;
  /** The last known price, restored ones included: ask `isStale` and `marketOpen` before trading on it. */
  price(symbol: string): MarketPrice | undefined;
  /** Whether nothing may open or fire on the price at `now` (ms since the epoch): missing, too old, delayed or held (A37). */
  isStale(symbol: string, now: number): boolean;
  /**
   * Asks for a price that is polled before somebody trades on it, unless it is fresh. Resolves within 2 s whatever the
   * provider does; what is then known is judged like any other price.
   */
  freshen(symbol: string): Promise<void>;
  /** Somebody looks at this symbol until they call what is returned. */
  watch(symbol: string): () => void;
  /** Who knows the symbols of open positions and waiting orders says so here; until then it is what PostgreSQL said. */
  useSymbolsInUse(inUse: () => ReadonlySet<string>): void;
  ticks(): Tick[];
  /** Bars, for what is computed from them; the caller bounds how often it asks. @throws as `Candles.candles`, `busy` before the start */
  candles: Candles['candles'];
  /** A handler for every procedure that the contract declares for the market. */
  readonly procedures: ReturnType<typeof createProcedures>;
  state(): MarketState;
  /** How each source does that serves a listed symbol. */
  sourceStates(): SourceState[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Running {
  readonly configured: ConfiguredFeed;
  readonly candles: Candles;
}

export function createMarket(deps: MarketDependencies): Market {
  const { db, config, timers, bus, log, feed: given } = deps;
  const catalogue = createCatalogue(shipped, timers);
  let inUseAtStart: ReadonlySet<string> = new Set();
  let inUseNow: (() => ReadonlySet<string>) | null = null;
  const inUse = (): ReadonlySet<string> => inUseNow?.() ?? inUseAtStart;
  const watchers = new Map<string, number>();
  const interest: Interest = { inUse, watched: () => new Set(watchers.keys()) };
  const activity = createSourceActivity();
  const hub = createHub({
    pairs: catalogue.pairs(),
    config,
    clock: timers,
    bus,
    log,
    isInUse: (symbol) => inUseAtStart.has(symbol) || inUse().has(symbol),
    onHeard: activity.note,
  });
  const exchangePairs = createExchangePairs({
    db,
    catalogue,
    inUse,
    onListed: () => hub.list(catalogue.pairs()),
    timers,
    log,
  });
  let running: Running | null = null;
  let cancelBeat = (): void => {};
  let beats = 0;
  let storing: Promise<number> | null = null;
  let releasing: Promise<void> | null = null;
  let isStoringBroken = false;

  /** Stores what changed; joins a write that is under way instead of starting a second one. Resolves with how many prices. */
  function store(): Promise<number> {
    storing ??= storeChanged().finally(() => {
      storing = null;
    });
    return storing;
  }

  async function storeChanged(): Promise<number> {
    const prices = hub.takeChanged();
    if (prices.length === 0) return 0;
    try {
      await writeLastPrices(db, prices);
      if (isStoringBroken) log.info('the last prices are stored again');
      isStoringBroken = false;
      return prices.length;
    } catch (error) {
      hub.returnChanged(prices);
      // Said once: it is tried every second, and an outage may last.
      if (!isStoringBroken)
        log.error({ err: error }, 'storing the last prices failed; trying again every second');
      isStoringBroken = true;
      return 0;
    }
  }

  /** What is held because of its source, and nobody's money hangs on any more, is held no longer. */
  async function releaseUnused(): Promise<void> {
    const held = hub.heldBySource();
    if (held.length === 0) return;
    try {
      const used = await stillInUse(db, held);
      const unused = held.filter((symbol) => !used.has(symbol) && !inUse().has(symbol));
      inUseAtStart = new Set([...inUseAtStart].filter((symbol) => !unused.includes(symbol)));
      hub.release(unused);
    } catch (error) {
      log.debug({ err: error }, 'held prices stay held until PostgreSQL says whether they are in use');
    }
  }

  function beat(): void {
    hub.review();
    void store();
    beats += 1;
    if (beats % releaseEveryBeats !== 0) return;
    releasing ??= releaseUnused().finally(() => {
      releasing = null;
    });
  }

  /** Stored prices that still mark something are shown; of the others, those of a source that is gone are dropped. */
  async function restore(feed: Feed, prices: readonly MarketPrice[]): Promise<void> {
    // Where the sources are still looked for, the last price is what a simulated market goes on from.
    const isUndecided = given === undefined && config.priceFeed.kind === 'auto';
    const isGone = ({ symbol, source }: MarketPrice): boolean => {
      const served = feed.sourceOf(symbol);
      return served === null ? !isUndecided : served !== source;
    };
    const dropped = prices.filter((price) => isGone(price) && !inUseAtStart.has(price.symbol));
    const droppedSymbols = new Set(dropped.map(({ symbol }) => symbol));
    if (dropped.length > 0) await deleteLastPrices(db, [...droppedSymbols]);
    hub.restore(
      prices.filter(({ symbol }) => !droppedSymbols.has(symbol)),
      (symbol) => feed.sourceOf(symbol),
    );
  }

  async function configure(lasts: readonly MarketPrice[]): Promise<ConfiguredFeed> {
    if (given) {
      const { shock = null, replay = null } = given;
      return { feed: given, shock, replay, close: async () => {} };
    }
    const lastOf = new Map(lasts.map((price) => [price.symbol, price]));
    return createConfiguredFeed({
      db,
      config,
      catalogue,
      interest,
      lastPriceOf: (symbol) => hub.price(symbol) ?? lastOf.get(symbol),
      onExchange: exchangePairs.follow,
      timers,
      log,
      fillsDays: deps.fillsDays ?? false,
      ...(deps.outbound && { outbound: deps.outbound }),
    });
  }

  function now(): Running {
    if (!running) throw busy();
    return running;
  }

  async function storePrices(): Promise<number> {
    const updated = await store();
    // The caller is to ask again (RULE-25); the store itself tries every second.
    if (isStoringBroken) throw busy();
    return updated;
  }

  return {
    pair: catalogue.pair,
    pairs: catalogue.pairs,
    isListed: (symbol) => catalogue.pair(symbol) !== undefined && !catalogue.isFormer(symbol),
    price: hub.price,
    isStale: hub.isStale,
    ticks: hub.ticks,
    candles: async (...query) => now().candles.candles(...query),
    procedures: createProcedures({
      db,
      timers,
      log,
      hub,
      isListed: (symbol) => catalogue.pair(symbol) !== undefined,
      running: now,
      storePrices,
    }),
    async freshen(symbol) {
      const feed = running?.configured.feed;
      const last = hub.price(symbol);
      if (!feed?.fetch || feed.sourceOf(symbol) !== 'yahoo') return;
      if (last && (last.state === 'closed' || timers.now() - last.pricedAt < freshMs)) return;
      const asked = feed.fetch(symbol).catch((error: unknown) => {
        log.debug({ err: error, symbol }, 'a price could not be fetched before a trade');
      });
      await within(timers, freshenMs, asked);
    },
    watch(symbol) {
      if (!catalogue.pair(symbol)) return () => {};
      watchers.set(symbol, (watchers.get(symbol) ?? 0) + 1);
      let isWatching = true;
      return () => {
        if (!isWatching) return;
        isWatching = false;
        const left = (watchers.get(symbol) ?? 1) - 1;
        if (left > 0) watchers.set(symbol, left);
        else watchers.delete(symbol);
      };
    },
    useSymbolsInUse(symbols) {
      inUseNow = symbols;
    },
    state() {
      const lastTickAt = hub.lastTickAt();
      const feed = running?.configured.feed;
      const served = catalogue.pairs().map(({ symbol }) => feed?.sourceOf(symbol) ?? null);
      return {
        source: served.find((source) => source !== null) ?? null,
        sources: countsOf(served),
        live: lastTickAt !== null && timers.now() - lastTickAt <= silentAfterMs,
        lastTickAt: isoOf(lastTickAt),
        symbols: { priced: hub.prices().length, listed: served.length, watched: watchers.size },
        states: countsOf(hub.prices().map(({ state }) => state)),
        wanted: config.priceFeed.kind,
        held: hub.holds().length,
        providers: (feed?.providers?.() ?? []).map((provider) => ({
          ...provider,
          heardAt: isoOf(provider.heardAt),
        })),
      };
    },
    sourceStates() {
      const configured = running?.configured;
      return sourceStatesOf({
        served: catalogue.pairs().map(({ symbol }) => [symbol, configured?.feed.sourceOf(symbol) ?? null]),
        price: hub.price,
        providers: configured?.feed.providers?.() ?? [],
        activity,
        isReplayPaused: configured?.replay?.controls().paused ?? false,
        now: timers.now(),
        silentAfterMs,
      });
    },
    async start() {
      inUseAtStart = await readSymbolsInUse(db);
      catalogue.listFormer(await readPairs(db, inUseAtStart));
      hub.list(catalogue.pairs());
      await writePairs(db, catalogue.pairs());
      const lasts = await readLastPrices(db);
      const configured = await configure(lasts);
      const { feed } = configured;
      const { candleDays } = config;
      const candles = createCandles({ db, timers, log, bus, feed, pairOf: catalogue.pair, candleDays });
      running = { configured, candles };
      await restore(feed, lasts);
      candles.start();
      await feed.start(hub.take);
      await store();
      cancelBeat = timers.every(beatEveryMs, beat);
    },
    async stop() {
      cancelBeat();
      const following = exchangePairs.stop();
      await running?.configured.feed.stop();
      await following;
      await running?.candles.stop();
      await running?.configured.close();
      await releasing;
      if (storing) await storing;
      await store();
    },
  };
}

const isoOf = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();

function countsOf<Key extends string>(keys: readonly (Key | null)[]): Partial<Record<Key, number>> {
  const counts: Partial<Record<Key, number>> = {};
  for (const key of keys) if (key !== null) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

/** Resolves with `work`, or after `ms`. */
async function within(timers: Timers, ms: number, work: Promise<void>): Promise<void> {
  let cancel = (): void => {};
  const limit = new Promise<void>((resolve) => {
    cancel = timers.after(ms, resolve);
  });
  await Promise.race([work, limit]);
  cancel();
}
