/**
 * The formulas of the specification as the auditor reads them. Amounts, prices and sizes are whole numbers of 1e-8;
 * every result is a fraction until A16 or A107 rounds it.
 */
import {
  compare,
  minus,
  nearest,
  over,
  plus,
  type Ratio,
  ratio,
  times,
  wholeAbove,
  wholeBelow,
} from './arithmetic.ts';

const WHOLE = 100_000_000n;
const units = (figure: bigint): Ratio => ratio(figure, WHOLE);
/** Back to whole units of 1e-8. */
const inUnits = (figure: Ratio): Ratio => times(figure, ratio(WHOLE));
const one = ratio(1n);

export type AuditedSide = 'BUY' | 'SELL';
export type AuditedRules = 'standard' | 'as-specified' | 'perpetual';

/** The required margin is amount x price / leverage (RULE-01). */
export const marginOf = (price: bigint, size: bigint, leverage: number): bigint =>
  nearest(inUnits(over(times(units(price), units(size)), ratio(BigInt(leverage)))));

/** The order value is amount x price (A17). */
export const orderValueOf = (price: bigint, size: bigint): bigint =>
  nearest(inUnits(times(units(price), units(size))));

/** A07: the rate on the order value. */
export const feeOf = (price: bigint, size: bigint, rate: bigint): bigint =>
  feeOnValue(orderValueOf(price, size), rate);
export const feeOnValue = (value: bigint, rate: bigint): bigint =>
  nearest(inUnits(times(units(value), units(rate))));

/** RULE-05 to RULE-08, A01: what a close at `exit` makes before the cap. */
export function pnlOf(
  rules: AuditedRules,
  { side, entry, size, leverage }: { side: AuditedSide; entry: bigint; size: bigint; leverage: number },
  exit: bigint,
): bigint {
  const gained = side === 'BUY' ? minus(units(exit), units(entry)) : minus(units(entry), units(exit));
  const factor = rules === 'as-specified' ? ratio(BigInt(leverage)) : one;
  return nearest(inUnits(times(times(gained, units(size)), factor)));
}

/** A113: what a net position makes that was paid for with `value` and traded for `traded`, before the cap. */
export const resultOf = (
  { side, value }: { readonly side: AuditedSide; readonly value: bigint | null },
  traded: bigint,
): bigint => (side === 'BUY' ? traded - (value ?? 0n) : (value ?? 0n) - traded);

/**
 * A04, A07: the price P at which margin + pnl(P) - fee(P) = 5 % of the margin, per unit of size with margin = E/L. To the
 * tick towards the entry (A107), not onto it, not below one tick.
 */
export function liquidationOf(
  rules: AuditedRules,
  terms: { side: AuditedSide; entry: bigint; leverage: number },
  tick: bigint,
  rate: bigint,
): bigint {
  const entry = units(terms.entry);
  const leverage = ratio(BigInt(terms.leverage));
  const perMove = rules === 'standard' ? one : leverage;
  const losable = times(ratio(95n, 100n), over(entry, leverage));
  const fee = units(rate);
  // BUY: k(P - E) - fP = -0.95 E/L. SELL: k(E - P) - fP = -0.95 E/L.
  const exact =
    terms.side === 'BUY'
      ? over(minus(times(perMove, entry), losable), minus(perMove, fee))
      : over(plus(times(perMove, entry), losable), plus(perMove, fee));
  const inTicks = over(inUnits(exact), ratio(tick));
  const entryInTicks = ratio(terms.entry, tick);
  if (terms.side === 'BUY') {
    let ticks = wholeAbove(inTicks);
    while (compare(ratio(ticks), entryInTicks) >= 0n) ticks -= 1n;
    return (ticks < 1n ? 1n : ticks) * tick;
  }
  let ticks = wholeBelow(inTicks);
  while (compare(ratio(ticks), entryInTicks) <= 0n) ticks += 1n;
  return ticks * tick;
}

/** A104: so many tenths of the way from the entry to the liquidation price, rounded to 1e-8 towards the entry. */
export function onTheWay(
  { side, entry, liquidation }: { side: AuditedSide; entry: bigint; liquidation: bigint },
  tenths: bigint,
): bigint {
  const exact = plus(ratio(entry), times(ratio(liquidation - entry), ratio(tenths, 10n)));
  return side === 'BUY' ? wholeAbove(exact) : wholeBelow(exact);
}

/** A18: whether the market is further from the expected price than this many per cent (1e-8) of it. */
export function movedBeyond(expected: bigint, market: bigint, percent: bigint): boolean {
  const distance = expected > market ? expected - market : market - expected;
  return compare(ratio(distance), times(ratio(expected), over(units(percent), ratio(100n)))) > 0n;
}

/** Most that one command of staff may move, 1e-8. */
export const mostFunds = 1_000_000_000n * WHOLE;
/** Staff have to give a reason; blanks are none. */
export const isGoodReason = (reason: string): boolean => /\S/.test(reason);
