/**
 * Markets, candles, books and tickers: what a caller without a key reads, too. Weights are Binance's. Not among them are open interest
 * and what is computed from it: the sum over our own accounts would tell of other users' positions, and there is no other.
 */
import { z } from 'zod';
import { publicRoute, sent, type WeightByParameter, wire } from './route.ts';

const { decimal, time, id } = wire;

export const depthLimits = [5, 10, 20, 50, 100, 500, 1000] as const;
/** What is asked for where no limit is sent. */
const klinesByDefault = 500;
export const klinesMax = 1_500;
const fundingRatesMax = 1_000;
const tradesMax = 1_000;

const ofSymbol = z.object({ symbol: sent.symbol });
const ofAnySymbol = z.object({ symbol: sent.symbol.optional() });
/** One row of the symbol that was sent, else a list of all that have a price. */
const oneOrAll = <Row extends z.ZodType>(row: Row) => z.union([row, z.array(row)]);
const weightOfList = (one: number, all: number): WeightByParameter => ({
  parameter: 'symbol',
  absent: all,
  present: one,
});

const rateLimit = z.object({
  rateLimitType: z.enum(['REQUEST_WEIGHT', 'ORDERS']),
  interval: z.enum(['SECOND', 'MINUTE']),
  intervalNum: z.number().int(),
  limit: z.number().int(),
});

const lotFilter = (filterType: 'LOT_SIZE' | 'MARKET_LOT_SIZE') =>
  z.object({ filterType: z.literal(filterType), minQty: decimal, maxQty: decimal, stepSize: decimal });

const symbolFilter = z.discriminatedUnion('filterType', [
  z.object({
    filterType: z.literal('PRICE_FILTER'),
    minPrice: decimal,
    maxPrice: decimal,
    tickSize: decimal,
  }),
  lotFilter('LOT_SIZE'),
  lotFilter('MARKET_LOT_SIZE'),
  z.object({ filterType: z.literal('MAX_NUM_ORDERS'), limit: z.number().int() }),
  z.object({ filterType: z.literal('MIN_NOTIONAL'), notional: decimal }),
  z.object({
    filterType: z.literal('PERCENT_PRICE'),
    multiplierUp: decimal,
    multiplierDown: decimal,
    multiplierDecimal: z.string(),
  }),
]);

const contractRow = z.object({
  symbol: z.string(),
  pair: z.string(),
  contractType: z.literal('PERPETUAL'),
  deliveryDate: time,
  onboardDate: time,
  /** `SETTLING`: delisted, or not part of the recording. A market that is shut for the night stays `TRADING`. */
  status: z.enum(['TRADING', 'SETTLING']),
  maintMarginPercent: decimal,
  requiredMarginPercent: decimal,
  baseAsset: z.string(),
  quoteAsset: z.string(),
  marginAsset: z.string(),
  pricePrecision: z.number().int(),
  quantityPrecision: z.number().int(),
  baseAssetPrecision: z.number().int(),
  quotePrecision: z.number().int(),
  /** `COIN`, else the name of its sessions in `tradingSchedule`. */
  underlyingType: z.string(),
  underlyingSubType: z.array(z.string()),
  triggerProtect: decimal,
  liquidationFee: decimal,
  marketTakeBound: decimal,
  filters: z.array(symbolFilter),
  orderTypes: z.array(z.string()),
  timeInForce: z.array(z.string()),
});

export const exchangeInfo = publicRoute('exchangeInfo', 'GET', ['/fapi/v1/exchangeInfo'], {
  weight: 20,
  summary: 'The symbols with their filters, and the limits of requests and orders.',
  params: z.object({}),
  result: z.object({
    timezone: z.literal('UTC'),
    serverTime: time,
    futuresType: z.literal('U_MARGINED'),
    rateLimits: z.array(rateLimit),
    exchangeFilters: z.array(z.never()),
    assets: z.array(
      z.object({ asset: z.string(), marginAvailable: z.boolean(), autoAssetExchange: decimal }),
    ),
    symbols: z.array(contractRow),
  }),
});

const depth = publicRoute('depth', 'GET', ['/fapi/v1/depth'], {
  weight: {
    parameter: 'limit',
    absent: 10,
    present: [
      [50, 2],
      [100, 5],
      [500, 10],
      [1_000, 20],
    ],
  },
  summary: 'The book, at most 20 levels a side: that of an account with the fill profile `pro`.',
  params: ofSymbol.extend({ limit: z.string().default('500') }),
  result: z.object({
    lastUpdateId: id,
    E: time,
    T: time,
    bids: z.array(z.tuple([decimal, decimal])),
    asks: z.array(z.tuple([decimal, decimal])),
  }),
});

const dayTicker = z.object({
  symbol: z.string(),
  priceChange: decimal,
  priceChangePercent: decimal,
  weightedAvgPrice: decimal,
  lastPrice: decimal,
  lastQty: decimal,
  openPrice: decimal,
  highPrice: decimal,
  lowPrice: decimal,
  volume: decimal,
  quoteVolume: decimal,
  openTime: time,
  closeTime: time,
  firstId: id,
  lastId: id,
  count: z.number().int(),
});

const ticker24hr = publicRoute('ticker24hr', 'GET', ['/fapi/v1/ticker/24hr'], {
  weight: weightOfList(1, 40),
  summary: 'The last 24 hours. Trade ids and their count are of the last trades that `trades` shows.',
  params: ofAnySymbol,
  result: oneOrAll(dayTicker),
});

const bookTicker = publicRoute('bookTicker', 'GET', ['/fapi/v1/ticker/bookTicker'], {
  weight: weightOfList(2, 5),
  summary: 'The best bid and ask.',
  params: ofAnySymbol,
  result: oneOrAll(
    z.object({
      symbol: z.string(),
      bidPrice: decimal,
      bidQty: decimal,
      askPrice: decimal,
      askQty: decimal,
      time,
      lastUpdateId: id,
    }),
  ),
});

const priceTicker = publicRoute('priceTicker', 'GET', ['/fapi/v1/ticker/price', '/fapi/v2/ticker/price'], {
  weight: weightOfList(1, 2),
  summary: 'The last price.',
  params: ofAnySymbol,
  result: oneOrAll(z.object({ symbol: z.string(), price: decimal, time })),
});

const premiumIndex = publicRoute('premiumIndex', 'GET', ['/fapi/v1/premiumIndex'], {
  weight: weightOfList(1, 10),
  summary: 'Mark price, which is the last price here, and what a long position pays at the next due instant.',
  params: ofAnySymbol,
  result: oneOrAll(
    z.object({
      symbol: z.string(),
      markPrice: decimal,
      indexPrice: decimal,
      estimatedSettlePrice: decimal,
      lastFundingRate: decimal,
      interestRate: decimal,
      nextFundingTime: time,
      time,
    }),
  ),
});

const fundingRate = publicRoute('fundingRate', 'GET', ['/fapi/v1/fundingRate'], {
  weight: 1,
  summary:
    'What a long position paid at each due instant, the oldest first. The mark price of the past is left empty.',
  params: ofAnySymbol.extend({
    startTime: sent.time.optional(),
    endTime: sent.time.optional(),
    limit: sent.limit(100, fundingRatesMax),
  }),
  result: z.array(
    z.object({ symbol: z.string(), fundingRate: decimal, fundingTime: time, markPrice: z.literal('') }),
  ),
});

const fundingInfo = publicRoute('fundingInfo', 'GET', ['/fapi/v1/fundingInfo'], {
  weight: 1,
  summary:
    'How often each symbol charges funding. Cap and floor are the rate itself, which no premium moves.',
  params: z.object({}),
  result: z.array(
    z.object({
      symbol: z.string(),
      adjustedFundingRateCap: decimal,
      adjustedFundingRateFloor: decimal,
      fundingIntervalHours: z.number().int(),
      disclaimer: z.literal(false),
    }),
  ),
});

const klineTerms = {
  interval: z.string(),
  startTime: sent.time.optional(),
  endTime: sent.time.optional(),
  limit: sent.limit(klinesByDefault, klinesMax),
};
const ofPair = z.object({ pair: sent.symbol });

/** Open time, open, high, low, close, volume, close time, quote volume, trades, taker's volume, taker's quote volume, unused. */
const klineRow = z.tuple([
  time,
  decimal,
  decimal,
  decimal,
  decimal,
  decimal,
  time,
  decimal,
  z.number().int(),
  decimal,
  decimal,
  z.literal('0'),
]);

const klineRoute = <Name extends string, Params extends z.ZodObject>(
  name: Name,
  params: Params,
  summary: string,
) =>
  publicRoute(name, 'GET', [`/fapi/v1/${name}`], {
    weight: {
      parameter: 'limit',
      absent: 5,
      present: [
        [99, 1],
        [499, 2],
        [1_000, 5],
        [klinesMax, 10],
      ],
    },
    summary,
    params,
    result: z.array(klineRow),
  });

const klines = klineRoute(
  'klines',
  ofSymbol.extend(klineTerms),
  'Candles, the oldest first, the last one unfinished. Trades and takers are not counted.',
);
const continuousKlines = klineRoute(
  'continuousKlines',
  ofPair.extend({ contractType: z.literal('PERPETUAL'), ...klineTerms }),
  'The candles of the pair, whose only contract is the perpetual one.',
);
const indexPriceKlines = klineRoute(
  'indexPriceKlines',
  ofPair.extend(klineTerms),
  'The same candles without volumes: the index price is the last price.',
);
const markPriceKlines = klineRoute(
  'markPriceKlines',
  ofSymbol.extend(klineTerms),
  'The same candles without volumes: the mark price is the last price.',
);
const premiumIndexKlines = klineRoute(
  'premiumIndexKlines',
  ofSymbol.extend(klineTerms),
  'Zero at the instants of the candles: mark and index are one price.',
);

const trade = z.object({
  id,
  price: decimal,
  qty: decimal,
  quoteQty: decimal,
  time,
  isBuyerMaker: z.boolean(),
  isRPITrade: z.literal(false),
});
const tradeLimit = sent.limit(500, tradesMax);

const trades = publicRoute('trades', 'GET', ['/fapi/v1/trades'], {
  weight: 5,
  summary:
    'The last trades of the market, at most 50, the oldest first; modelled ones where no exchange streams them.',
  params: ofSymbol.extend({ limit: tradeLimit }),
  result: z.array(trade),
});

const historicalTrades = publicRoute('historicalTrades', 'GET', ['/fapi/v1/historicalTrades'], {
  weight: 20,
  summary: 'Of the same trades those from `fromId` on. Older ones are not kept.',
  params: ofSymbol.extend({ limit: tradeLimit, fromId: sent.id.optional() }),
  result: z.array(trade),
});

const aggTrades = publicRoute('aggTrades', 'GET', ['/fapi/v1/aggTrades'], {
  weight: 20,
  summary: 'The same trades, each by itself.',
  params: ofSymbol.extend({
    fromId: sent.id.optional(),
    startTime: sent.time.optional(),
    endTime: sent.time.optional(),
    limit: tradeLimit,
  }),
  result: z.array(z.object({ a: id, p: decimal, q: decimal, f: id, l: id, T: time, m: z.boolean() })),
});

const tradingSchedule = publicRoute('tradingSchedule', 'GET', ['/fapi/v1/tradingSchedule'], {
  weight: 5,
  summary: 'The sessions of a week, from yesterday on, of all markets that shut. Holidays are not known.',
  params: z.object({}),
  result: z.object({
    updateTime: time,
    marketSchedules: z.record(
      z.string(),
      z.object({
        /** Ours: Binance does not say whose sessions they are. */
        symbols: z.array(z.string()),
        sessions: z.array(
          z.object({ startTime: time, endTime: time, type: z.enum(['REGULAR', 'NO_TRADING']) }),
        ),
      }),
    ),
  }),
});

export const marketDataRoutes = [
  exchangeInfo,
  depth,
  ticker24hr,
  bookTicker,
  priceTicker,
  premiumIndex,
  fundingRate,
  fundingInfo,
  klines,
  continuousKlines,
  indexPriceKlines,
  markPriceKlines,
  premiumIndexKlines,
  trades,
  historicalTrades,
  aggTrades,
  tradingSchedule,
] as const;
