/** A position's figures at a price, all from the domain; the account's sums are those of shared/account. */
import { asMoney, asPrice, feeOf, orderValue, type Price, parseDecimal, toNumber } from '@fulcrum/domain';
import {
  bookedBy,
  followSum,
  type Held,
  heldOf,
  type Marked,
  markOf,
} from '../../../shared/account/index.ts';
import type { LiveSource } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import type { PriceStream } from '../../market/index.ts';

export {
  followBooked,
  followEquity,
  followTotalPnl,
  type Marked,
  markOf,
  sumOf,
  totalMargin,
} from '../../../shared/account/index.ts';

export interface OpenFigures {
  /** USDT, what the position gains or loses at the price. */
  readonly pnl: (price: number) => number;
  /** Per cent of its margin. */
  readonly roe: (price: number) => number;
  /** USDT that closing at the price books, capped at the margin. */
  readonly booked: (price: number) => number;
  /** USDT that closing at the price is charged, where margin and PnL leave that much (A07). */
  readonly closeFee: (price: number) => number;
}

function closeFeeAt(held: Held, price: Price): bigint {
  const due = feeOf(orderValue(price, held.terms.size), held.feeRate);
  const left = held.terms.margin + bookedBy(held, price);
  return due < left ? due : left;
}

export function openFigures(position: Position): OpenFigures {
  const held = heldOf(position);
  const { rules, terms } = held;
  const exact = (price: number) => asPrice(parseDecimal(price));
  const figure = (units: bigint) => toNumber(asMoney(units));
  return {
    pnl: (price) => toNumber(rules.unrealizedPnl(terms, exact(price))),
    roe: (price) => toNumber(rules.openRoe(terms, exact(price))),
    closeFee: (price) => figure(closeFeeAt(held, exact(price))),
    booked: (price) => figure(bookedBy(held, exact(price))),
  };
}

/** A figure that follows the price of what it belongs to. */
export const followMark = (
  stream: PriceStream,
  position: Marked,
  figure: (price: number) => number,
): LiveSource => ({
  get: () => {
    const mark = markOf(stream, position);
    return mark === null ? null : figure(mark);
  },
  subscribe: (changed) => stream.subscribe(position.symbol, changed),
});

/** What closing all of them at their marks is charged, USDT. */
export const followCloseFees = (stream: PriceStream, positions: readonly Position[]): LiveSource =>
  followSum(stream, positions, closeFeeAt, 0);

/** What the balance becomes when all of them are closed at their marks, fees taken off, USDT; null while it is not known. */
export const followBalanceAfter = (
  stream: PriceStream,
  positions: readonly Position[],
  balance: number | null,
): LiveSource =>
  followSum(stream, positions, (held, price) => bookedBy(held, price) - closeFeeAt(held, price), balance);

const liquidationNearShare = 0.05;
/** Whether the mark is within 5 % of the liquidation price. */
export function isNearLiquidation(mark: number | null, liquidationPrice: number): boolean {
  return mark !== null && Math.abs(mark - liquidationPrice) <= mark * liquidationNearShare;
}
