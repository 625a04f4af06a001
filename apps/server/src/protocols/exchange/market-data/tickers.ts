/** Rows of the present: the last day, the best prices, the last price, and what is due next. */
import {
  asPrice,
  dayMs,
  divideRounded,
  formatFixed,
  HUNDRED_PERCENT,
  parseDecimal,
  type QuotedBook,
  roundToTick,
  sizeDecimals,
} from '@fulcrum/domain';
import type { MarketPrice } from '../../../features/market/index.ts';
import type { ListedContract } from '../symbols.ts';
import { priceText, priceTextOf, valueText, volumeText } from './figures.ts';
import { nextFunding } from './funding.ts';
import type { NumberedTrade } from './trades.ts';

/** `trades`: the last ones, the oldest first. */
export function toDayTicker(
  { id, pair }: ListedContract,
  last: MarketPrice,
  trades: readonly NumberedTrade[],
) {
  const { price, priceChangePercent, high24h, low24h, volume, quoteVolume, pricedAt } = last;
  const open = openOf(last, pair.tickSize);
  const newest = trades.at(-1);
  return {
    symbol: id,
    priceChange: priceText(asPrice(price - open), pair),
    priceChangePercent: (priceChangePercent ?? 0).toFixed(3),
    weightedAvgPrice: volume > 0 ? priceTextOf(quoteVolume / volume, pair) : priceText(price, pair),
    lastPrice: priceText(price, pair),
    lastQty: newest ? formatFixed(newest.size, sizeDecimals(pair)) : '0',
    openPrice: priceText(open, pair),
    highPrice: high24h === null ? priceText(price, pair) : priceTextOf(high24h, pair),
    lowPrice: low24h === null ? priceText(price, pair) : priceTextOf(low24h, pair),
    volume: volumeText(volume, pair),
    quoteVolume: valueText(quoteVolume),
    openTime: pricedAt - dayMs,
    closeTime: pricedAt,
    firstId: trades[0]?.id ?? 0,
    lastId: newest?.id ?? 0,
    count: trades.length,
  };
}

/** The price from which the change of the day comes, on the tick grid; the last one where no change is known. */
function openOf({ price, priceChangePercent }: MarketPrice, tickSize: MarketPrice['price']) {
  if (priceChangePercent === null || priceChangePercent <= -100) return price;
  const percent = HUNDRED_PERCENT + parseDecimal(priceChangePercent.toFixed(8));
  const exact = divideRounded(price * HUNDRED_PERCENT, percent, 'half-away-from-zero');
  return roundToTick(asPrice(exact), tickSize, 'half-away-from-zero');
}

/** The instant of its price, ms since the epoch: of one symbol these ascend. */
const updateIdOf = ({ at }: Pick<QuotedBook, 'at'>): number => at;

/** Null for a book without a side. */
export function toBookTicker({ id, pair }: ListedContract, book: QuotedBook) {
  const [bid, ask] = [book.bids[0], book.asks[0]];
  if (!bid || !ask) return null;
  const decimals = sizeDecimals(pair);
  return {
    symbol: id,
    bidPrice: priceText(bid.price, pair),
    bidQty: formatFixed(bid.size, decimals),
    askPrice: priceText(ask.price, pair),
    askQty: formatFixed(ask.size, decimals),
    time: book.at,
    lastUpdateId: updateIdOf(book),
  };
}

export function toDepth({ pair }: ListedContract, book: QuotedBook, limit: number, now: number) {
  const decimals = sizeDecimals(pair);
  const toLevels = (levels: QuotedBook['bids']): [string, string][] =>
    levels.slice(0, limit).map(({ price, size }) => [priceText(price, pair), formatFixed(size, decimals)]);
  return {
    lastUpdateId: updateIdOf(book),
    E: now,
    T: book.at,
    bids: toLevels(book.bids),
    asks: toLevels(book.asks),
  };
}

export const toPriceTicker = ({ id, pair }: ListedContract, { price, pricedAt }: MarketPrice) => ({
  symbol: id,
  price: priceText(price, pair),
  time: pricedAt,
});

/** One price is the mark, the index, and what a contract would settle at. */
export function toPremiumIndex(contract: ListedContract, last: MarketPrice, now: number) {
  const price = priceText(last.price, contract.pair);
  return {
    symbol: contract.id,
    markPrice: price,
    indexPrice: price,
    estimatedSettlePrice: price,
    ...nextFunding(contract, now),
    time: last.pricedAt,
  };
}
