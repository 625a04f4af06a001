/**
 * Take profit and stop loss as a distance from the entry, and back: per cent of the price, return on the margin (ROE) or
 * USDT. Results are before fees, as every PnL of a position is (A07). Invariants: the price lies on a tick; a take profit
 * brings at least what was entered and a stop loss costs at most that, so a price is rounded away from the entry for the
 * one and towards it for the other.
 *
 * With entry E, size Q, leverage L and factor k (1 in `standard`, L in `as-specified`), a close gains m × Q × k for a
 * move of m (RULE-07, RULE-08), which is m × L / E of the margin in both rule sets (RULE-11). So m = E × d / 100 for d
 * per cent, E × d / (100 × L) for d per cent of ROE, and d / (Q × k) for d USDT.
 */
import type { Protection } from './engine/types.ts';
import {
  asPercent,
  asPrice,
  asSize,
  divideRounded,
  type Money,
  type Percent,
  type Price,
  type Size,
  UNIT,
} from './money.ts';
import type { PairLimits } from './pairs.ts';
import type { PositionTerms, RuleSet } from './rules.ts';

export const distanceUnits = ['percent', 'roe', 'usdt'] as const;
type DistanceUnit = (typeof distanceUnits)[number];

export interface DistanceTerms extends Pick<PositionTerms, 'side' | 'entryPrice' | 'leverage'> {
  readonly rules: Pick<RuleSet, 'pnlFactor'>;
  /** Null while it is not known: then a distance in USDT has no price. */
  readonly size: PositionTerms['size'] | null;
}

const WHOLE_PERCENT = 100n;

/** The move per distance, as a fraction; null where it cannot be known. */
function moveOf(
  unit: DistanceUnit,
  { entryPrice, leverage, size, rules }: DistanceTerms,
): { readonly over: bigint; readonly under: bigint } | null {
  switch (unit) {
    case 'percent':
      return { over: entryPrice, under: WHOLE_PERCENT * UNIT };
    case 'roe':
      return { over: entryPrice, under: WHOLE_PERCENT * UNIT * BigInt(leverage) };
    case 'usdt':
      return size === null || size <= 0n ? null : { over: UNIT, under: size * rules.pnlFactor({ leverage }) };
  }
}

/** Whether the price rises on the way to this end. */
const rises = (which: keyof Protection, side: PositionTerms['side']): boolean =>
  (side === 'BUY') === (which === 'takeProfitPrice');

/**
 * The price at a distance in 1e-8 of its unit. A distance counts as a gain for a take profit and as a loss for a stop
 * loss; a negative one lies at the other side of the entry. It may lie beyond the pair's bounds, below zero too. Null
 * without an entry price above zero, or for USDT without a size.
 */
export function priceAtDistance(
  which: keyof Protection,
  unit: DistanceUnit,
  distance: bigint,
  terms: DistanceTerms,
  { tickSize }: Pick<PairLimits, 'tickSize'>,
): Price | null {
  const move = terms.entryPrice > 0n ? moveOf(unit, terms) : null;
  if (move === null) return null;
  const signed = rises(which, terms.side) ? distance : -distance;
  const exact = terms.entryPrice * move.under + move.over * signed;
  // Both ends of a long are rounded up: its take profit away from the entry, its stop loss towards it.
  const rounding = terms.side === 'BUY' ? 'ceiling' : 'floor';
  return asPrice(divideRounded(exact, move.under * tickSize, rounding) * tickSize);
}

/** Decimals of a calculated distance: one of the price needs more of them, because it is the smallest. */
const distanceDecimals = { percent: 4, roe: 2, usdt: 2 } as const satisfies Record<DistanceUnit, number>;

/** The distance of a price, rounded to its unit's decimals, half away from zero; null as for `priceAtDistance`. */
export function distanceOfPrice(
  which: keyof Protection,
  unit: DistanceUnit,
  price: Price,
  terms: DistanceTerms,
): bigint | null {
  const move = terms.entryPrice > 0n ? moveOf(unit, terms) : null;
  if (move === null) return null;
  const away = rises(which, terms.side) ? price - terms.entryPrice : terms.entryPrice - price;
  const step = UNIT / 10n ** BigInt(distanceDecimals[unit]);
  return divideRounded(away * move.under, move.over * step, 'half-away-from-zero') * step;
}

/**
 * The same distance in another unit, rounded to its decimals, half away from zero; null as for `priceAtDistance`. Not by way
 * of a price: its tick would change the distance.
 */
export function convertDistance(
  distance: bigint,
  from: DistanceUnit,
  to: DistanceUnit,
  terms: DistanceTerms,
): bigint | null {
  if (from === to) return distance;
  const [old, next] = terms.entryPrice > 0n ? [moveOf(from, terms), moveOf(to, terms)] : [null, null];
  if (old === null || next === null) return null;
  const step = UNIT / 10n ** BigInt(distanceDecimals[to]);
  const exact = distance * old.over * next.under;
  return divideRounded(exact, old.under * next.over * step, 'half-away-from-zero') * step;
}

/** USDT that one unit of size loses when the entry falls or rises to `stopPrice`, before fees; zero or above. */
export function lossPerUnit(
  stopPrice: Price,
  { entryPrice, leverage, rules }: Pick<DistanceTerms, 'entryPrice' | 'leverage' | 'rules'>,
): Price {
  const move = stopPrice < entryPrice ? entryPrice - stopPrice : stopPrice - entryPrice;
  return asPrice(move * rules.pnlFactor({ leverage }));
}

/**
 * The largest size whose stop costs at most `risk` per cent of `available`, before fees: available × risk / 100 / the loss
 * per unit (fixed fractional position sizing), rounded down to the step. Zero for a loss of zero.
 */
export function sizeAtRisk(
  { available, risk, loss }: { readonly available: Money; readonly risk: Percent; readonly loss: Price },
  { stepSize }: Pick<PairLimits, 'stepSize'>,
): Size {
  if (loss <= 0n || available <= 0n || risk <= 0n) return asSize(0n);
  return asSize(divideRounded(available * risk, WHOLE_PERCENT * loss * stepSize, 'floor') * stepSize);
}

/** The risk of a size, per cent of `available`, rounded down to two decimals; null without a balance. */
export function riskOfSize(size: Size, loss: Price, available: Money): Percent | null {
  if (available <= 0n) return null;
  const step = UNIT / 100n;
  return asPercent(divideRounded(size * loss * WHOLE_PERCENT, available * step, 'floor') * step);
}
