/** A position's figures at a price, all from the domain; the account's sums come from shared/account. */
import {
  asMoney,
  asPrice,
  type FeeRate,
  feeOf,
  NO_FEE,
  type OpeningCost,
  openingCost,
  orderValue,
  type Price,
  parseDecimal,
  toNumber,
} from '@fulcrum/domain';
import {
  createSumSource,
  type ExactPosition,
  getClosingPnl,
  getMark,
  type MarkedPosition,
  toExactPosition,
} from '../../../shared/account/index.ts';
import type { LiveSource } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import type { PriceStream } from '../../market/index.ts';

export {
  createClosingValueSource,
  createEquitySource,
  createTotalPnlSource,
  getMark,
  type MarkedPosition,
  sumAmounts,
  totalMargin,
} from '../../../shared/account/index.ts';

export interface OpenFigures {
  /** USDT, the position's gain or loss at the price. */
  readonly pnl: (price: number) => number;
  /** Per cent of the position's margin. */
  readonly roe: (price: number) => number;
  /** USDT that closing at the price books, capped at the margin. */
  readonly booked: (price: number) => number;
}

function closeFeeAt(held: ExactPosition, price: Price): bigint {
  const due = feeOf(orderValue(price, held.terms.size), held.feeRate);
  const left = held.terms.margin + getClosingPnl(held, price);
  return due < left ? due : left;
}

export function openFigures(position: Position): OpenFigures {
  const held = toExactPosition(position);
  const { rules, terms } = held;
  const exact = (price: number) => asPrice(parseDecimal(price));
  return {
    pnl: (price) => toNumber(rules.unrealizedPnl(terms, exact(price))),
    roe: (price) => toNumber(rules.openRoe(terms, exact(price))),
    booked: (price) => toNumber(asMoney(getClosingPnl(held, exact(price)))),
  };
}

/** A figure that follows the mark price of its position. */
export const followMark = (
  stream: PriceStream,
  position: MarkedPosition,
  figure: (price: number) => number,
): LiveSource => ({
  get: () => {
    const mark = getMark(stream, position);
    return mark === null ? null : figure(mark);
  },
  subscribe: (changed) => stream.subscribe(position.symbol, changed),
});

/** The fees of closing all of them at their marks, USDT. */
export const followCloseFees = (stream: PriceStream, positions: readonly Position[]): LiveSource =>
  createSumSource(stream, positions, closeFeeAt, 0);

/**
 * The balance after all of them are closed at their marks, less fees, USDT; null while it is not known. With `reopening` the same
 * sizes open again, for the fee of that rate.
 */
export const followBalanceAfter = (
  stream: PriceStream,
  positions: readonly Position[],
  balance: number | null,
  reopening: FeeRate = NO_FEE,
): LiveSource =>
  createSumSource(
    stream,
    positions,
    (held, price) =>
      getClosingPnl(held, price) -
      closeFeeAt(held, price) -
      feeOf(orderValue(price, held.terms.size), reopening),
    balance,
  );

/** What opening the same size and leverage at the mark costs, USDT (RULE-02, A07). */
export const followOpeningCost = (
  stream: PriceStream,
  position: Position,
  feeRate: FeeRate,
  part: keyof OpeningCost,
): LiveSource =>
  createSumSource(
    stream,
    [position],
    ({ terms: { size, leverage } }, price) => openingCost(price, size, leverage, feeRate)[part],
    0,
  );

const liquidationNearShare = 0.05;
/** Whether the mark is within 5 % of the liquidation price. */
export function isNearLiquidation(mark: number | null, liquidationPrice: number): boolean {
  return mark !== null && Math.abs(mark - liquidationPrice) <= mark * liquidationNearShare;
}
