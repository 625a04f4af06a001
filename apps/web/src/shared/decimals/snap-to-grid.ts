/** Snaps prices of screen pixels to a pair's grid. */
import { asPrice, type PairLimits, type Price, toNumber } from '@fulcrum/domain';

type Grid = Pick<PairLimits, 'minPrice' | 'maxPrice' | 'tickSize'>;

/** The nearest valid price of the pair. A pixel's price is not exact, so the calculation may use floats. */
export function snapToGrid(price: number, { minPrice, maxPrice, tickSize }: Grid): Price {
  const ticks = Math.round(price / toNumber(tickSize));
  if (!Number.isSafeInteger(ticks)) return price > 0 ? maxPrice : minPrice;
  const snapped = BigInt(ticks) * tickSize;
  if (snapped < minPrice) return minPrice;
  return snapped > maxPrice ? maxPrice : asPrice(snapped);
}
