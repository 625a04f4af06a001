/** The steps of a ladder of limit orders that close a position in parts (A113). */
import { asPrice, asSize, type PairLimits, type Price, type Size } from '@fulcrum/domain';

export const mostSteps = 10;

interface Step {
  readonly price: Price;
  readonly size: Size;
}

/**
 * Equal parts of `size`, in whole steps, at equal distances between two prices, on their ticks. The last one takes what the division
 * leaves. Null where a part would be less than a step.
 */
export function ladderOf(
  size: Size,
  { from, to }: { readonly from: Price; readonly to: Price },
  count: number,
  { tickSize, stepSize }: Pick<PairLimits, 'tickSize' | 'stepSize'>,
): readonly Step[] | null {
  const parts = BigInt(count);
  const part = size / parts - ((size / parts) % stepSize);
  if (part <= 0n) return null;
  return Array.from({ length: count }, (_, i) => {
    const at = count === 1 ? from : from + ((to - from) * BigInt(i)) / (parts - 1n);
    const isLast = i === count - 1;
    return {
      price: asPrice(at - (at % tickSize)),
      size: asSize(isLast ? size - part * (parts - 1n) : part),
    };
  });
}
