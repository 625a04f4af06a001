/**
 * The exchange's own pairs, from its `exchangeInfo` and its 24-hour figures (FEED-48, FEED-49, A99, A107). A row that cannot
 * be parsed, or whose figures make no market, is skipped; the other rows are not affected.
 * Invariant: every pair that comes out can be stored and traded: bounds in order, all of them and the steps above zero,
 * nothing finer than 1e-8.
 * Known limitation: of the exchange's rules only the grids and bounds of price and amount are taken, not its least order
 * value.
 */
import { texts } from '@fulcrum/contract';
import { ALWAYS_OPEN, asPrice, asSize, DecimalError, type PairLimits, parseDecimal } from '@fulcrum/domain';
import { z } from 'zod';
import { priceMax } from '../price.ts';
import { PriceError } from '../price-error.ts';
import { CRYPTO_QUOTE_ASSET, cryptoMaxPrice } from './crypto.ts';
import { type ListedPair, type Listing, withSortOrder } from './listing.ts';
import { catalogue } from './shipped.ts';

/** The crypto catalogue takes at most this many pairs (FEED-49). */
const pairsMax = 50;
/** The value in `numeric(28,8)` for an amount without an upper bound. */
const unboundedQty = asSize(parseDecimal('900000000000'));
/** No price above it is taken over. */
const listedPriceMax = parseDecimal(String(priceMax));
/** The finest step there is here, for a rule that the exchange does not set. */
const finestStep = 1n;

const answerSchema = z.object({ symbols: z.array(z.unknown()) });
const figuresSchema = z.array(z.unknown());
const figureSchema = z.object({ symbol: z.string(), quoteVolume: z.string() });
/** Symbols in other letters exist; favourites, which compare A-Z and 0-9 only (RULE-39), could not tell them apart. */
const assetSchema = z.string().regex(/^[A-Z0-9]{1,20}$/);
const symbolSchema = z
  .object({
    symbol: z.string(),
    status: z.literal('TRADING'),
    baseAsset: assetSchema,
    quoteAsset: z.literal(CRYPTO_QUOTE_ASSET),
    isSpotTradingAllowed: z.literal(true),
    filters: z.array(z.unknown()),
  })
  .refine(({ symbol, baseAsset, quoteAsset }) => symbol === `${baseAsset}${quoteAsset}`);
const filterSchema = z.looseObject({ filterType: z.string() });
const priceFilterSchema = z.object({ minPrice: z.string(), maxPrice: z.string(), tickSize: z.string() });
const lotSizeSchema = z.object({ minQty: z.string(), maxQty: z.string(), stepSize: z.string() });

const shippedByAsset = new Map(
  catalogue.filter(({ type }) => type === 'crypto').map((pair) => [pair.baseAsset, pair]),
);

/**
 * The exchange's USDT pairs that trade on its spot market, at most fifty, by what they turned over in the last 24 hours.
 * Names and typical markets are those of our own rows where we have one; elsewhere the asset is the name.
 * @param exchangeInfo the answer to `GET /api/v3/exchangeInfo`
 * @param tickers24h the answer to `GET /api/v3/ticker/24hr`; a pair without a figure there comes last
 * @throws PriceError 'Invalid response format' when an answer is not of its documented shape, or lists no such pair
 */
export function pairsOfExchange(exchangeInfo: unknown, tickers24h: unknown): ListedPair[] {
  const answer = answerSchema.safeParse(exchangeInfo);
  const figures = figuresSchema.safeParse(tickers24h);
  if (!answer.success || !figures.success) throw new PriceError(texts.invalidResponse);

  const turnover = turnoverOf(figures.data);
  const listings = new Map<string, Listing>();
  for (const row of answer.data.symbols) {
    // Most of the thousands of rows have another quote asset; parsing each of them fully would delay ticks.
    if (!isQuoted(row)) continue;
    const listing = listingOf(row);
    if (listing && !listings.has(listing.symbol)) listings.set(listing.symbol, listing);
  }
  if (listings.size === 0) throw new PriceError(texts.invalidResponse);
  const ranked = [...listings.values()].sort(
    (left, right) => (turnover.get(right.symbol) ?? -1) - (turnover.get(left.symbol) ?? -1),
  );
  return withSortOrder(ranked.slice(0, pairsMax));
}

const isQuoted = (row: unknown): boolean =>
  typeof row === 'object' && row !== null && 'quoteAsset' in row && row.quoteAsset === CRYPTO_QUOTE_ASSET;

/** USDT of the last 24 hours by symbol. */
function turnoverOf(figures: readonly unknown[]): ReadonlyMap<string, number> {
  const turnover = new Map<string, number>();
  for (const row of figures) {
    const figure = figureSchema.safeParse(row);
    if (!figure.success) continue;
    const volume = Number(figure.data.quoteVolume);
    if (Number.isFinite(volume) && volume >= 0) turnover.set(figure.data.symbol, volume);
  }
  return turnover;
}

function listingOf(row: unknown): Listing | null {
  const parsed = symbolSchema.safeParse(row);
  if (!parsed.success) return null;
  const { symbol, baseAsset, quoteAsset, filters } = parsed.data;
  const shipped = shippedByAsset.get(baseAsset);
  const limits = limitsOf(filters, shipped);
  if (!limits || !isMarket(limits)) return null;
  return {
    symbol,
    name: shipped?.name ?? baseAsset,
    nickname: null,
    type: 'crypto',
    baseAsset,
    quoteAsset,
    ...limits,
    tradingHours: ALWAYS_OPEN,
    typical: shipped?.typical ?? null,
    yahoo: null,
  };
}

/**
 * Of a rule that the exchange switches off with a 0, or does not send, ours takes the place: a pair has to have all six
 * here. Null when a filter cannot be read.
 */
function limitsOf(filters: readonly unknown[], shipped: PairLimits | undefined): PairLimits | null {
  const price = filterOf(filters, 'PRICE_FILTER', priceFilterSchema);
  const lot = filterOf(filters, 'LOT_SIZE', lotSizeSchema);
  if (price === 'unreadable' || lot === 'unreadable') return null;
  try {
    const tickSize = parseRule(price?.tickSize) ?? shipped?.tickSize ?? finestStep;
    const stepSize = parseRule(lot?.stepSize) ?? shipped?.stepSize ?? finestStep;
    return {
      minPrice: asPrice(parseRule(price?.minPrice) ?? tickSize),
      maxPrice: asPrice(minOf(parseRule(price?.maxPrice) ?? cryptoMaxPrice, listedPriceMax)),
      tickSize: asPrice(tickSize),
      minQty: asSize(parseRule(lot?.minQty) ?? stepSize),
      maxQty: asSize(parseRule(lot?.maxQty) ?? unboundedQty),
      stepSize: asSize(stepSize),
    };
  } catch (error) {
    // Malformed, finer than 1e-8 or too large to store.
    if (error instanceof DecimalError) return null;
    throw error;
  }
}

const minOf = (left: bigint, right: bigint): bigint => (left < right ? left : right);

/** By its type, never by its place; undefined when the exchange sends none of it. */
function filterOf<T>(
  filters: readonly unknown[],
  filterType: string,
  schema: z.ZodType<T>,
): T | 'unreadable' | undefined {
  for (const one of filters) {
    if (filterSchema.safeParse(one).data?.filterType !== filterType) continue;
    const parsed = schema.safeParse(one);
    return parsed.success ? parsed.data : 'unreadable';
  }
  return undefined;
}

/** A bound or step in 1e-8; undefined when the rule is off. @throws DecimalError */
function parseRule(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const value = parseDecimal(text);
  return value === 0n ? undefined : value;
}

function isMarket({ minPrice, maxPrice, tickSize, minQty, maxQty, stepSize }: PairLimits): boolean {
  const all = [minPrice, maxPrice, tickSize, minQty, maxQty, stepSize];
  if (all.some((value) => value <= 0n)) return false;
  return minPrice < maxPrice && minQty < maxQty && tickSize <= maxPrice && stepSize <= maxQty;
}
