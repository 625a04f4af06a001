/**
 * A position in two (A23): the part that is to be closed, under an id of its own, and the rest, which keeps everything
 * else. Invariant: size, margin and fees of the two add up to those of the whole, to the last unit.
 */
import { asMoney, asSize, multiplyDivide, NO_MONEY, type Size } from '../money.ts';
import type { Position } from './account.ts';

export interface SplitPosition {
  /** Still open, and not charged anything yet: what the opening cost stays with the rest. */
  readonly part: Position;
  readonly rest: Position;
}

/**
 * `partSize` is above zero and below the position's size. The part's margin is rounded down, so that the rest never holds
 * less than its share; of a very small one it can be zero. Its liquidation price stays, because margin and size shrink alike.
 * @throws RangeError for a part that is none or the whole.
 */
export function splitPosition(position: Position, partSize: Size, partId: string): SplitPosition {
  if (partSize <= 0n || partSize >= position.size) {
    throw new RangeError(`a part is above zero and below the whole: ${partSize} of ${position.size}`);
  }
  const partMargin = asMoney(multiplyDivide(position.margin, partSize, position.size, 'floor'));
  return {
    part: {
      ...position,
      id: partId,
      size: partSize,
      margin: partMargin,
      fees: NO_MONEY,
      // What it waited for is the rest's alone.
      takeProfitPrice: null,
      stopLossPrice: null,
      closeAtReopen: false,
      splitFrom: position.id,
    },
    rest: {
      ...position,
      size: asSize(position.size - partSize),
      margin: asMoney(position.margin - partMargin),
    },
  };
}
