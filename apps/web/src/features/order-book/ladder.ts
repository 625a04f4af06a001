/** The steps of a ladder of limit orders that close a position in parts (A113). */
import {
  asPrice,
  asSize,
  isWaiting,
  type OrderStatus,
  type PairLimits,
  type Price,
  type Size,
} from '@fulcrum/domain';

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

const ordersText = (count: number, isOneOfOne: boolean): string =>
  isOneOfOne ? 'The limit order' : `${count} limit order${count === 1 ? '' : 's'}`;

/** What became of the orders of a ladder, as the server answered. */
export function placedText(statuses: readonly OrderStatus[]): string {
  const filled = statuses.filter((status) => status === 'FILLED').length;
  const waiting = statuses.filter(isWaiting).length;
  const outcomes = [
    { count: filled, verb: 'filled at once' },
    { count: waiting, verb: waiting === 1 ? 'waits' : 'wait' },
    { count: statuses.length - filled - waiting, verb: 'expired' },
  ];
  return outcomes
    .filter(({ count }) => count > 0)
    .map(({ count, verb }, index) =>
      index === 0 ? `${ordersText(count, statuses.length === 1)} ${verb}` : `${count} ${verb}`,
    )
    .join(', ');
}
