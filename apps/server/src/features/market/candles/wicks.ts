/**
 * Removes faulty wicks from a provider's bars, such as a high of ten times everything around it. A wick is faulty if it
 * reaches further than several jumps of the size at which the guard holds a price (A106), away from its bar's open and close
 * and from those of its neighbours. The bar then ends at its body on that side. Several, because within a bar a
 * price may jump, be confirmed, and jump again: a crash that came back is no fault.
 *
 * Known limitation: an open or a close that is wrong stays, because a stock split looks the same.
 */
import { type BarPrices, isIntraday, type MarketType, type Timeframe } from '@fulcrum/domain';
import { jumpPct } from '../jump-guard.ts';

const jumpsWithin = { day: 4, longer: 8 } as const;

/** `bars` in their order; those without such a wick are returned as they are. */
export function removeAbsurdWicks<Bar extends BarPrices>(
  bars: readonly Bar[],
  type: MarketType,
  timeframe: Timeframe,
): readonly Bar[] {
  const jumps = isIntraday(timeframe) ? jumpsWithin.day : jumpsWithin.longer;
  const share = jumpPct[type] / 100;
  const [rise, fall] = [(1 + share) ** jumps, (1 - share) ** jumps];
  return bars.map((bar, index) => {
    const { open, close, high, low } = bar;
    const near = [bars[index - 1], bar, bars[index + 1]].flatMap((one) => (one ? [one.open, one.close] : []));
    const isHighAbsurd = high > Math.max(...near) * rise;
    const isLowAbsurd = low < Math.min(...near) * fall;
    if (!isHighAbsurd && !isLowAbsurd) return bar;
    return {
      ...bar,
      ...(isHighAbsurd && { high: Math.max(open, close) }),
      ...(isLowAbsurd && { low: Math.min(open, close) }),
    };
  });
}
