/**
 * The market: which pairs there are, what they cost now and what they cost before. One feed, chosen by PRICE_FEED,
 * emits into one hub; the hub's prices go out on the bus at once and into `last_prices` at most once a second, never
 * two writes at a time.
 * Invariant: after `start` every price that the feed knows is held and stored; after `stop` nothing is emitted or
 * written.
 */
import { AppError, busy, type Candle, type getCandles, type Tick, texts } from '@fulcrum/contract';
import type { Price, TradingPair } from '@fulcrum/domain';
import type { z } from 'zod';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { catalogue } from './catalogue.ts';
import type { Feed, Source } from './feed.ts';
import { createReplayFeed } from './feeds/replay/index.ts';
import { createSimulatedFeed } from './feeds/simulated/index.ts';
import { createHub } from './hub.ts';
import type { MarketPrice } from './price.ts';
import { readLastPrices, writeLastPrices, writePairs } from './store.ts';

export type { Bar, CandleQuery, DayFigures, Feed, FeedTick } from './feed.ts';
export type { MarketPrice } from './price.ts';

const storeEveryMs = 1_000;
/** Without any tick for this long the feed counts as dead; a running one ticks at least once a second. */
const silentAfterMs = 15_000;
const candlesByDefault = 300;

export interface MarketDependencies {
  readonly db: Database;
  readonly config: Pick<Config, 'priceFeed' | 'sessions' | 'staleAfterS'>;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
  /** Prices under a test's control, instead of the configured feed. */
  readonly feed?: Feed;
}

export interface MarketState {
  readonly source: Source;
  /** Whether ticks are coming in; says nothing about whether they are of a live market (see `source`). */
  readonly live: boolean;
  /** ISO 8601 UTC; null before the first tick of this process. */
  readonly lastTickAt: string | null;
  /** Symbols that have a price, and listed ones. */
  readonly symbols: { readonly priced: number; readonly listed: number };
}

export interface Market {
  pair(symbol: string): TradingPair | undefined;
  pairs(): readonly TradingPair[];
  /** The last known price, restored ones included: ask `isStale` and `marketOpen` before trading on it. */
  price(symbol: string): MarketPrice | undefined;
  /** Whether a price is too old to open on at `now` (ms since the epoch), or missing (A37). */
  isStale(symbol: string, now: number): boolean;
  /** A106: the absurd price that is held back at present, in 1e-8; undefined when none is. */
  heldPrice(symbol: string): Price | undefined;
  /** A106: lets it through. False when none was held. */
  acceptHeld(symbol: string): boolean;
  ticks(): Tick[];
  /** @throws AppError unknown_symbol */
  getCandles(args: z.infer<typeof getCandles.args>): Promise<Candle[]>;
  /** Brings the stored prices, from which positions are marked on read, up to now (CALL-49, A33). @throws AppError busy */
  updateMarkPrices(this: void): Promise<{ readonly prices_updated: number }>;
  state(): MarketState;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createMarket({ db, config, clock, bus, log, feed: given }: MarketDependencies): Market {
  const feed = given ?? createFeed({ config, clock, log });
  const pairOf = new Map<string, TradingPair>(catalogue.map((pair) => [pair.symbol, pair]));
  const hub = createHub({ pairs: catalogue, config, clock, bus, log });
  let timer: NodeJS.Timeout | null = null;
  let storing: Promise<number> | null = null;
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

  const sourceOfAll = (): Source =>
    catalogue.map(({ symbol }) => feed.sourceOf(symbol)).find((one) => one !== null) ?? 'simulated';

  return {
    pair: (symbol) => pairOf.get(symbol),
    pairs: () => catalogue,
    price: hub.price,
    isStale: hub.isStale,
    heldPrice: hub.heldPrice,
    acceptHeld: hub.acceptHeld,
    ticks: hub.ticks,
    async getCandles({ p_symbol, p_timeframe, p_limit, p_before }) {
      if (!pairOf.has(p_symbol)) throw new AppError('unknown_symbol', texts.unknownSymbol(p_symbol));
      const bars = await feed.candles(p_symbol, p_timeframe, {
        limit: p_limit ?? candlesByDefault,
        before: p_before ? Date.parse(p_before) : null,
      });
      return bars.map((bar) => ({ ...bar, gap: false }));
    },
    async updateMarkPrices() {
      const updated = await store();
      // The caller is to ask again (RULE-25); the store itself tries every second.
      if (isStoringBroken) throw busy();
      return { prices_updated: updated };
    },
    state() {
      const lastTickAt = hub.lastTickAt();
      return {
        source: sourceOfAll(),
        live: lastTickAt !== null && clock.now() - lastTickAt <= silentAfterMs,
        lastTickAt: lastTickAt === null ? null : new Date(lastTickAt).toISOString(),
        symbols: { priced: hub.prices().length, listed: pairOf.size },
      };
    },
    async start() {
      await writePairs(db, catalogue);
      hub.restore(await readLastPrices(db, sourceOfAll()));
      await feed.start(hub.take);
      await store();
      timer = setInterval(() => void store(), storeEveryMs);
    },
    async stop() {
      await feed.stop();
      if (timer) clearInterval(timer);
      timer = null;
      if (storing) await storing;
      await store();
    },
  };
}

function createFeed({ config, clock, log }: Pick<MarketDependencies, 'config' | 'clock' | 'log'>): Feed {
  const { priceFeed } = config;
  switch (priceFeed.kind) {
    case 'simulated':
    case 'auto':
    case 'live':
      return createSimulatedFeed({
        seed: priceFeed.kind === 'live' ? 'fulcrum' : priceFeed.seed,
        sessions: config.sessions,
        pairs: catalogue,
        clock,
      });
    case 'replay':
      return createReplayFeed({ ...priceFeed, pairs: catalogue, clock, log });
  }
}
