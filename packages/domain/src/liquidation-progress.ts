/** How far a market has come from a position's entry towards its liquidation. Pure and exact; 0 at or beyond the entry. */
import { asPercent, divideRounded, type Percent, type Price, UNIT } from './money.ts';

interface LiquidationPrices {
  readonly entryPrice: Price;
  readonly liquidationPrice: Price;
  readonly markPrice: Price;
}

const WHOLE = 100n * UNIT;

/**
 * Per cent of the way, rounded down to 1e-8: 0 in profit, 100 at the liquidation price and beyond. A position whose
 * liquidation price equals its entry starts at 100.
 */
export function liquidationProgress({ entryPrice, liquidationPrice, markPrice }: LiquidationPrices): Percent {
  const whole = liquidationPrice - entryPrice;
  if (whole === 0n) return asPercent(WHOLE);
  const [gone, length] = whole > 0n ? [markPrice - entryPrice, whole] : [entryPrice - markPrice, -whole];
  if (gone <= 0n) return asPercent(0n);
  return asPercent(gone >= length ? WHOLE : divideRounded(gone * WHOLE, length, 'floor'));
}
