/** The figures of a form of orders: what is typed, and what is wrong with it, in the words that the server refuses it with. */
import { texts } from '@fulcrum/contract/texts';
import {
  checkAmount,
  isOrderPrice,
  type PairLimits,
  type Price,
  type Size,
  toDecimalString,
} from '@fulcrum/domain';
import { parseAmount } from '../../shared/decimals/amount.ts';
import { formatUnreadablePrice, parsePrice } from '../../shared/decimals/price.ts';

/** Null for what is no figure. */
export function toPrice(text: string): Price | null {
  const typed = parsePrice(text);
  return typed.kind === 'price' ? typed.price : null;
}

/** Null for what is no figure. */
export function toSize(text: string): Size | null {
  const typed = parseAmount(text);
  return typed.kind === 'amount' ? typed.size : null;
}

const priceTexts = { limit: texts.orderPriceInvalid, trigger: texts.triggerPriceInvalid } as const;

/** Null for a price that an order of the pair may have. `market` is the example of a number. */
export function priceFault(
  text: string,
  kind: keyof typeof priceTexts,
  { limits, market }: { readonly limits: PairLimits; readonly market: number | null },
): string | null {
  const typed = parsePrice(text);
  if (typed.kind === 'empty') return 'Enter a price.';
  if (typed.kind === 'unreadable' && typed.reason !== 'negative')
    return formatUnreadablePrice('The price', typed, `${market ?? 1.5}`);
  if (typed.kind === 'price' && isOrderPrice(typed.price, limits)) return null;
  const { minPrice, maxPrice, tickSize } = limits;
  const [min = '', max = '', tick = ''] = [minPrice, maxPrice, tickSize].map(toDecimalString);
  return priceTexts[kind](min, max, tick);
}

/** Null for an amount that one order of the pair may have. */
export function sizeFault(size: Size | null, limits: PairLimits): string | null {
  const range = size && checkAmount(limits, size);
  return range && texts.amountOutOfRange(range.min, range.max, range.step);
}

/** Null for an amount above zero, whatever the pair's limits are. */
export function amountFault(text: string): string | null {
  const typed = parseAmount(text);
  if (typed.kind === 'unreadable') return formatUnreadablePrice('The amount', typed, '0.1');
  return typed.kind === 'amount' && typed.size > 0n ? null : 'Enter an amount.';
}
