/**
 * Splits a position (A23) into the part to be closed, under a new id, and the rest, which keeps everything else.
 * Invariant: size, margin, entry value, fees and funding of the two add up to those of the whole, to the last unit.
 */
import { asMoney, asSize, multiplyDivide, NO_MONEY, type Size } from '../money.ts';
import type { Position } from './types.ts';

export interface SplitPosition {
  /** Still open, without fees and funding: what was booked before stays with the rest, as its ledger entries do. */
  readonly part: Position;
  readonly rest: Position;
}

/**
 * `partSize` is above zero and below the position's size. The part's margin is rounded down, so that the rest never
 * holds less than its share; for a very small part it can be zero. The liquidation price stays, because margin and
 * size shrink alike.
 * @throws RangeError for a part that is zero or the whole.
 */
export function splitPosition(position: Position, partSize: Size, partId: string): SplitPosition {
  if (partSize <= 0n || partSize >= position.size) {
    throw new RangeError(`a part is above zero and below the whole: ${partSize} of ${position.size}`);
  }
  const partMargin = asMoney(multiplyDivide(position.margin, partSize, position.size, 'floor'));
  const { entryValue } = position;
  const partValue =
    entryValue === null
      ? null
      : asMoney(multiplyDivide(entryValue, partSize, position.size, 'half-away-from-zero'));
  return {
    part: {
      ...position,
      id: partId,
      size: partSize,
      margin: partMargin,
      entryValue: partValue,
      fees: NO_MONEY,
      funding: NO_MONEY,
      // The triggers stay with the rest.
      takeProfitPrice: null,
      stopLossPrice: null,
      closeAtReopen: false,
      splitFrom: position.id,
    },
    rest: {
      ...position,
      size: asSize(position.size - partSize),
      margin: asMoney(position.margin - partMargin),
      entryValue: entryValue === null || partValue === null ? null : asMoney(entryValue - partValue),
    },
  };
}
