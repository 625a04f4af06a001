/** The feed that PRICE_FEED asks for, with whatever it needs towards the outside. */
import type { Timers } from '../../platform/clock/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { createOutbound, type Outbound } from '../../platform/outbound/index.ts';
import type { Catalogue, ListedPair } from './catalogue/index.ts';
import type { Feed, Interest } from './feed.ts';
import { createAutoFeed } from './feeds/auto/index.ts';
import { createBinanceFeed } from './feeds/live/binance.ts';
import { createLiveFeed } from './feeds/live/index.ts';
import { createYahooFeed } from './feeds/live/yahoo.ts';
import { createReplayFeed, type ReplayFeed } from './feeds/replay/index.ts';
import type { PriceShock } from './feeds/simulated/index.ts';
import type { MarketPrice } from './price.ts';
import { createRoutes } from './providers/routes.ts';
import { createSimulations } from './simulations.ts';

export interface FeedOptions {
  readonly db: Database;
  readonly config: Pick<Config, 'priceFeed' | 'providers' | 'sessions'>;
  readonly catalogue: Catalogue;
  readonly interest: Interest;
  /** The last known price, of whatever source. */
  readonly lastPriceOf: (symbol: string) => MarketPrice | undefined;
  /** Told once the exchange serves the crypto market, with what asks for its pairs. */
  readonly onExchange: (exchangePairs: () => Promise<ListedPair[]>) => void;
  readonly timers: Timers;
  readonly log: Log;
  /** Whether the past of all simulated markets is computed and kept in the background. */
  readonly fillsDays: boolean;
  /** Left out, the one that the configuration allows. */
  readonly outbound?: Outbound;
}

export interface ConfiguredFeed {
  readonly feed: Feed;
  /** Moves a simulated price; null where nothing is simulated. */
  readonly shock: ((shock: PriceShock) => void) | null;
  /** Null while nothing recorded plays. */
  readonly replay: Pick<ReplayFeed, 'controls' | 'set'> | null;
  /** To be called after the feed has stopped. */
  close(): Promise<void>;
}

/** @throws whatever PostgreSQL says */
export async function createConfiguredFeed(options: FeedOptions): Promise<ConfiguredFeed> {
  const { config, catalogue, timers, log } = options;
  const { priceFeed } = config;
  switch (priceFeed.kind) {
    case 'simulated': {
      const simulate = createSimulations({ ...options, seed: priceFeed.seed, sessions: config.sessions });
      const feed = await simulate(catalogue.pairs());
      return { feed, shock: (shock) => feed.shock(shock), replay: null, close: async () => {} };
    }
    case 'replay': {
      const { folder, speed, loop } = priceFeed;
      const feed = createReplayFeed({ folder, speed, loop, pairs: catalogue.pairs(), timers, log });
      return { feed, shock: null, replay: feed, close: async () => {} };
    }
    case 'live':
    case 'auto':
      return createProvidedFeed(options);
  }
}

function createProvidedFeed(options: FeedOptions): ConfiguredFeed {
  const { config, catalogue, interest, onExchange, timers, log } = options;
  const { priceFeed, sessions } = config;
  const { binanceUrl, binanceStreamUrl, yahooUrl, proxies, allowPrivate, quotesPerS } = config.providers;
  const outbound = options.outbound ?? createOutbound({ allowPrivate, timers, log });
  const routes = createRoutes({ outbound, proxies, timers, log });
  const binance = createBinanceFeed({
    url: binanceUrl,
    streamUrl: binanceStreamUrl,
    routes,
    outbound,
    pairs: catalogue.pairs,
    interest,
    timers,
    log,
  });
  const quotes = (pairs: readonly ListedPair[], onMissing?: (symbol: string) => void) =>
    createYahooFeed({
      url: yahooUrl,
      routes,
      pairs,
      interest,
      sessions,
      quotesPerS,
      timers,
      log,
      onMissing,
    });
  const toldOfExchange = () => onExchange(() => binance.exchangePairs());
  if (priceFeed.kind === 'auto') {
    const feed = createAutoFeed({
      pairs: catalogue.pairs,
      binance,
      quotes,
      simulate: createSimulations({ ...options, seed: priceFeed.seed, sessions }),
      onExchange: toldOfExchange,
      timers,
      log,
    });
    return { feed, shock: (shock) => feed.shock(shock), replay: null, close: () => outbound.close() };
  }
  const isCrypto = (symbol: string) => catalogue.marketTypeOf(symbol) === 'crypto';
  const polled = catalogue.pairs().filter(({ type }) => type !== 'crypto');
  const feed = createLiveFeed({
    binance,
    // Nothing stands in for a symbol that the provider does not know: it is looked for again now and then.
    yahoo: quotes(polled),
    isCrypto,
  });
  toldOfExchange();
  return { feed, shock: null, replay: null, close: () => outbound.close() };
}
