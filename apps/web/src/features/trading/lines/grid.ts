/** Prices of the screen's pixels on a pair's grid. */
import { asPrice, type PairLimits, type Price, toNumber } from '@fulcrum/domain';

type Grid = Pick<PairLimits, 'minPrice' | 'maxPrice' | 'tickSize'>;

/** The nearest price that the pair has; a pixel's price is no exact figure, so it may pass through a float on its way here. */
export function snapToGrid(price: number, { minPrice, maxPrice, tickSize }: Grid): Price {
  const ticks = Math.round(price / toNumber(tickSize));
  if (!Number.isSafeInteger(ticks)) return price > 0 ? maxPrice : minPrice;
  const snapped = BigInt(ticks) * tickSize;
  if (snapped < minPrice) return minPrice;
  return snapped > maxPrice ? maxPrice : asPrice(snapped);
}
