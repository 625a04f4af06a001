/** A position's figures at a price, all from the domain; numbers of the wire become exact units here and nowhere else. */
import {
  asFeeRate,
  asMoney,
  asPrice,
  asSize,
  feeOf,
  orderValue,
  type PositionTerms,
  type Price,
  parseDecimal,
  type RuleSet,
  rulesOf,
  settle,
  toNumber,
} from '@fulcrum/domain';
import type { LiveSource } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import type { PriceStream } from '../../market/index.ts';

export const termsOf = (position: Position): PositionTerms => ({
  side: position.side,
  entryPrice: asPrice(parseDecimal(position.entryPrice)),
  size: asSize(parseDecimal(position.size)),
  leverage: position.leverage,
  margin: asMoney(parseDecimal(position.margin)),
});

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

export function openFigures(position: Position): OpenFigures {
  const rules = rulesOf(position.rules);
  const terms = termsOf(position);
  const feeRate = asFeeRate(parseDecimal(position.feeRate));
  const exact = (price: number) => asPrice(parseDecimal(price));
  return {
    pnl: (price) => toNumber(rules.unrealizedPnl(terms, exact(price))),
    roe: (price) => toNumber(rules.openRoe(terms, exact(price))),
    closeFee: (price) => toNumber(feeOf(orderValue(exact(price), terms.size), feeRate)),
    booked: (price) => toNumber(settle(rules.realizedPnl(terms, exact(price)), terms.margin).realizedPnl),
  };
}

/** Per cent; null for a position without a booked result. */
export function closedRoe(position: Position): number | null {
  if (position.realizedPnl === null) return null;
  const booked = asMoney(parseDecimal(position.realizedPnl));
  return toNumber(rulesOf(position.rules).closedRoe(termsOf(position), booked));
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

/** The sum of all positions' margins, USDT. */
export const totalMargin = (positions: readonly Position[]): number =>
  toNumber(asMoney(positions.reduce((sum, { margin }) => sum + parseDecimal(margin), 0n)));

/** Of one position at a price, USDT. */
type FigureOf = (rules: RuleSet, terms: PositionTerms, price: Price) => bigint;

/** `base` plus a figure of every position; null while a price is missing, for a part is not the sum. */
function followSum(
  stream: PriceStream,
  positions: readonly Position[],
  figureOf: FigureOf,
  base: number,
): LiveSource {
  const parts = positions.map((position) => ({
    position,
    terms: termsOf(position),
    rules: rulesOf(position.rules),
  }));
  const symbols = new Set(positions.map(({ symbol }) => symbol));
  return {
    get: () => {
      let sum = parseDecimal(base);
      for (const { position, terms, rules } of parts) {
        const mark = markOf(stream, position);
        if (mark === null) return null;
        sum += figureOf(rules, terms, asPrice(parseDecimal(mark)));
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
  followSum(stream, positions, (rules, terms, price) => rules.unrealizedPnl(terms, price), 0);

/** What the account would hold if every position were closed at its mark, before fees (A108), USDT. */
export const followEquity = (
  stream: PriceStream,
  positions: readonly Position[],
  balance: number,
): LiveSource =>
  followSum(
    stream,
    positions,
    (rules, terms, price) => settle(rules.realizedPnl(terms, price), terms.margin).realizedPnl,
    balance,
  );

const liquidationNearShare = 0.05;
/** Whether the mark is within 5 % of the liquidation price. */
export const isNearLiquidation = (mark: number | null, liquidationPrice: number): boolean =>
  mark !== null && Math.abs(mark - liquidationPrice) <= mark * liquidationNearShare;
