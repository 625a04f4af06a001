/**
 * Trading pairs: which exist, their steps and limits, and the market of a symbol. Invariant: the catalogue's type
 * decides; the pattern rule applies only to symbols that no catalogue lists (A27).
 */
import {
  asPrice,
  asSize,
  divideRounded,
  type Price,
  parseDecimal,
  type Rounding,
  type Size,
  toDecimalString,
} from './money.ts';

export const marketTypes = ['crypto', 'stock', 'forex', 'commodity', 'index'] as const;
export type MarketType = (typeof marketTypes)[number];

/** Bounds and steps of prices (quote units) and amounts (base units). */
export interface PairLimits {
  readonly minPrice: Price;
  readonly maxPrice: Price;
  readonly tickSize: Price;
  readonly minQty: Size;
  readonly maxQty: Size;
  readonly stepSize: Size;
}

/** A trading pair (ENT-23). `id` is the symbol. `tradingHours` is in the form that `hours.ts` reads. */
export interface TradingPair extends PairLimits {
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
  readonly nickname: string | null;
  readonly type: MarketType;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly tradingHours: string;
  readonly sortOrder: number;
}

const priceOf = (text: string): Price => asPrice(parseDecimal(text));
const sizeOf = (text: string): Size => asSize(parseDecimal(text));

/** The default limits of stocks, commodities and indices (FEED-51). */
const general: PairLimits = {
  minPrice: priceOf('0.01'),
  maxPrice: priceOf('1000000'),
  tickSize: priceOf('0.01'),
  minQty: sizeOf('0.01'),
  maxQty: sizeOf('1000000'),
  stepSize: sizeOf('0.01'),
};

/**
 * The limits of a pair for which the catalogue states none. Crypto has no entry: its limits are the exchange's (A107).
 */
export const defaultLimits: Readonly<Record<Exclude<MarketType, 'crypto'>, PairLimits>> = {
  commodity: general,
  index: general,
  // FEED-54, A29: of two stated bounds the stricter.
  stock: { ...general, maxPrice: priceOf('100000'), maxQty: sizeOf('100000') },
  // FEED-52 for prices; A107 for amounts, which are units of the base currency.
  forex: {
    ...general,
    minPrice: priceOf('0.00001'),
    tickSize: priceOf('0.00001'),
    minQty: sizeOf('1'),
    maxQty: sizeOf('10000000'),
    stepSize: sizeOf('1'),
  },
};

/** Stocks, commodities and indices settle in this asset (FEED-51). */
export const DEFAULT_QUOTE_ASSET = 'USD';

/** The two sides of a forex symbol (FEED-53); null when the symbol is not `BASE/QUOTE`. */
export function forexAssets(symbol: string): { baseAsset: string; quoteAsset: string } | null {
  const [baseAsset, quoteAsset, ...rest] = symbol.split('/');
  if (!baseAsset || !quoteAsset || rest.length > 0) return null;
  return { baseAsset, quoteAsset };
}

const commodityPrefix = /^(XAU|XAG|WTI|BCO|NG|CORN|WHEAT)/;
const indexSymbols: ReadonlySet<string> = new Set([
  'SPX',
  'NDX',
  'DJI',
  'FTSE',
  'DAX',
  'CAC',
  'NIKKEI',
  'HSI',
  'ASX',
]);

/** The market of a symbol that is in no catalogue, by the stated rules in the stated order (FEED-01 to FEED-05). */
export function marketTypeOf(symbol: string): MarketType {
  if (symbol.endsWith('USDT')) return 'crypto';
  if (symbol.includes('/')) return 'forex';
  if (commodityPrefix.test(symbol)) return 'commodity';
  if (indexSymbols.has(symbol)) return 'index';
  return 'stock';
}

/** The form in which favourites are compared (RULE-39): uppercase, only A-Z and 0-9. Never routed from (A38). */
export const normaliseSymbol = (symbol: string): string => symbol.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** Whether a value is a whole number of steps, compared exactly. */
export const isOnStep = (value: bigint, step: bigint): boolean => value % step === 0n;

/** The figures of the text 'Amount must be between {min} and {max} in steps of {step}.' (A101), ready to print. */
export interface AmountRange {
  readonly min: string;
  readonly max: string;
  readonly step: string;
}

/** A22: null when the amount may be traded, else the allowed range. */
export function checkAmount(pair: PairLimits, size: Size): AmountRange | null {
  const { minQty, maxQty, stepSize } = pair;
  if (size > 0n && size >= minQty && size <= maxQty && isOnStep(size, stepSize)) return null;
  return { min: toDecimalString(minQty), max: toDecimalString(maxQty), step: toDecimalString(stepSize) };
}

/** The price on the tick grid: `floor` the next one down, `ceiling` the next one up. */
export function roundToTick(price: Price, tickSize: Price, rounding: Rounding): Price {
  return asPrice(divideRounded(price, tickSize, rounding) * tickSize);
}

/** How many decimals a step needs: 0.25 has 2, 1 has 0. */
export const decimalsOf = (step: bigint): number => toDecimalString(step).split('.')[1]?.length ?? 0;

const LEAST_PRICE_DECIMALS = 2;
/** Decimals of the pair's prices on screen and in texts (A16). */
export const priceDecimals = (pair: PairLimits): number =>
  Math.max(LEAST_PRICE_DECIMALS, decimalsOf(pair.tickSize));
/** Decimals of the pair's amounts on screen and in texts (A16). */
export const sizeDecimals = (pair: PairLimits): number => decimalsOf(pair.stepSize);
