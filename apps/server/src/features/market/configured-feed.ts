/** Builds the feed that PRICE_FEED selects, with its outbound connections. */
import { type Config, type PriceFeed, replaySpeedMaxInCluster } from '../../platform/config/index.ts';
import { createOutbound, type Outbound } from '../../platform/outbound/index.ts';
import type { Services } from '../../platform/services.ts';
import type { Catalogue, ListedPair } from './catalogue/index.ts';
import type { Feed, Interest } from './feed.ts';
import { createAutoFeed, type StoredChoice } from './feeds/auto/index.ts';
import { createBinanceFeed } from './feeds/live/binance.ts';
import { createLiveFeed } from './feeds/live/index.ts';
import { createYahooFeed } from './feeds/live/yahoo.ts';
import { createReplayFeed, type ReplayFeed, type StoredReplayPosition } from './feeds/replay/index.ts';
import type { PriceShock } from './feeds/simulated/index.ts';
import type { FollowedSymbols } from './followed-symbols.ts';
import type { MarketPrice } from './price.ts';
import { createRoutes } from './providers/routes.ts';
import { createSimulations } from './simulations.ts';
import { publicSeed } from './source-states.ts';

interface FeedOptions extends Pick<Services, 'db' | 'timers' | 'log'> {
  readonly config: Pick<Config, 'priceFeed' | 'providers' | 'sessions'>;
  /** Key of the simulated market where no seed is chosen: 32 secret bytes. */
  readonly marketKey: Uint8Array;
  readonly catalogue: Catalogue;
  readonly interest: Interest;
  /** What a simulation is looked at for. */
  readonly followedSymbols: Pick<FollowedSymbols, 'followed' | 'hasViewers'>;
  /** The last known price, of whatever source. */
  readonly lastPriceOf: (symbol: string) => MarketPrice | undefined;
  /** Called once the exchange serves the crypto market, with the function that fetches its pairs. */
  readonly onExchange: (exchangePairs: () => Promise<ListedPair[]>) => void;
  /** The settlement that a recording waits for before it advances; null while nothing is pending. */
  readonly pendingSettlement: () => Promise<void> | null;
  /** Whether the past of all simulated markets is computed and stored in the background. */
  readonly backfillDays: boolean;
  /** Left out, the one that the configuration allows. */
  readonly outbound?: Outbound;
  /** Where the choice of `auto` outlives this feed; left out, each start chooses. */
  readonly storedChoice?: StoredChoice | undefined;
  /** Where the position of a recording outlives this feed; left out, each start begins it anew. */
  readonly storedPosition?: StoredReplayPosition | undefined;
}

export interface ConfiguredFeed {
  readonly feed: Feed;
  /** Moves a simulated price; null where nothing is simulated. */
  readonly shock: ((shock: PriceShock) => void) | null;
  /** Null while no recording plays. */
  readonly replay:
    | (Pick<ReplayFeed, 'controls' | 'set'> & Partial<Pick<ReplayFeed, 'speedMax' | 'store'>>)
    | null;
  /** To be called after the feed has stopped. */
  close(): Promise<void>;
}

/** Whether every user can compute the simulated prices, past and future. */
export const isSeedPublic = (feed: PriceFeed): feed is PriceFeed & { readonly seed: string } =>
  (feed.kind === 'simulated' || feed.kind === 'auto') && feed.seed !== null;

/** @throws the error of PostgreSQL */
export async function createConfiguredFeed(options: FeedOptions): Promise<ConfiguredFeed> {
  const { config, catalogue, timers, log } = options;
  const { priceFeed } = config;
  if (isSeedPublic(priceFeed))
    log.warn({ seed: priceFeed.seed }, `PRICE_FEED has a chosen seed: ${publicSeed}`);
  switch (priceFeed.kind) {
    case 'simulated': {
      const simulate = createSimulations({ ...options, seed: priceFeed.seed, sessions: config.sessions });
      const feed = await simulate(catalogue.pairs());
      return { feed, shock: (shock) => feed.shock(shock), replay: null, close: async () => {} };
    }
    case 'replay': {
      const { kind: _kind, ...recorded } = priceFeed;
      const pairs = catalogue.pairs();
      const feed = createReplayFeed({
        ...recorded,
        pairs,
        timers,
        log,
        pendingSettlement: options.pendingSettlement,
        ...(options.storedPosition && {
          storedPosition: options.storedPosition,
          speedMax: replaySpeedMaxInCluster,
        }),
      });
      return { feed, shock: null, replay: feed, close: async () => {} };
    }
    case 'live':
    case 'auto':
      return createProviderFeed(options);
  }
}

function createProviderFeed(options: FeedOptions): ConfiguredFeed {
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
  const notifyExchange = () => onExchange(() => binance.exchangePairs());
  if (priceFeed.kind === 'auto') {
    const feed = createAutoFeed({
      pairs: catalogue.pairs,
      binance,
      quotes,
      simulate: createSimulations({ ...options, seed: priceFeed.seed, sessions }),
      onExchange: notifyExchange,
      storedChoice: options.storedChoice,
      timers,
      log,
    });
    return { feed, shock: (shock) => feed.shock(shock), replay: null, close: () => outbound.close() };
  }
  const isCrypto = (symbol: string) => catalogue.marketTypeOf(symbol) === 'crypto';
  const polled = catalogue.pairs().filter(({ type }) => type !== 'crypto');
  const feed = createLiveFeed({
    binance,
    // No simulated price replaces a symbol that the provider does not know: the feed retries it now and then.
    yahoo: quotes(polled),
    isCrypto,
  });
  notifyExchange();
  return { feed, shock: null, replay: null, close: () => outbound.close() };
}
