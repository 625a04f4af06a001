/**
 * Maintenance brackets of net positions (A113), as exchanges for USD-margined perpetuals publish them: the larger the
 * position, the lower its leverage and the higher its maintenance margin. Invariant: at a bracket's bound the
 * maintenance margin is the same from either side, which is what `cum` is for.
 */
import { asMoney, type Money, multiplyDivide } from '../money.ts';
import type { MarketType } from '../pairs.ts';

export interface Bracket {
  /** USDT of the position's value at its entry: above `floor` and up to `cap`. */
  readonly floor: Money;
  readonly cap: Money;
  readonly maxLeverage: number;
  /** Maintenance margin as a share of the value, in `MAINTENANCE_RATE_UNIT`. */
  readonly mmr: bigint;
  /** USDT, taken off value × mmr. */
  readonly cum: Money;
}

/** A rate of 1. */
export const MAINTENANCE_RATE_UNIT = 10_000n;
const USDT = 100_000_000n;

/** [greatest value in thousands of USDT, greatest leverage, maintenance rate in basis points] */
type Row = readonly [capThousands: number, maxLeverage: number, mmr: number];

function bracketsFrom(table: readonly Row[]): readonly Bracket[] {
  const brackets: Bracket[] = [];
  for (const [capThousands, maxLeverage, points] of table) {
    const last = brackets.at(-1);
    const floor = last?.cap ?? asMoney(0n);
    const mmr = BigInt(points);
    const cum = asMoney((last?.cum ?? 0n) + (floor * (mmr - (last?.mmr ?? 0n))) / MAINTENANCE_RATE_UNIT);
    brackets.push({ floor, cap: asMoney(BigInt(capThousands) * 1_000n * USDT), maxLeverage, mmr, cum });
  }
  return brackets;
}

/** Of each market, from the smallest value on. */
export const maintenanceBrackets: Readonly<Record<MarketType, readonly Bracket[]>> = {
  crypto: bracketsFrom([
    [50, 125, 40],
    [250, 100, 50],
    [1_000, 50, 100],
    [10_000, 20, 250],
    [20_000, 10, 500],
    [50_000, 5, 1_000],
    [100_000, 4, 1_250],
    [200_000, 3, 1_500],
    [500_000, 2, 2_500],
  ]),
  stock: bracketsFrom([
    [50, 50, 100],
    [250, 25, 200],
    [1_000, 20, 250],
    [5_000, 10, 500],
    [20_000, 5, 1_000],
    [100_000, 2, 2_500],
  ]),
  forex: bracketsFrom([
    [250, 125, 30],
    [1_000, 100, 50],
    [5_000, 50, 100],
    [25_000, 20, 250],
    [100_000, 10, 500],
    [500_000, 5, 1_000],
  ]),
  commodity: bracketsFrom([
    [100, 100, 50],
    [500, 50, 100],
    [2_000, 20, 250],
    [10_000, 10, 500],
    [50_000, 5, 1_000],
    [200_000, 2, 2_500],
  ]),
  index: bracketsFrom([
    [100, 100, 50],
    [500, 50, 100],
    [2_000, 20, 250],
    [10_000, 10, 500],
    [50_000, 5, 1_000],
    [200_000, 2, 2_500],
  ]),
};

/** The bracket of a position of this value (USDT at its entry); beyond the last cap the last one. */
export function bracketOf(market: MarketType, value: Money): Bracket {
  const brackets = maintenanceBrackets[market];
  const found = brackets.find(({ cap }) => value <= cap) ?? brackets.at(-1);
  if (!found) throw new Error(`no brackets of ${market}`);
  return found;
}

/** The greatest value of a position at this leverage, USDT; null for a leverage that the market does not have. */
export function greatestValueAt(market: MarketType, leverage: number): Money | null {
  const allowing = maintenanceBrackets[market].findLast(({ maxLeverage }) => leverage <= maxLeverage);
  return allowing?.cap ?? null;
}

/** USDT that a position of this value must keep, rounded half away from zero. */
export function maintenanceMargin(market: MarketType, value: Money): Money {
  const { mmr, cum } = bracketOf(market, value);
  return asMoney(multiplyDivide(value, mmr, MAINTENANCE_RATE_UNIT, 'half-away-from-zero') - cum);
}
