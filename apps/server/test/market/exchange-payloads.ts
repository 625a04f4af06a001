/** Payloads of the loopback exchange in the documented shapes, with recorded figures: all numbers but times are strings. */
import { dayMs } from '@fulcrum/domain';

/** The figures of one symbol as the exchange prints them. */
export interface Figures {
  readonly price: string;
  readonly percent: string;
  readonly volume: string;
  readonly quoteVolume: string;
  readonly high: string;
  readonly low: string;
}

/** Recorded of BTCUSDT on 17 December 2021. */
export const usualFigures: Omit<Figures, 'price'> = {
  percent: '-3.531',
  volume: '33136.69765000',
  quoteVolume: '1592599905.80360790',
  high: '49436.43000000',
  low: '46749.55000000',
};

/** Of `<symbol>@ticker`. */
export function tickerEvent(symbol: string, figures: Figures, eventTime: number): Record<string, unknown> {
  const { price, percent, volume, quoteVolume, high, low } = figures;
  return {
    ...{ e: '24hrTicker', E: eventTime, s: symbol, p: '-1726.47', P: percent, w: '48061.51544204' },
    ...{ x: '48901.44', c: price, Q: '0.00352', b: price, B: '0.65849', a: price, A: '0.13802' },
    ...{ o: '48901.44', h: high, l: low, v: volume, q: quoteVolume },
    ...{ O: eventTime - dayMs, C: eventTime, F: 1191596486, L: 1192649611, n: 1053126 },
  };
}

/** Price and size, as the exchange prints them. */
export type RawLevel = readonly [price: string, size: string];

/** Of `<symbol>@bookTicker`, which states no time. */
export const bestEvent = (symbol: string, [b, B]: RawLevel, [a, A]: RawLevel): Record<string, unknown> => ({
  ...{ u: 400900217, s: symbol, b, B, a, A },
});

/** Of `<symbol>@depth20@100ms`, which states no symbol. */
export const depthEvent = (
  bids: readonly RawLevel[],
  asks: readonly RawLevel[],
): Record<string, unknown> => ({ lastUpdateId: 160, bids, asks });

/** Of `<symbol>@aggTrade`. */
export const tradeEvent = (
  symbol: string,
  price: string,
  quantity: string,
  isBuyerMaker: boolean,
  at: number,
): Record<string, unknown> => ({
  ...{ e: 'aggTrade', E: at, s: symbol, a: 12345, p: price, q: quantity },
  ...{ f: 100, l: 105, T: at, m: isBuyerMaker, M: true },
});

/** Of `/api/v3/ticker/24hr`. */
export function dayRow(symbol: string, figures: Figures, closeTime: number): Record<string, unknown> {
  const { price, percent, volume, quoteVolume, high, low } = figures;
  return {
    ...{ symbol, priceChange: '-1726.47000000', priceChangePercent: percent },
    ...{ weightedAvgPrice: '48061.51544204', prevClosePrice: '48901.44000000', lastPrice: price },
    ...{ lastQty: '0.00352000', bidPrice: price, bidQty: '0.65849000', askPrice: price },
    ...{ askQty: '0.13802000', openPrice: '48901.44000000', highPrice: high, lowPrice: low },
    ...{ volume, quoteVolume, openTime: closeTime - dayMs, closeTime },
    ...{ firstId: 1191596486, lastId: 1192649611, count: 1053126 },
  };
}

const filters = [
  {
    filterType: 'PRICE_FILTER',
    minPrice: '0.01000000',
    maxPrice: '1000000.00000000',
    tickSize: '0.01000000',
  },
  { filterType: 'LOT_SIZE', minQty: '0.00001000', maxQty: '9000.00000000', stepSize: '0.00001000' },
  { filterType: 'ICEBERG_PARTS', limit: 10 },
  { filterType: 'MARKET_LOT_SIZE', minQty: '0.00000000', maxQty: '119.23000000', stepSize: '0.00000000' },
  {
    filterType: 'NOTIONAL',
    minNotional: '5.00000000',
    applyMinToMarket: true,
    maxNotional: '9000000.00000000',
  },
];

/** Of `/api/v3/exchangeInfo`; every symbol has the filters of BTCUSDT. */
export const symbolRow = (symbol: string): Record<string, unknown> => ({
  symbol,
  status: 'TRADING',
  baseAsset: symbol.replace(/USDT$/, ''),
  baseAssetPrecision: 8,
  quoteAsset: 'USDT',
  quotePrecision: 8,
  quoteAssetPrecision: 8,
  orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT_LIMIT'],
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: true,
  filters,
  permissions: [],
  permissionSets: [['SPOT', 'MARGIN']],
});
