/** A position's figures at a price, all from the domain; numbers of the wire become exact units here and nowhere else. */
import {
  asFeeRate,
  asMoney,
  asPrice,
  type FeeRate,
  feeOf,
  orderValue,
  type PositionTerms,
  type Price,
  parseDecimal,
  type RuleSet,
  rulesOf,
  toNumber,
} from '@fulcrum/domain';
import { bookedAt, termsOf } from '../../../shared/account/index.ts';
import type { LiveSource } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import type { PriceStream } from '../../market/index.ts';

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

/** A position as its figures need it. */
interface Held {
  readonly terms: PositionTerms;
  readonly rules: RuleSet;
  readonly feeRate: FeeRate;
}

const heldOf = (position: Position): Held => ({
  terms: termsOf(position),
  rules: rulesOf(position.rules),
  feeRate: asFeeRate(parseDecimal(position.feeRate)),
});

const bookedBy = ({ rules, terms }: Held, price: Price): bigint => bookedAt(rules, terms, price);

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

export type Marked = Pick<Position, 'symbol' | 'markPrice'>;

/** The live price, or the server's mark until there is one. */
export const markOf = (stream: Pick<PriceStream, 'latest'>, position: Marked): number | null =>
  stream.latest(position.symbol)?.price ?? position.markPrice;

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

/** An exact sum of money, USDT. */
export const sumOf = (amounts: readonly number[]): number =>
  toNumber(asMoney(amounts.reduce((sum, amount) => sum + parseDecimal(amount), 0n)));

/** The sum of all positions' margins, USDT. */
export const totalMargin = (positions: readonly Position[]): number =>
  sumOf(positions.map(({ margin }) => margin));

/** Of one position at a price, USDT. */
type FigureOf = (held: Held, price: Price) => bigint;

/** `base` plus a figure of every position; null while it or a price is missing, for a part is not the sum. */
function followSum(
  stream: PriceStream,
  positions: readonly Position[],
  figureOf: FigureOf,
  base: number | null,
): LiveSource {
  const parts = positions.map((position) => ({ position, held: heldOf(position) }));
  const symbols = new Set(positions.map(({ symbol }) => symbol));
  return {
    get: () => {
      if (base === null) return null;
      let sum = parseDecimal(base);
      for (const { position, held } of parts) {
        const mark = markOf(stream, position);
        if (mark === null) return null;
        sum += figureOf(held, asPrice(parseDecimal(mark)));
      }
      return toNumber(asMoney(sum));
    },
    subscribe: (changed) => {
      const stops = [...symbols].map((symbol) => stream.subscribe(symbol, changed));
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** The sum of all positions' unrealized PnL, USDT. */
export const followTotalPnl = (stream: PriceStream, positions: readonly Position[]): LiveSource =>
  followSum(stream, positions, ({ rules, terms }, price) => rules.unrealizedPnl(terms, price), 0);

/** `base` and what closing all of them at their marks books, before fees, USDT. */
export const followBooked = (stream: PriceStream, positions: readonly Position[], base: number): LiveSource =>
  followSum(stream, positions, bookedBy, base);

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

/** What the account would hold if every position were closed at its mark, before fees (A108), USDT. */
export const followEquity = followBooked;

const liquidationNearShare = 0.05;
/** Whether the mark is within 5 % of the liquidation price. */
export const isNearLiquidation = (mark: number | null, liquidationPrice: number): boolean =>
  mark !== null && Math.abs(mark - liquidationPrice) <= mark * liquidationNearShare;
