/** Prices and sizes of the demo's script, on the ticks and steps of their pair. */
import {
  asPrice,
  asSize,
  type Price,
  parseDecimal,
  roundToTick,
  type Size,
  type TradingPair,
} from '@fulcrum/domain';

const decimals = 8;

export const priceOf = (value: number): Price => asPrice(parseDecimal(value.toFixed(decimals)));

/** The price on the tick below. */
export const tickPriceOf = (value: number, { tickSize }: Pick<TradingPair, 'tickSize'>): Price =>
  roundToTick(priceOf(value), tickSize, 'floor');

/** The whole steps of this amount, at least the smallest amount of the pair. */
export function sizeOf(value: number, { stepSize, minQty, maxQty }: TradingPair): Size {
  const size = parseDecimal(value.toFixed(decimals));
  const onStep = (size / stepSize) * stepSize;
  return asSize(onStep < minQty ? minQty : onStep > maxQty ? maxQty : onStep);
}
