/**
 * What an order would get from a book now, what that costs beside the middle of the market, and what becomes of the net position
 * (A113, A114). USDT and 1e-8 units.
 */
import {
  asMoney,
  asSize,
  type FeeRate,
  feeOf,
  initialMargin,
  levelsFor,
  type MarketType,
  type Money,
  multiply,
  multiplyDivide,
  type NetTerms,
  netLiquidationPrice,
  type Price,
  type Side,
  type Size,
  sweep,
} from '@fulcrum/domain';
import type { ShownBook } from './book-query.ts';

export interface OrderCost {
  /** What the levels give at once. */
  readonly filled: Size;
  readonly value: Money;
  /** The average price of that. */
  readonly price: Price;
  readonly spread: Money;
  readonly impact: Money;
  readonly fee: Money;
  readonly total: Money;
}

/** How much of the order may trade: one that only reduces ends with the position of the other side. */
export const tradableSize = (size: Size, side: Side, reduceOnly: boolean, before: NetTerms | null): Size => {
  if (!reduceOnly) return size;
  const most = before !== null && before.side !== side ? before.size : 0n;
  return asSize(most < size ? most : size);
};

/** Null when nothing of it fills at once. `limit`: null takes at any price. */
export function costOfOrder(
  book: Pick<ShownBook, 'mid' | 'bids' | 'asks'>,
  side: Side,
  size: Size,
  { limit, takerFee }: { readonly limit: Price | null; readonly takerFee: FeeRate },
): OrderCost | null {
  const levels = levelsFor(book, side);
  const { size: filled, value, price } = sweep(levels, side, size, { limit });
  const [best] = levels;
  if (filled === 0n || !best) return null;
  const sign = side === 'BUY' ? 1n : -1n;
  const atBest = multiply(best.price, filled);
  const spread = asMoney(sign * (atBest - multiply(book.mid, filled)));
  const impact = asMoney(sign * (value - atBest));
  const fee = feeOf(value, takerFee);
  return { filled, value, price, spread, impact, fee, total: asMoney(spread + impact + fee) };
}

interface PositionAfter {
  /** What the opening part of the order locks. */
  readonly margin: Money;
  /** Null when nothing is left open. */
  readonly liquidation: Price | null;
}

/** The same side adds to the position, the other one reduces it, and beyond it opens on its own side. */
export function positionAfter(
  before: NetTerms | null,
  side: Side,
  { filled, value }: Pick<OrderCost, 'filled' | 'value'>,
  { leverage, market, tickSize }: { leverage: number; market: MarketType; tickSize: Price },
): PositionAfter {
  const liquidationOf = (terms: NetTerms): Price => netLiquidationPrice(terms, market, tickSize);
  const opened = (size: Size, entryValue: Money, held: NetTerms | null): PositionAfter => {
    const margin = initialMargin(entryValue, leverage);
    const whole: NetTerms = {
      side,
      size: asSize(size + (held?.size ?? 0n)),
      entryValue: asMoney(entryValue + (held?.entryValue ?? 0n)),
      margin: asMoney(margin + (held?.margin ?? 0n)),
    };
    return { margin, liquidation: liquidationOf(whole) };
  };
  if (before === null || before.side === side) return opened(filled, value, before);
  if (filled > before.size) {
    const closed = multiplyDivide(value, before.size, filled, 'floor');
    return opened(asSize(filled - before.size), asMoney(value - closed), null);
  }
  const size = asSize(before.size - filled);
  if (size === 0n) return { margin: asMoney(0n), liquidation: null };
  const share = (amount: Money): Money =>
    asMoney(multiplyDivide(amount, size, before.size, 'half-away-from-zero'));
  const rest = {
    side: before.side,
    size,
    entryValue: share(before.entryValue),
    margin: share(before.margin),
  };
  return { margin: asMoney(0n), liquidation: liquidationOf(rest) };
}
