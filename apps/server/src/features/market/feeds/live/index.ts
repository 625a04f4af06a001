/**
 * Live prices or none: crypto from the exchange, everything else from the quote provider. Invariant: a symbol that its
 * provider does not serve has no source, and never gets one of the other provider.
 */
import type { Feed } from '../../feed.ts';
import type { BinanceFeed } from './binance.ts';
import type { YahooFeed } from './yahoo.ts';

interface LiveFeedOptions {
  readonly binance: BinanceFeed;
  readonly yahoo: YahooFeed;
  readonly isCrypto: (symbol: string) => boolean;
}

export function createLiveFeed({ binance, yahoo, isCrypto }: LiveFeedOptions): Feed {
  const providerOf = (symbol: string): BinanceFeed | YahooFeed => (isCrypto(symbol) ? binance : yahoo);
  const sourceOf: Feed['sourceOf'] = (symbol) => providerOf(symbol).sourceOf(symbol);
  return {
    sourceOf,
    async start(emit) {
      await Promise.all([binance.start(emit), yahoo.start(emit)]);
    },
    async stop() {
      await Promise.all([binance.stop(), yahoo.stop()]);
    },
    async candles(symbol, timeframe, query) {
      return sourceOf(symbol) === null ? [] : providerOf(symbol).candles(symbol, timeframe, query);
    },
    async fetch(symbol) {
      await providerOf(symbol).fetch(symbol);
    },
    book: binance.book,
    trades: binance.trades,
    providers: () => [binance, yahoo].flatMap((provider) => provider.providers?.() ?? []),
  };
}
