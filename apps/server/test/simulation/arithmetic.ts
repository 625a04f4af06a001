/**
 * The auditor's own arithmetic: fractions of whole numbers, rounded only where a formula of the specification states
 * it. It shares nothing with packages/domain on purpose, so that a mistake there is not repeated here.
 */

export const minuteMs = 60 * 1_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** `n / d`, `d` above zero. */
export interface Ratio {
  readonly n: bigint;
  readonly d: bigint;
}

export function ratio(n: bigint, d = 1n): Ratio {
  if (d === 0n) throw new RangeError('a fraction of zero');
  return d < 0n ? { n: -n, d: -d } : { n, d };
}

export const plus = (a: Ratio, b: Ratio): Ratio => ratio(a.n * b.d + b.n * a.d, a.d * b.d);
export const minus = (a: Ratio, b: Ratio): Ratio => ratio(a.n * b.d - b.n * a.d, a.d * b.d);
export const times = (a: Ratio, b: Ratio): Ratio => ratio(a.n * b.n, a.d * b.d);
export const over = (a: Ratio, b: Ratio): Ratio => ratio(a.n * b.d, a.d * b.n);
/** Below zero, zero, above zero. */
export const compare = (a: Ratio, b: Ratio): bigint => a.n * b.d - b.n * a.d;

/** The greatest whole number that is not above. */
export function wholeBelow({ n, d }: Ratio): bigint {
  const quotient = n / d;
  return quotient * d > n ? quotient - 1n : quotient;
}
/** The least whole number that is not below. */
export const wholeAbove = ({ n, d }: Ratio): bigint => -wholeBelow({ n: -n, d });
/** The nearest whole number; one in the middle goes away from zero (A16). */
export const nearest = ({ n, d }: Ratio): bigint =>
  n < 0n ? -nearest({ n: -n, d }) : wholeBelow({ n: 2n * n + d, d: 2n * d });
