/**
 * Computes the equity curve a second time: a fund with units in exact fractions, bought and redeemed at each payment,
 * and results as plain differences. It shares only the input with the tested curve.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decimal,
  largest,
  minus,
  one,
  plus,
  type Rational,
  ratio,
  rounded,
  through,
  times,
  zero,
} from '../../test/rational.ts';
import { EquityCurve, type EquityPoint } from '../equity-curve.ts';
import { asMoney } from '../money.ts';

/** The events of each second: payments, and optionally an observed equity. Equity is never negative (A03). */
interface Step {
  readonly paid: readonly bigint[];
  readonly seen: bigint | null;
}

class Fund {
  #units: Rational;
  /** Of a unit; what it last was while there are none. */
  #price = one;
  #highest = one;
  /** In shares of 1. */
  deepest = zero;

  constructor(equity: bigint) {
    this.#units = decimal(equity);
  }
  value(equity: bigint): void {
    // Money without a payment while no unit is left: a correction by staff. It is worth units at the last price.
    if (this.#units.over === 0n && equity > 0n) this.#units = through(decimal(equity), this.#price);
    if (this.#units.over !== 0n) this.#price = through(decimal(equity), this.#units);
    this.#highest = largest(this.#highest, this.#price);
    this.deepest = largest(this.deepest, this.below);
  }
  pay(equity: bigint, amount: bigint): void {
    this.value(equity);
    if (this.#price.over === 0n && equity + amount > 0n) {
      [this.#units, this.#price, this.#highest] = [decimal(equity + amount), one, one];
      return;
    }
    this.#units = plus(this.#units, through(decimal(amount), this.#price));
  }
  get below(): Rational {
    return minus(one, through(this.#price, this.#highest));
  }
}

function reference(start: bigint, moments: readonly Step[]) {
  const fund = new Fund(start);
  const points: { at: number; equity: bigint; result: bigint; below: Rational }[] = [];
  let equity = start;
  let paidInAll = 0n;
  moments.forEach(({ paid, seen }, at) => {
    if (paid.length === 0 && seen === null) return;
    const sum = paid.reduce((all, amount) => all + amount, 0n);
    const before = seen === null ? equity : seen - sum;
    if (paid.length > 0) fund.pay(before, sum);
    equity = before + sum;
    paidInAll += sum;
    if (seen !== null) fund.value(equity);
    points.push({ at, equity, result: equity - start - paidInAll, below: fund.below });
  });
  let fall: { amount: bigint; from: number; to: number } | null = null;
  points.forEach(({ at, result }, index) => {
    const past = [{ at: 0, result: 0n }, ...points.slice(0, index + 1)];
    const highest = past.reduce((most, point) => (point.result > most ? point.result : most), 0n);
    const amount = highest - result;
    const from = past.findLast((point) => point.result === highest)!.at;
    if (amount > (fall?.amount ?? 0n)) fall = { amount, from, to: at };
  });
  return { points, fall: fall as { amount: bigint; from: number; to: number } | null, deepest: fund.deepest };
}

/** A history that may be: at no time is more paid out than there is. */
const histories = fc
  .tuple(
    fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 10n ** 13n })),
    fc.array(
      fc.record({
        deals: fc.constantFrom('look', 'pay', 'both', 'two', 'nothing', 'correct'),
        /** What the equity becomes, in thousandths of what it was. */
        change: fc.oneof(fc.integer({ min: 700, max: 1400 }), fc.constantFrom(0, 1, 1000)),
        amount: fc.oneof(
          fc.bigInt({ min: 1n, max: 10n ** 12n }),
          fc.constantFrom('a third out' as const, 'all out' as const),
        ),
      }),
      { maxLength: 30 },
    ),
  )
  .map(([start, drawn]) => {
    let equity = start;
    const moments = drawn.map(({ deals, change, amount }): Step => {
      if (deals === 'nothing') return { paid: [], seen: null };
      if (deals === 'correct') {
        equity += 5_000_000_000n;
        return { paid: [], seen: equity };
      }
      // The change before an unobserved payment is not observed.
      if (deals !== 'pay') equity = (equity * BigInt(change)) / 1000n;
      if (deals === 'look') return { paid: [], seen: equity };
      const paid = amount === 'all out' ? -equity : amount === 'a third out' ? -(equity / 3n) : amount;
      if (paid === 0n) return { paid: [], seen: equity };
      equity += paid;
      if (deals === 'two') {
        equity += 7n;
        return { paid: [paid, 7n], seen: equity };
      }
      return { paid: [paid], seen: deals === 'pay' ? null : equity };
    });
    return { start, moments };
  });

function curveOf(start: bigint, moments: readonly Step[], limit = 400) {
  const curve = new EquityCurve({ equity: asMoney(start), from: 0, to: moments.length, limit });
  moments.forEach(({ paid, seen }, at) => {
    for (const amount of paid) curve.flow({ at, amount: asMoney(amount) });
    if (seen !== null) curve.observe({ at, equity: asMoney(seen) });
  });
  return { points: curve.points(), fall: curve.deepestFall() };
}

const cent = 1_000_000n;
/** In 1e-8 of a per cent: to the last figure, but for an account that was once worth less than a cent. */
const roundingOf = (start: bigint, points: readonly { readonly equity: bigint }[]): bigint =>
  [start, ...points.map(({ equity }) => equity)].some((equity) => equity > 0n && equity < cent) ? 100n : 1n;
const absolute = (value: bigint) => (value < 0n ? -value : value);
const hundred = ratio(100n);

test('A108: any history: equity, result and drawdown of every point, and the deepest falls, are those of a fund computed in fractions', () => {
  fc.assert(
    fc.property(histories, ({ start, moments }) => {
      const expected = reference(start, moments);
      const { points, fall } = curveOf(start, moments);
      const rounding = roundingOf(start, expected.points);
      expect(points.map(({ at, equity, result }) => [at, equity, result])).toEqual(
        expected.points.map(({ at, equity, result }) => [at, equity, result]),
      );
      points.forEach(({ drawdown }, index) => {
        const below = rounded(times(expected.points[index]!.below, hundred));
        expect(absolute(-drawdown - below)).toBeLessThanOrEqual(rounding);
      });
      if (expected.fall === null) {
        expect(fall).toBeNull();
        return;
      }
      expect(fall).toMatchObject(expected.fall);
      expect(absolute(fall!.percent - rounded(times(expected.deepest, hundred)))).toBeLessThanOrEqual(
        rounding,
      );
    }),
    { numRuns: 1000 },
  );
});

const lowest = (points: readonly EquityPoint[], measure: 'equity' | 'result' | 'drawdown') =>
  points.reduce((least, point) => (point[measure] < least ? point[measure] : least), points[0]![measure]);
const highest = (points: readonly EquityPoint[], measure: 'equity' | 'result' | 'drawdown') =>
  points.reduce((most, point) => (point[measure] > most ? point[measure] : most), points[0]![measure]);

test('a thinned curve is made of points of the whole one, in order, with the first, the last and every extreme', () => {
  fc.assert(
    fc.property(histories, fc.integer({ min: 8, max: 26 }), ({ start, moments }, limit) => {
      const { points: whole, fall } = curveOf(start, moments);
      const { points: thinned, fall: sameFall } = curveOf(start, moments, limit);
      expect(sameFall).toEqual(fall);
      expect(thinned.length).toBeLessThanOrEqual(limit);
      if (whole.length <= limit) {
        expect(thinned).toEqual(whole);
        return;
      }
      expect([thinned[0], thinned.at(-1)]).toEqual([whole[0], whole.at(-1)]);
      const byTime = new Map(whole.map((point) => [point.at, point]));
      for (const point of thinned) expect(point).toEqual(byTime.get(point.at));
      expect(thinned.every(({ at }, index) => index === 0 || at > thinned[index - 1]!.at)).toBe(true);
      for (const measure of ['equity', 'result', 'drawdown'] as const) {
        expect(lowest(thinned, measure)).toBe(lowest(whole, measure));
        expect(highest(thinned, measure)).toBe(highest(whole, measure));
      }
    }),
    { numRuns: 300 },
  );
});
