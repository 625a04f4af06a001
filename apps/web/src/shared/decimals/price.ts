/** Prices as people type them, on the pair's tick grid. The rules of reading are those of amounts. */
import { asPrice, type PairLimits, type Price } from '@fulcrum/domain';
import { readAmount, type TypedAmount } from './amount.ts';
import { stepOnGrid } from './step.ts';

type Unreadable = Extract<TypedAmount, { kind: 'unreadable' }>;
export type TypedPrice =
  | { readonly kind: 'empty' }
  | { readonly kind: 'price'; readonly price: Price }
  | Unreadable;

export function readPrice(text: string): TypedPrice {
  const typed = readAmount(text);
  if (typed.kind === 'amount') return { kind: 'price', price: asPrice(typed.size) };
  return typed;
}

/** Why a price cannot be read; `name` begins the sentence. */
export const unreadablePriceText = (name: string, { reason }: Unreadable): string =>
  reason === 'ambiguous'
    ? `${name} can be read in two ways. Please leave out the comma.`
    : `${name} must be a number such as 95600.`;

/** The price `ticks` ticks away on the grid, within the pair's bounds; a price off the grid goes to the next one. */
export function stepPrice(
  price: Price,
  ticks: bigint,
  { minPrice, maxPrice, tickSize }: Pick<PairLimits, 'minPrice' | 'maxPrice' | 'tickSize'>,
): Price {
  return asPrice(stepOnGrid(price, ticks, { least: minPrice, most: maxPrice, step: tickSize }));
}
