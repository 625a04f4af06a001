/** Prices as people type them, on the pair's tick grid. The rules of reading are those of amounts. */
import { asPrice, divideRounded, type PairLimits, type Price } from '@fulcrum/domain';
import { readAmount } from './amount.ts';

export type TypedPrice =
  | { readonly kind: 'empty' }
  | { readonly kind: 'price'; readonly price: Price }
  | { readonly kind: 'unreadable' };

export function readPrice(text: string): TypedPrice {
  const typed = readAmount(text);
  if (typed.kind === 'amount') return { kind: 'price', price: asPrice(typed.size) };
  return typed.kind === 'empty' ? typed : { kind: 'unreadable' };
}

/** The price `ticks` ticks away on the grid, within the pair's bounds; a price off the grid goes to the next one. */
export function stepPrice(
  price: Price,
  ticks: bigint,
  { minPrice, maxPrice, tickSize }: Pick<PairLimits, 'minPrice' | 'maxPrice' | 'tickSize'>,
): Price {
  const grid = divideRounded(price, tickSize, ticks > 0n ? 'floor' : 'ceiling') * tickSize;
  const next = grid + ticks * tickSize;
  if (next < minPrice) return minPrice;
  return next > maxPrice ? maxPrice : asPrice(next);
}
