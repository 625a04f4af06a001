/** What market streams read: the answers of REST. */
import type { marketDataRoutes } from '@fulcrum/contract/exchange';
import type { HandlersOf } from '../handlers.ts';
import { isKlineInterval } from '../market-data/klines.ts';
import type { MarketReads } from './market-messages.ts';

const path = '/fapi/v1';
const tradesRead = 50;

const listOf = <Row>(answer: Row | Row[]): Row[] => (Array.isArray(answer) ? answer : [answer]);

export function createMarketReads(read: () => HandlersOf<typeof marketDataRoutes>): {
  readonly reads: MarketReads;
  readonly isInterval: (interval: string) => boolean;
} {
  /** Each stream has its own place in the queue that is fair to addresses. */
  const call = <Params>(params: Params, address = 'streams') => ({
    params,
    key: null,
    sent: {},
    path,
    address,
  });
  const ofSymbol = (id: string | null) => call(id === null ? {} : { symbol: id });
  return {
    isInterval: isKlineInterval,
    reads: {
      depth: async (symbol, levels) => read().depth(call({ symbol, limit: String(levels) })),
      bookTickers: async (id) => listOf(await read().bookTicker(ofSymbol(id))),
      trades: async (symbol) => read().trades(call({ symbol, limit: tradesRead })),
      aggregateTrades: async (symbol) => read().aggTrades(call({ symbol, limit: tradesRead })),
      tickers: async (id) => listOf(await read().ticker24hr(ofSymbol(id))),
      markPrices: async (id) => listOf(await read().premiumIndex(ofSymbol(id))),
      klines: async (symbol, interval, limit) =>
        read().klines(call({ symbol, interval, limit }, `${symbol} ${interval}`)),
    },
  };
}
