/** The check of an order's price, in a module of its own: the landing page has no orders, and its bundle is limited. */
import type { Price } from './money.ts';
import { isOnStep, type PairLimits } from './pairs.ts';

/** Whether an order of the pair may have this price. */
export const isOrderPrice = (
  price: Price | null,
  { minPrice, maxPrice, tickSize }: Pick<PairLimits, 'minPrice' | 'maxPrice' | 'tickSize'>,
): price is Price => price !== null && price >= minPrice && price <= maxPrice && isOnStep(price, tickSize);
