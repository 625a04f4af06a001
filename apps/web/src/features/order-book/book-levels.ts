/** The rows of an order book: its levels, joined to coarser prices if wanted, with their sums and the account's own orders. Pure. */
import { asPrice, asSize, type Level, type Price, roundToTick, type Side } from '@fulcrum/domain';

export interface BookRow extends Level {
  /** With all better rows of its side. */
  readonly sum: bigint;
  /** Whether a limit order of the account waits between the next better row and this one. */
  readonly isOwn: boolean;
}

/** Of the power of ten below the price. */
const shares = [10_000n, 2_000n, 1_000n, 500n, 200n, 100n] as const;

/** The steps that prices can be joined to, the tick first: 0.01, 1, 5, 10, 20, 50 and 100 at 92,000. */
export function groupSteps(mid: Price, tickSize: Price): readonly Price[] {
  let power = 1n;
  while (power * 10n <= mid) power *= 10n;
  const coarser = shares
    .map((share) => power / share)
    .filter((step) => step > tickSize && step % tickSize === 0n);
  return [tickSize, ...coarser.map(asPrice)];
}

/**
 * The rows of one side, the best first. A joined row has the price that its worst level can have, so that a limit there takes all of it:
 * bids are rounded down, asks up. `own`: prices of the account's waiting limit orders of this side.
 */
export function bookRows(
  levels: readonly Level[],
  { side, step, own }: { readonly side: Side; readonly step: Price; readonly own: readonly Price[] },
): readonly BookRow[] {
  const sizes = new Map<Price, bigint>();
  for (const { price, size } of levels) {
    const joined = roundToTick(price, step, side === 'BUY' ? 'floor' : 'ceiling');
    sizes.set(joined, (sizes.get(joined) ?? 0n) + size);
  }
  const reaches = (price: Price, row: Price) => (side === 'BUY' ? price >= row : price <= row);
  let [sum, marked] = [0n, 0];
  return [...sizes].map(([price, size]) => {
    sum += size;
    const within = own.filter((one) => reaches(one, price)).length;
    const isOwn = within > marked;
    marked = within;
    return { price, size: asSize(size), sum, isOwn };
  });
}
