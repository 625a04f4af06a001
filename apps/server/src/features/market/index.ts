/**
 * The market: the listed pairs, their present prices and their past ones. One feed, chosen by PRICE_FEED, emits into one
 * hub; the hub's prices go out on the bus at once and into `last_prices` at most once a second.
 * Invariants: after `start` the hub has every price that an earlier process stored and that may still mark a position, and
 * every price that the feed knew by then; after `stop` nothing is emitted, requested or written.
 */
import { busy, type PriceState, type RecordedClock, type Tick } from '@fulcrum/contract';
import type { MarketTrade, StreamedBook, TradingPair } from '@fulcrum/domain';
import { waitAtMost } from '../../platform/clock/wait-at-most.ts';
import type { Config, PriceFeed } from '../../platform/config/index.ts';
import type { Outbound } from '../../platform/outbound/index.ts';
import type { Services } from '../../platform/services.ts';
import { createBookedSymbols } from './booked-symbols.ts';
import { type Candles, createCandles } from './candles/index.ts';
import { createCatalogue, catalogue as shipped } from './catalogue/index.ts';
import { type ConfiguredFeed, createConfiguredFeed, isSeedPublic } from './configured-feed.ts';
import { createControls } from './controls.ts';
import { createExchangePairs } from './exchange-pairs.ts';
import type { Feed, Interest, ProviderState, Source } from './feed.ts';
import type { ReplayControls } from './feeds/replay/index.ts';
import { createFollowedSymbols } from './followed-symbols.ts';
import { createHub } from './hub.ts';
import { createLastPrices } from './last-prices.ts';
import { isFreshPolled, type MarketPrice, type StoredPrice } from './price.ts';
import { honoursHours } from './price-state.ts';
import { createProcedures } from './procedures.ts';
import { createQuotes, type Quotes } from './quotes/index.ts';
import { describeStop, recordedClockOf } from './recorded-clock.ts';
import { createSourceActivity } from './source-activity.ts';
import { getSourceStates, publicSeed, type SourceState } from './source-states.ts';
import {
  deleteLastPrices,
  filterInUse,
  readLastPrices,
  readPairs,
  readReplayPosition,
  readSourceChoice,
  readSymbolsInUse,
  writePairs,
  writeReplayPosition,
  writeSourceChoice,
} from './store.ts';

export type { Bar, CandleQuery, Feed, FeedTick } from './feed.ts';
export { engine3, leafMs, type PriceShock } from './feeds/simulated/index.ts';
export {
  computePublishedPrices,
  createMarketProof,
  dayOf,
  findFalseKeys,
  formatDay,
  type MarketCommitment,
  type MarketProof,
  marketCommitment,
  marketKeys,
  type PublishedPrices,
  priceShock,
} from './market-proof.ts';
export type { MarketPrice, PriceNumber } from './price.ts';
export { readRescaled, readShocks } from './simulation-store.ts';

/** FEED-15: interval at which the hub checks its prices, which are then stored. */
const beatEveryMs = 1_000;
/** Whether what is held because of its source is still in use, in beats. */
const releaseEveryBeats = 5;
/** Without any tick for this long the feed counts as dead; a running one ticks at least once a second. */
const silentAfterMs = 15_000;
/** FEED-07: a trade waits for this long at most for the price that is fetched before it. */
const ensureFreshMsMax = 2_000;

export type InjectedFeed = Feed & Partial<Pick<ConfiguredFeed, 'replay' | 'shock'>>;

export interface MarketDependencies extends Pick<Services, 'db' | 'timers' | 'bus' | 'log'> {
  readonly config: Pick<Config, 'priceFeed' | 'providers' | 'candleDays' | 'sessions' | 'staleAfterS'>;
  /** Key of the simulated market where no seed is chosen: 32 secret bytes. */
  readonly marketKey: Uint8Array;
  /** Prices under a test's control, instead of the configured feed; with what staff can do to them, if anything. */
  readonly feed?: InjectedFeed;
  /** The way to the providers, which a test may count; left out, the one that the configuration allows. */
  readonly outbound?: Outbound;
  /** Computes and stores the past of simulated markets in the background, from a minute after the start; left out: no. */
  readonly backfillDays?: boolean;
  /** Whether later markets on this database keep to the sources that the first one chose; left out: no. */
  readonly retainsSources?: boolean;
}

export interface MarketState {
  /** The first one of the list that is known; null before. */
  readonly source: Source | null;
  /** How many symbols each source serves. */
  readonly sources: Readonly<Partial<Record<Source, number>>>;
  /** Whether ticks are coming in; for the state of live markets see `sources`. */
  readonly live: boolean;
  /** ISO 8601 UTC; null before the first tick of this process. */
  readonly lastTickAt: string | null;
  /** Symbols that have a price, listed ones, and those that a client displays. */
  readonly symbols: { readonly priced: number; readonly listed: number; readonly shown: number };
  /** Listed symbols by what their price is worth. */
  readonly states: Readonly<Partial<Record<PriceState, number>>>;
  /** `PRICE_FEED` as configured. */
  readonly configured: PriceFeed['kind'];
  /** State of the simulated prices: `public` warns of a chosen seed; null where no simulation is configured. */
  readonly seed: 'secret' | `public: ${typeof publicSeed}` | null;
  /** Prices that wait for `accept_price`. */
  readonly held: number;
  /** How many prices were taken over since the start: the number of the latest. */
  readonly ticks: number;
  /** The recording that plays; null while none does. */
  readonly replay: ReplayControls | null;
  /** The providers that were probed at the start; empty while all prices are simulated. `receivedAt` as ISO 8601 UTC. */
  readonly providers: readonly (Omit<ProviderState, 'receivedAt'> & { readonly receivedAt: string | null })[];
}

export interface Market {
  pair(symbol: string): TradingPair | undefined;
  pairs(): readonly TradingPair[];
  /** Whether a position may be opened in it. A delisted pair stays only for what is open on it. */
  isListed(symbol: string): boolean;
  /** The last known price, restored ones included: check `isStale` and `marketOpen` before a trade uses it. */
  price(symbol: string): MarketPrice | undefined;
  /** Whether nothing may open or fire on the price at `now` (ms since the epoch): missing, too old, delayed or held (A37). */
  isStale(symbol: string, now: number): boolean;
  /** Where its prices come from; null before that is known, and where there are none. */
  sourceOf(symbol: string): Source | null;
  /** Whether the market shuts outside its hours; false before its source is known. */
  honoursHours(symbol: string): boolean;
  /** Bids, asks, levels and trades of the present prices, and books of earlier ones by their ids (A114). */
  readonly quotes: Pick<Quotes, 'book' | 'peek' | 'rebuild' | 'trades'>;
  /** Whether some prices have to be fetched on demand. */
  isPolled(): boolean;
  /**
   * Call before a trade uses a price: fetches a polled price unless it is fresh, and evaluates a simulated one. Resolves
   * within 2 s whatever the provider does; the price known by then is judged like any other.
   */
  ensureFresh(symbol: string): Promise<void>;
  /** Marks this symbol as displayed until the returned function is called; its price is current from then on. */
  follow(symbol: string): () => void;
  /** Likewise at all symbols. */
  followAll(): () => void;
  /** Call before a read of the stored prices: resolves when they are current. Never rejects. */
  syncStoredPrices(): Promise<void>;
  /**
   * Sets the source of the symbols of open positions and waiting orders; until then PostgreSQL is that source. `booked`: those of
   * accounts that trade on books.
   */
  setSymbolsInUse(inUse: () => ReadonlySet<string>, booked?: () => ReadonlySet<string>): void;
  /**
   * Sets the function that returns a promise of the pending settlement, or null when nothing is pending. A recording waits for
   * it before it advances; without the function it never waits.
   */
  setPendingSettlement(pendingSettlement: () => Promise<void> | null): void;
  ticks(): Tick[];
  /** Bars, for computations; the caller limits its rate. @throws as `Candles.candles`, `busy` before the start */
  candles: Candles['candles'];
  /** The handlers of the market's procedures for everybody. */
  readonly procedures: ReturnType<typeof createProcedures>;
  /** The handlers of what staff control; `features/staff/actions` guards them from impersonation. */
  readonly controls: ReturnType<typeof createControls>;
  /** The public state of the playing recording; null while none plays. */
  recordedClock(): RecordedClock | null;
  /** Symbols that the recording has; null while none plays. */
  recordedSymbols(): readonly string[] | null;
  state(): MarketState;
  /** How each source does that serves a listed symbol. */
  sourceStates(): SourceState[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A market with its feed, as opposed to a mirror of one (`cluster/`). */
export interface LeadingMarket extends Market {
  readonly quotes: Omit<Quotes, 'start' | 'stop'>;
  /** What the exchange has streamed of a symbol by `now`, ms since the epoch. */
  streamed(symbol: string, now: number): Streamed;
}

interface Streamed {
  readonly book: StreamedBook | undefined;
  /** The newest first. */
  readonly trades: readonly MarketTrade[];
}

interface Running {
  readonly configured: ConfiguredFeed;
  readonly candles: Candles;
}

export function createMarket(deps: MarketDependencies): LeadingMarket {
  const { db, config, timers, bus, log, feed: injected } = deps;
  const catalogue = createCatalogue(shipped, timers);
  let inUseAtStart: ReadonlySet<string> = new Set();
  let inUseNow: (() => ReadonlySet<string>) | null = null;
  let bookedNow = (): ReadonlySet<string> => new Set();
  let pendingSettlement: () => Promise<void> | null = () => null;
  const inUse = (): ReadonlySet<string> => inUseNow?.() ?? inUseAtStart;
  const followedSymbols = createFollowedSymbols({ clock: timers, inUse });
  const bookedSymbols = createBookedSymbols(timers, () => bookedNow());
  const interest: Interest = { inUse, shown: followedSymbols.shown, booked: bookedSymbols.booked };
  const activity = createSourceActivity();
  const hub = createHub({
    pairs: catalogue.pairs(),
    config,
    clock: timers,
    bus,
    log,
    isInUse: (symbol) => inUseAtStart.has(symbol) || inUse().has(symbol),
    onTick: activity.record,
  });
  const exchangePairs = createExchangePairs({
    db,
    catalogue,
    inUse,
    onListed: () => hub.setPairs(catalogue.pairs()),
    timers,
    log,
  });
  let running: Running | null = null;
  const quotes = createQuotes({
    bus,
    key: deps.marketKey,
    pair: catalogue.pair,
    price: hub.price,
    live: {
      isStale: hub.isStale,
      streamed: streamedBook,
      trades: streamedTrades,
      onRead: bookedSymbols.markRead,
    },
  });
  let cancelBeat = (): void => {};
  let beats = 0;
  let releasing: Promise<void> | null = null;
  const lastPrices = createLastPrices({
    db,
    hub,
    feed: () => running?.configured.feed ?? null,
    followed: followedSymbols.followed,
    timers,
    log,
  });

  /** Releases the prices that are held because of their source once nothing is open on them. */
  async function releaseUnused(): Promise<void> {
    const held = hub.heldForSourceChange();
    if (held.length === 0) return;
    try {
      const used = await filterInUse(db, held);
      const unused = held.filter((symbol) => !used.has(symbol) && !inUse().has(symbol));
      inUseAtStart = new Set([...inUseAtStart].filter((symbol) => !unused.includes(symbol)));
      hub.release(unused);
    } catch (error) {
      log.debug({ err: error }, 'held prices stay held until PostgreSQL answers whether they are in use');
    }
  }

  function beat(): void {
    hub.refreshStates();
    void lastPrices.storeDue();
    beats += 1;
    if (beats % releaseEveryBeats !== 0) return;
    releasing ??= releaseUnused().finally(() => {
      releasing = null;
    });
  }

  /** Restores stored prices that still mark a position; of the others, drops those of a source that is gone. */
  async function restore(feed: Feed, prices: readonly StoredPrice[]): Promise<void> {
    // Where the sources are still looked for, the last price is what a simulated market goes on from.
    const isUndecided = injected === undefined && config.priceFeed.kind === 'auto';
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
    if (injected) {
      const { shock = null, replay = null } = injected;
      return { feed: injected, shock, replay, close: async () => {} };
    }
    const lastOf = new Map(lasts.map((price) => [price.symbol, price]));
    return createConfiguredFeed({
      db,
      config,
      marketKey: deps.marketKey,
      catalogue,
      interest,
      followedSymbols,
      pendingSettlement: () => pendingSettlement(),
      lastPriceOf: (symbol) => hub.price(symbol) ?? lastOf.get(symbol),
      onExchange: exchangePairs.start,
      timers,
      log,
      backfillDays: deps.backfillDays ?? false,
      ...(deps.retainsSources && {
        storedChoice: {
          read: () => readSourceChoice(db),
          write: (choice) => writeSourceChoice(db, choice),
        },
        storedPosition: {
          read: () => readReplayPosition(db),
          write: (position) => writeReplayPosition(db, position),
        },
      }),
      ...(deps.outbound && { outbound: deps.outbound }),
    });
  }

  /** What opens on the price finds it stored: positions are marked from there. */
  async function refreshSimulated(feed: Feed, symbol: string): Promise<void> {
    const wasFollowed = followedSymbols.followed()(symbol);
    followedSymbols.markRequested(symbol);
    if (wasFollowed) return;
    feed.emitCurrent?.(symbol);
    await waitAtMost(timers, ensureFreshMsMax, lastPrices.storeDue());
  }

  function now(): Running {
    if (!running) throw busy();
    return running;
  }

  const isListed = (symbol: string): boolean => catalogue.pair(symbol) !== undefined;

  function streamedBook(symbol: string, at: number): StreamedBook | undefined {
    return running?.configured.feed.book?.(symbol, at);
  }
  function streamedTrades(symbol: string): readonly MarketTrade[] {
    return running?.configured.feed.trades?.(symbol) ?? [];
  }

  async function storePrices(): Promise<number> {
    const updated = await lastPrices.storeAll();
    // The caller retries (RULE-25); failed fetches are retried every second.
    if (lastPrices.isBroken()) throw busy();
    return updated;
  }

  return {
    pair: catalogue.pair,
    pairs: catalogue.pairs,
    isListed: (symbol) => catalogue.pair(symbol) !== undefined && !catalogue.isDelisted(symbol),
    price: hub.price,
    isStale: hub.isStale,
    sourceOf: (symbol) => running?.configured.feed.sourceOf(symbol) ?? null,
    honoursHours: (symbol) => honoursHours(config, running?.configured.feed.sourceOf(symbol) ?? null),
    quotes,
    streamed: (symbol, at) => ({ book: streamedBook(symbol, at), trades: streamedTrades(symbol) }),
    ticks: hub.ticks,
    candles: async (...query) => now().candles.candles(...query),
    procedures: createProcedures({ timers, log, hub, isListed, running: now, storePrices }),
    controls: createControls({ db, timers, hub, isListed, running: now }),
    isPolled: () => running?.configured.feed.fetch !== undefined,
    async ensureFresh(symbol) {
      const feed = running?.configured.feed;
      if (feed?.emitCurrent && feed.sourceOf(symbol) === 'simulated') return refreshSimulated(feed, symbol);
      const last = hub.price(symbol);
      if (!feed?.fetch || feed.sourceOf(symbol) !== 'yahoo') return;
      if (last && isFreshPolled(last, timers.now())) return;
      const request = feed.fetch(symbol).catch((error: unknown) => {
        log.debug({ err: error, symbol }, 'a price could not be fetched before a trade');
      });
      await waitAtMost(timers, ensureFreshMsMax, request);
    },
    follow(symbol) {
      if (!catalogue.pair(symbol)) return () => {};
      running?.configured.feed.emitCurrent?.(symbol);
      return followedSymbols.follow(symbol);
    },
    followAll() {
      const emitCurrent = running?.configured.feed.emitCurrent;
      const isFollowed = followedSymbols.followed();
      for (const { symbol } of catalogue.pairs()) if (!isFollowed(symbol)) emitCurrent?.(symbol);
      return followedSymbols.followAll();
    },
    syncStoredPrices: lastPrices.syncForReader,
    setSymbolsInUse(getSymbols, getBooked) {
      inUseNow = getSymbols;
      if (getBooked) bookedNow = getBooked;
    },
    setPendingSettlement(settlement) {
      pendingSettlement = settlement;
    },
    recordedClock: () => recordedClockOf(running?.configured.replay?.controls() ?? null),
    recordedSymbols() {
      const configured = running?.configured;
      if (!configured?.replay) return null;
      const { feed } = configured;
      return catalogue.pairs().flatMap(({ symbol }) => (feed.sourceOf(symbol) === null ? [] : symbol));
    },
    state() {
      const lastTickAt = hub.lastTickAt();
      const feed = running?.configured.feed;
      const replay = running?.configured.replay?.controls() ?? null;
      const served = catalogue.pairs().map(({ symbol }) => feed?.sourceOf(symbol) ?? null);
      return {
        source: served.find((source) => source !== null) ?? null,
        sources: countBy(served),
        live: lastTickAt !== null && timers.now() - lastTickAt <= silentAfterMs,
        lastTickAt: isoOf(lastTickAt),
        symbols: {
          priced: hub.prices().length,
          listed: served.length,
          shown: followedSymbols.shown().size,
        },
        states: countBy(hub.prices().map(({ state }) => state)),
        configured: config.priceFeed.kind,
        seed: seedOf(config.priceFeed),
        held: hub.holds().length,
        ticks: hub.tickCount(),
        replay,
        providers: (feed?.providers?.() ?? []).map((provider) => ({
          ...provider,
          receivedAt: isoOf(provider.receivedAt),
        })),
      };
    },
    sourceStates() {
      const configured = running?.configured;
      return getSourceStates({
        served: catalogue.pairs().map(({ symbol }) => [symbol, configured?.feed.sourceOf(symbol) ?? null]),
        price: hub.price,
        providers: configured?.feed.providers?.() ?? [],
        activity,
        replayTrouble: describeStop(configured?.replay?.controls() ?? null),
        isSeedPublic: injected === undefined && isSeedPublic(config.priceFeed),
        now: timers.now(),
        silentAfterMs,
      });
    },
    async start() {
      inUseAtStart = await readSymbolsInUse(db);
      catalogue.addDelisted(await readPairs(db, inUseAtStart));
      hub.setPairs(catalogue.pairs());
      await writePairs(db, catalogue.pairs());
      const lasts = await readLastPrices(db);
      const configured = await configure(lasts);
      const { feed } = configured;
      const { candleDays } = config;
      const candles = createCandles({ db, timers, log, bus, feed, pairOf: catalogue.pair, candleDays });
      running = { configured, candles };
      await restore(feed, lasts);
      candles.start();
      quotes.start();
      await feed.start(hub.take);
      await lastPrices.storeAll();
      cancelBeat = timers.every(beatEveryMs, beat);
    },
    async stop() {
      cancelBeat();
      quotes.stop();
      const following = exchangePairs.stop();
      await running?.configured.feed.stop();
      await following;
      await running?.candles.stop();
      await running?.configured.close();
      await releasing;
      await lastPrices.storeAll();
    },
  };
}

function seedOf(feed: PriceFeed): MarketState['seed'] {
  if (isSeedPublic(feed)) return `public: ${publicSeed}`;
  return feed.kind === 'simulated' || feed.kind === 'auto' ? 'secret' : null;
}

const isoOf = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();

function countBy<Key extends string>(keys: readonly (Key | null)[]): Partial<Record<Key, number>> {
  const counts: Partial<Record<Key, number>> = {};
  for (const key of keys) if (key !== null) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}
