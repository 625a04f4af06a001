/**
 * Messages of market streams. Each is what the REST route of the same subject answers, under the short names that streams have, so
 * that both never differ.
 */

/** What the streams read; each as its route answers. A symbol without a price throws. */
export interface MarketReads {
  depth(id: string, levels: number): Promise<Depth>;
  bookTickers(id: string | null): Promise<readonly BookTicker[]>;
  /** The newest last. */
  trades(id: string): Promise<readonly Trade[]>;
  aggregateTrades(id: string): Promise<readonly AggregateTrade[]>;
  tickers(id: string | null): Promise<readonly Ticker[]>;
  markPrices(id: string | null): Promise<readonly MarkPrice[]>;
  /** The last `count` bars, the open one last. */
  klines(id: string, interval: string, count: number): Promise<readonly Kline[]>;
}

type PriceLevel = readonly [price: string, size: string];
export interface Depth {
  readonly lastUpdateId: number;
  readonly E: number;
  readonly T: number;
  readonly bids: readonly PriceLevel[];
  readonly asks: readonly PriceLevel[];
}
interface BookTicker {
  readonly symbol: string;
  readonly bidPrice: string;
  readonly bidQty: string;
  readonly askPrice: string;
  readonly askQty: string;
  readonly time: number;
  readonly lastUpdateId: number;
}
export interface Trade {
  readonly id: number;
  readonly price: string;
  readonly qty: string;
  readonly time: number;
  readonly isBuyerMaker: boolean;
}
interface AggregateTrade {
  readonly a: number;
  readonly p: string;
  readonly q: string;
  readonly f: number;
  readonly l: number;
  readonly T: number;
  readonly m: boolean;
}
export interface Ticker {
  readonly symbol: string;
  readonly priceChange: string;
  readonly priceChangePercent: string;
  readonly weightedAvgPrice: string;
  readonly lastPrice: string;
  readonly lastQty: string;
  readonly openPrice: string;
  readonly highPrice: string;
  readonly lowPrice: string;
  readonly volume: string;
  readonly quoteVolume: string;
  readonly openTime: number;
  readonly closeTime: number;
  readonly firstId: number;
  readonly lastId: number;
  readonly count: number;
}
export interface MarkPrice {
  readonly symbol: string;
  readonly markPrice: string;
  readonly indexPrice: string;
  readonly estimatedSettlePrice: string;
  readonly lastFundingRate: string;
  readonly nextFundingTime: number;
}
export type Kline = readonly [
  openTime: number,
  open: string,
  high: string,
  low: string,
  close: string,
  volume: string,
  closeTime: number,
  quoteVolume: string,
  count: number,
  takerBase: string,
  takerQuote: string,
  ignored: string,
];

export const bookTickerMessage = (row: BookTicker, now: number) => ({
  ...{ e: 'bookTicker', u: row.lastUpdateId, E: now, T: row.time, s: row.symbol },
  ...{ b: row.bidPrice, B: row.bidQty, a: row.askPrice, A: row.askQty },
});

export const tradeMessage = (s: string, { id, price, qty, time, isBuyerMaker }: Trade, now: number) => ({
  ...{ e: 'trade', E: now, T: time, s, t: id, p: price, q: qty, X: 'MARKET', m: isBuyerMaker },
});

export const aggregateTradeMessage = (s: string, trade: AggregateTrade, now: number) => ({
  ...{ e: 'aggTrade', E: now, s, ...trade },
});

export const miniTickerMessage = (row: Ticker, now: number) => ({
  ...{ e: '24hrMiniTicker', E: now, s: row.symbol, c: row.lastPrice, o: row.openPrice },
  ...{ h: row.highPrice, l: row.lowPrice, v: row.volume, q: row.quoteVolume },
});

export const tickerMessage = (row: Ticker, now: number) => ({
  ...{ e: '24hrTicker', E: now, s: row.symbol, p: row.priceChange, P: row.priceChangePercent },
  ...{ w: row.weightedAvgPrice, c: row.lastPrice, Q: row.lastQty, o: row.openPrice, h: row.highPrice },
  ...{ l: row.lowPrice, v: row.volume, q: row.quoteVolume, O: row.openTime, C: row.closeTime },
  ...{ F: row.firstId, L: row.lastId, n: row.count },
});

export const markPriceMessage = (row: MarkPrice, now: number) => ({
  ...{ e: 'markPriceUpdate', E: now, s: row.symbol, p: row.markPrice, i: row.indexPrice },
  ...{ P: row.estimatedSettlePrice, r: row.lastFundingRate, T: row.nextFundingTime },
});

export function klineMessage(s: string, interval: string, bar: Kline, isClosed: boolean, now: number) {
  const [t, o, h, l, c, v, T, q, n, V, Q, B] = bar;
  return {
    e: 'kline',
    E: now,
    s,
    k: { t, T, s, i: interval, f: -1, L: -1, o, c, h, l, v, n, x: isClosed, q, V, Q, B },
  };
}

/** What leads from any of the earlier sides to the present one: levels that one of them lacks or has in another size, and with size 0 those that are gone. */
export function changedLevels(
  earlier: readonly (readonly PriceLevel[])[],
  after: readonly PriceLevel[],
): PriceLevel[] {
  const olds = earlier.map((levels) => new Map(levels));
  const present = new Set(after.map(([price]) => price));
  const changed = after.filter(([price, size]) => olds.some((old) => old.get(price) !== size));
  const gone = new Set(earlier.flat().map(([price]) => price));
  for (const price of present) gone.delete(price);
  return [...changed, ...[...gone].map((price): PriceLevel => [price, '0'])];
}

/** `u` is the book's number; `pu` that of the message before. The first message of a stream is of the book before it. */
export const depthMessage = (
  s: string,
  { E, T, bids: b, asks: a }: Pick<Depth, 'E' | 'T' | 'bids' | 'asks'>,
  { u, pu }: { readonly u: number; readonly pu: number },
) => ({ e: 'depthUpdate', E, T, s, U: pu, u, pu, b, a });
