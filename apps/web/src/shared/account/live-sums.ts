/**
 * Account figures that follow the prices, outside React: each is a source for a `LiveFigure`. Every screen that shows equity or
 * unrealized PnL uses them, so that the screens agree. Invariant: while the price of a position is missing the sum is null,
 * because a partial sum is wrong.
 */
import {
  asFeeRate,
  asMoney,
  asPrice,
  type FeeRate,
  type Money,
  type PositionTerms,
  type Price,
  parseDecimal,
  type RuleSet,
  rulesOf,
  toNumber,
} from '@fulcrum/domain';
import type { LiveSource } from '../numbers/index.ts';
import type { Position } from '../supabase/index.ts';
import { getClosingPnlAt, toTerms } from './terms.ts';

/** The part of the price store that sums need. */
export interface PriceSource {
  readonly latest: (symbol: string) => { readonly price: number } | undefined;
  readonly subscribe: (symbol: string, changed: () => void) => () => void;
}

export type MarkedPosition = Pick<Position, 'symbol' | 'markPrice'>;

/** The live price, or the server's mark until there is one. */
export const getMark = (prices: Pick<PriceSource, 'latest'>, position: MarkedPosition): number | null =>
  prices.latest(position.symbol)?.price ?? position.markPrice;

/** A position in exact units. */
export interface ExactPosition {
  readonly terms: PositionTerms;
  readonly rules: RuleSet;
  readonly feeRate: FeeRate;
}

export const toExactPosition = (position: Position): ExactPosition => ({
  terms: toTerms(position),
  rules: rulesOf(position.rules),
  feeRate: asFeeRate(parseDecimal(position.feeRate)),
});

/** The result booked by closing at the price, before fees, 1e-8 USDT. */
export const getClosingPnl = ({ rules, terms }: ExactPosition, price: Price): bigint =>
  getClosingPnlAt(rules, terms, price);

/** An exact sum of money, USDT. */
export const sumAmounts = (amounts: readonly number[]): number =>
  toNumber(asMoney(amounts.reduce((sum, amount) => sum + parseDecimal(amount), 0n)));

/** The sum of all positions' margins, USDT. */
export const totalMargin = (positions: readonly Position[]): number =>
  sumAmounts(positions.map(({ margin }) => margin));

/** Source of `base` plus a figure (1e-8 USDT) of every position at its mark; null while `base` is unknown. */
export function createSumSource(
  prices: PriceSource,
  positions: readonly Position[],
  figureOf: (exact: ExactPosition, price: Price) => bigint,
  base: number | null,
): LiveSource {
  const parts = positions.map((position) => ({ position, held: toExactPosition(position) }));
  const symbols = new Set(positions.map(({ symbol }) => symbol));
  return {
    get: () => {
      if (base === null) return null;
      let sum = parseDecimal(base);
      for (const { position, held: exact } of parts) {
        const mark = getMark(prices, position);
        if (mark === null) return null;
        sum += figureOf(exact, asPrice(parseDecimal(mark)));
      }
      return toNumber(asMoney(sum));
    },
    subscribe: (changed) => {
      const stops = [...symbols].map((symbol) => prices.subscribe(symbol, changed));
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** The sum of all positions' unrealized PnL, USDT. */
export const createTotalPnlSource = (prices: PriceSource, positions: readonly Position[]): LiveSource =>
  createSumSource(prices, positions, ({ rules, terms }, price) => rules.unrealizedPnl(terms, price), 0);

/** Source of `base` plus the result of closing all positions at their marks, before fees, USDT. */
export const createClosingValueSource = (
  prices: PriceSource,
  positions: readonly Position[],
  base: number,
): LiveSource => createSumSource(prices, positions, getClosingPnl, base);

/** Equity: the value of the account if every position were closed at its mark, before fees (A108), USDT. */
export const createEquitySource = createClosingValueSource;

/** The margin in use: margins of positions and reserves of open orders. */
export const marginInUse = (balance: bigint, available: bigint): Money =>
  asMoney(balance > available ? balance - available : 0n);
