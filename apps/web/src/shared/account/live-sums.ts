/**
 * An account's figures that follow the prices, outside React: each is a source for a `LiveFigure`. Every screen that tells
 * equity or unrealized PnL takes them from here, so that they agree. Invariant: while the price of a position is missing
 * the sum is null, for a part is not the sum.
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
import { bookedAt, termsOf } from './terms.ts';

/** Where prices come from, as far as sums need it. */
export interface Prices {
  readonly latest: (symbol: string) => { readonly price: number } | undefined;
  readonly subscribe: (symbol: string, changed: () => void) => () => void;
}

export type Marked = Pick<Position, 'symbol' | 'markPrice'>;

/** The live price, or the server's mark until there is one. */
export const markOf = (prices: Pick<Prices, 'latest'>, position: Marked): number | null =>
  prices.latest(position.symbol)?.price ?? position.markPrice;

/** A position as its figures need it. */
export interface Held {
  readonly terms: PositionTerms;
  readonly rules: RuleSet;
  readonly feeRate: FeeRate;
}

export const heldOf = (position: Position): Held => ({
  terms: termsOf(position),
  rules: rulesOf(position.rules),
  feeRate: asFeeRate(parseDecimal(position.feeRate)),
});

/** What closing at the price books, before fees, 1e-8 USDT. */
export const bookedBy = ({ rules, terms }: Held, price: Price): bigint => bookedAt(rules, terms, price);

/** An exact sum of money, USDT. */
export const sumOf = (amounts: readonly number[]): number =>
  toNumber(asMoney(amounts.reduce((sum, amount) => sum + parseDecimal(amount), 0n)));

/** The sum of all positions' margins, USDT. */
export const totalMargin = (positions: readonly Position[]): number =>
  sumOf(positions.map(({ margin }) => margin));

/** `base` plus a figure (1e-8 USDT) of every position at its mark; null while `base` is not known. */
export function followSum(
  prices: Prices,
  positions: readonly Position[],
  figureOf: (held: Held, price: Price) => bigint,
  base: number | null,
): LiveSource {
  const parts = positions.map((position) => ({ position, held: heldOf(position) }));
  const symbols = new Set(positions.map(({ symbol }) => symbol));
  return {
    get: () => {
      if (base === null) return null;
      let sum = parseDecimal(base);
      for (const { position, held } of parts) {
        const mark = markOf(prices, position);
        if (mark === null) return null;
        sum += figureOf(held, asPrice(parseDecimal(mark)));
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
export const followTotalPnl = (prices: Prices, positions: readonly Position[]): LiveSource =>
  followSum(prices, positions, ({ rules, terms }, price) => rules.unrealizedPnl(terms, price), 0);

/** `base` and what closing all of them at their marks books, before fees, USDT. */
export const followBooked = (prices: Prices, positions: readonly Position[], base: number): LiveSource =>
  followSum(prices, positions, bookedBy, base);

/** What the account would hold if every position were closed at its mark, before fees (A108), USDT. */
export const followEquity = followBooked;

/** What a wallet has less available than its balance: margins of positions and what waiting orders hold back. */
export const marginInUse = (balance: bigint, available: bigint): Money =>
  asMoney(balance > available ? balance - available : 0n);
