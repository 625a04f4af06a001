/** Parses prices as users type them, on the pair's tick grid, by the rules of amounts. */
import { asPrice, type PairLimits, type Price } from '@fulcrum/domain';
import { type ParsedAmount, parseAmount } from './amount.ts';
import { stepOnGrid } from './step-on-grid.ts';

type UnreadableInput = Extract<ParsedAmount, { kind: 'unreadable' }>;
export type ParsedPrice =
  | { readonly kind: 'empty' }
  | { readonly kind: 'price'; readonly price: Price }
  | UnreadableInput;

export function parsePrice(text: string): ParsedPrice {
  const typed = parseAmount(text);
  if (typed.kind === 'amount') return { kind: 'price', price: asPrice(typed.size) };
  return typed;
}

/** The error text of an unreadable price; `name` starts the sentence. */
export const formatUnreadablePrice = (
  name: string,
  { reason }: UnreadableInput,
  example = '95600',
): string =>
  reason === 'ambiguous'
    ? `${name} can be read in two ways. Please leave out the comma.`
    : `${name} must be a number such as ${example}.`;

/** The price `ticks` ticks away on the grid, within the pair's bounds; a price off the grid moves to the next grid value. */
export function stepPrice(
  price: Price,
  ticks: bigint,
  { minPrice, maxPrice, tickSize }: Pick<PairLimits, 'minPrice' | 'maxPrice' | 'tickSize'>,
): Price {
  return asPrice(stepOnGrid(price, ticks, { min: minPrice, max: maxPrice, step: tickSize }));
}
