/** What market streams read: the answers of REST. */
import type { DoorHandlers } from '../handlers.ts';
import { isKlineInterval } from '../market-data/klines.ts';
import type { MarketReads } from './market-messages.ts';

/** Reads of streams share one place in the queue that is fair to addresses. */
const address = 'streams';
const path = '/fapi/v1';
const tradesRead = 50;

const listOf = <Row>(answer: Row | Row[]): Row[] => (Array.isArray(answer) ? answer : [answer]);

export function createMarketReads(read: () => DoorHandlers): {
  readonly reads: MarketReads;
  readonly isInterval: (interval: string) => boolean;
} {
  const call = <Params>(params: Params) => ({ params, key: null, sent: {}, path, address });
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
      klines: async (symbol, interval, limit) => read().klines(call({ symbol, interval, limit })),
    },
  };
}
