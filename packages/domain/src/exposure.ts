/**
 * The market value of an account's open positions, by symbol (DASH-25, DASH-26, A91). Exposure ignores side and
 * margin: a short adds to it like a long. It states how much of the market moves the account, not in which direction.
 * Invariant: no symbol of exposure 0 is listed, and the total is the exact sum of the listed ones.
 */
import {
  asMoney,
  asPercent,
  divideRounded,
  type Money,
  multiply,
  type Percent,
  type Price,
  type Size,
  UNIT,
} from './money.ts';
import { type Side, sides } from './states.ts';

/** What an exposure is computed from. */
export interface ExposedPosition {
  readonly symbol: string;
  readonly side: Side;
  readonly size: Size;
  readonly entryPrice: Price;
  /** Null while the symbol has none. */
  readonly markPrice: Price | null;
}

interface SymbolExposure {
  readonly symbol: string;
  /** BUY before SELL; both when the account is hedged. */
  readonly sides: readonly Side[];
  /** USDT. */
  readonly amount: Money;
  /** Of the total, rounded to 1e-8 per cent half away from zero. */
  readonly share: Percent;
  /** The index of the symbol among the given positions, from 0; its colour depends on it and not on the rank. */
  readonly order: number;
}

export interface Exposure {
  readonly total: Money;
  /** The largest first; among equals the one that was given first. */
  readonly symbols: readonly SymbolExposure[];
}

/** Size × mark price or, if it is missing, entry price (DASH-25), in USDT. */
export const exposureOf = ({ size, entryPrice, markPrice }: ExposedPosition): Money =>
  multiply(markPrice ?? entryPrice, size);

/** The exposure of all positions, in any order, by symbol. */
export function exposureBySymbol(positions: Iterable<ExposedPosition>): Exposure {
  const bySymbol = new Map<string, { order: number; amount: bigint; sides: Set<Side> }>();
  let total = 0n;
  for (const position of positions) {
    const { symbol, side } = position;
    const held = bySymbol.get(symbol) ?? { order: bySymbol.size, amount: 0n, sides: new Set<Side>() };
    const amount = exposureOf(position);
    held.amount += amount;
    held.sides.add(side);
    bySymbol.set(symbol, held);
    total += amount;
  }
  const symbols = [...bySymbol]
    .filter(([, { amount }]) => amount > 0n)
    .map(
      ([symbol, held]): SymbolExposure => ({
        symbol,
        sides: sides.filter((side) => held.sides.has(side)),
        amount: asMoney(held.amount),
        share: asPercent(divideRounded(held.amount * 100n * UNIT, total, 'half-away-from-zero')),
        order: held.order,
      }),
    )
    .sort((a, b) => (a.amount === b.amount ? a.order - b.order : a.amount < b.amount ? 1 : -1));
  return { total: asMoney(total), symbols };
}
