/**
 * Exact fractions, for tests that compute a figure a second time. Slow and plain on purpose; it shares no code with
 * the figures under test. Invariant: the denominator is positive and the fraction is in lowest terms.
 */
import { UNIT } from '../src/money.ts';

export interface Rational {
  readonly over: bigint;
  readonly under: bigint;
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
function divisorOf(left: bigint, right: bigint): bigint {
  let [a, b] = [absolute(left), absolute(right)];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

/** @throws RangeError for a denominator of zero */
export function ratio(over: bigint, under = 1n): Rational {
  if (under === 0n) throw new RangeError('a fraction of nothing');
  const divisor = divisorOf(over, under) * (under < 0n ? -1n : 1n);
  return { over: over / divisor, under: under / divisor };
}

/** Of 1e-8 units. */
export const decimal = (units: bigint): Rational => ratio(units, UNIT);
export const zero = ratio(0n);
export const one = ratio(1n);

export const plus = (a: Rational, b: Rational): Rational =>
  ratio(a.over * b.under + b.over * a.under, a.under * b.under);
export const minus = (a: Rational, b: Rational): Rational => plus(a, { over: -b.over, under: b.under });
export const times = (a: Rational, b: Rational): Rational => ratio(a.over * b.over, a.under * b.under);
export const through = (a: Rational, b: Rational): Rational => ratio(a.over * b.under, a.under * b.over);
export const isAbove = (a: Rational, b: Rational): boolean => a.over * b.under > b.over * a.under;
export const largest = (a: Rational, b: Rational): Rational => (isAbove(a, b) ? a : b);
export const sumOf = (all: readonly Rational[]): Rational => all.reduce(plus, zero);

/** Down to a whole number of steps. */
export const floorTo = (value: Rational, step: Rational): bigint => {
  const { over, under } = through(value, step);
  return over >= 0n ? over / under : -((-over + under - 1n) / under);
};

/** In units of 10^-decimals, half away from zero: adds a half to the magnitude and truncates. */
export function rounded(value: Rational, decimals = 8): bigint {
  const magnitude = (absolute(value.over) * 10n ** BigInt(decimals) * 2n + value.under) / (value.under * 2n);
  return value.over < 0n ? -magnitude : magnitude;
}
