import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EquityCurve, type EquityPoint, timeWeightedReturn } from './equity-curve.ts';
import { asMoney, parseDecimal, toDecimalString } from './money.ts';

const money = (text: string) => asMoney(parseDecimal(text));
const limit = 400;

/** At each second: what was paid then, and what the equity was seen to be then. */
interface Step {
  readonly paid?: string;
  readonly equity?: string;
}

function curveOf(start: string, steps: readonly Step[], most = limit): EquityCurve {
  const curve = new EquityCurve({ equity: money(start), from: 0, to: steps.length, limit: most });
  steps.forEach(({ paid, equity }, at) => {
    if (paid !== undefined) curve.flow({ at, amount: money(paid) });
    if (equity !== undefined) curve.observe({ at, equity: money(equity) });
  });
  return curve;
}

/** Equity, result and drawdown of each point. */
const textsOf = (points: readonly EquityPoint[]) =>
  points.map(({ equity, result, drawdown }) => [equity, result, drawdown].map(toDecimalString).join(' '));
function fallOf(curve: EquityCurve) {
  curve.points();
  const fall = curve.deepestFall();
  return fall && { ...fall, amount: toDecimalString(fall.amount), percent: toDecimalString(fall.percent) };
}

describe('curves computed by hand', () => {
  test('an account that begins with its first payment has a result of zero then, and no fall', () => {
    const curve = curveOf('0', [{ paid: '1000', equity: '1000' }, { equity: '1000' }]);
    expect(textsOf(curve.points())).toEqual(['1000 0 0', '1000 0 0']);
    expect(fallOf(curve)).toBeNull();
  });

  test('without input: no points, no fall', () => {
    const curve = curveOf('0', []);
    expect(curve.points()).toEqual([]);
    expect(curve.deepestFall()).toBeNull();
  });

  test('without payments the fall is that of the equity: from 1200 to 900, a quarter', () => {
    const curve = curveOf('1000', [
      { equity: '1000' },
      { equity: '1200' },
      { equity: '1200' },
      { equity: '900' },
      { equity: '1100' },
      { equity: '1300' },
    ]);
    expect(textsOf(curve.points())).toEqual([
      '1000 0 0',
      '1200 200 0',
      '1200 200 0',
      '900 -100 -25',
      '1100 100 -8.33333333',
      '1300 300 0',
    ]);
    // The last time at that value.
    expect(fallOf(curve)).toEqual({ amount: '300', percent: '25', from: 2, to: 3 });
  });

  test('what staff put right in an emptied account can fall too', () => {
    const curve = curveOf('1000', [
      { equity: '900' },
      { paid: '-900', equity: '0' },
      // A correction of a closed position: no payment.
      { equity: '50' },
      { equity: '25' },
      { paid: '25', equity: '50' },
    ]);
    // 0.9 of a unit, and half of it.
    expect(textsOf(curve.points())).toEqual([
      '900 -100 -10',
      '0 -100 -10',
      '50 -50 -10',
      '25 -75 -55',
      '50 -75 -55',
    ]);
    expect(fallOf(curve)).toEqual({ amount: '100', percent: '55', from: 0, to: 0 });
  });

  test('a deposit in the middle of a loss does not hide it', () => {
    const curve = curveOf('1000', [
      { equity: '800' },
      // Seen together with the deposit: nothing was lost in between.
      { paid: '1000', equity: '1800' },
      { equity: '1710' },
    ]);
    // 0.8 of a unit before and after the deposit; then 5 % less: 0.76.
    expect(textsOf(curve.points())).toEqual(['800 -200 -20', '1800 -200 -20', '1710 -290 -24']);
    expect(fallOf(curve)).toEqual({ amount: '290', percent: '24', from: 0, to: 2 });
  });

  test('a withdrawal does not look like a loss, and a loss seen with it is still one', () => {
    const curve = curveOf('1000', [
      { equity: '1000' },
      { paid: '-400', equity: '600' },
      { paid: '-100', equity: '440' },
    ]);
    // 600 fell to 540 before the last 100 left: a tenth.
    expect(textsOf(curve.points())).toEqual(['1000 0 0', '600 0 0', '440 -60 -10']);
    expect(fallOf(curve)).toMatchObject({ amount: '60', percent: '10' });
  });

  test('a payment without an observation counts at the last known equity', () => {
    const curve = curveOf('1000', [{ equity: '900' }, { paid: '900' }, { equity: '1620' }]);
    // 1800 after the payment, then a tenth less of 0.9.
    expect(textsOf(curve.points())).toEqual(['900 -100 -10', '1800 -100 -10', '1620 -280 -19']);
    const waiting = curveOf('1000', [{ equity: '900' }, { paid: '50' }]);
    expect(toDecimalString(waiting.equity)).toBe('950');
    expect(textsOf(waiting.points()).at(-1)).toBe('950 -100 -10');
  });

  test('A102: an account reset is a payment: the loss before it stays', () => {
    const curve = curveOf('0', [
      { paid: '10000', equity: '10000' },
      { equity: '4000' },
      // Closed at 3500, then booked up to the start balance.
      { paid: '6500', equity: '10000' },
      { equity: '11000' },
    ]);
    expect(textsOf(curve.points())).toEqual([
      '10000 0 0',
      '4000 -6000 -60',
      '10000 -6500 -65',
      '11000 -5500 -61.5',
    ]);
    expect(fallOf(curve)).toEqual({ amount: '6500', percent: '65', from: 0, to: 2 });
  });

  test('two payments of one instant are one', () => {
    const curve = new EquityCurve({ equity: money('0'), from: 0, to: 2, limit });
    curve.flow({ at: 0, amount: money('600') });
    curve.flow({ at: 0, amount: money('400') });
    curve.observe({ at: 0, equity: money('1000') });
    expect(textsOf(curve.points())).toEqual(['1000 0 0']);
  });

  test('after a total loss the fall is 100 %, and a later deposit restarts the value', () => {
    const curve = curveOf('1000', [{ equity: '0' }, { paid: '500', equity: '500' }, { equity: '400' }]);
    expect(textsOf(curve.points())).toEqual(['0 -1000 -100', '500 -1000 0', '400 -1100 -20']);
    expect(fallOf(curve)).toEqual({ amount: '1100', percent: '100', from: 0, to: 2 });
  });

  test('everything lost is a fall of 100 % also when it is seen with the next payment only', () => {
    const curve = curveOf('1000', [{ equity: '1500' }, { paid: '500', equity: '500' }, { equity: '450' }]);
    expect(textsOf(curve.points())).toEqual(['1500 500 0', '500 -1000 0', '450 -1050 -10']);
    expect(fallOf(curve)).toEqual({ amount: '1550', percent: '100', from: 0, to: 2 });
  });

  test('what was won before everything was lost is no height that a new beginning is measured from', () => {
    const curve = curveOf('1000', [{ equity: '1500' }, { equity: '0' }, { paid: '500', equity: '500' }]);
    expect(textsOf(curve.points())).toEqual(['1500 500 0', '0 -1000 -100', '500 -1000 0']);
  });

  test('everything withdrawn and paid in again is no fall', () => {
    const curve = curveOf('1000', [
      { equity: '900' },
      { paid: '-900', equity: '0' },
      { equity: '0' },
      { paid: '200', equity: '200' },
      { equity: '220' },
    ]);
    expect(textsOf(curve.points())).toEqual([
      '900 -100 -10',
      '0 -100 -10',
      '0 -100 -10',
      '200 -100 -10',
      '220 -80 -1',
    ]);
    expect(fallOf(curve)).toMatchObject({ amount: '100', percent: '10' });
  });

  test('the return is apart from payments: 10 % of a little, then 10 % less of much', () => {
    const base = curveOf('0', [
      { paid: '1000', equity: '1000' },
      { equity: '1100' },
      { paid: '8900', equity: '10000' },
    ]).base();
    expect(toDecimalString(timeWeightedReturn(base, money('10000')))).toBe('10');
    expect(toDecimalString(timeWeightedReturn(base, money('9000')))).toBe('-1');
    expect(toDecimalString(timeWeightedReturn(base, money('0')))).toBe('-100');
    expect(toDecimalString(timeWeightedReturn(curveOf('0', []).base(), money('0')))).toBe('0');
  });

  test('the deepest fall in USDT and in per cent may be two', () => {
    const curve = curveOf('100', [{ equity: '50' }, { paid: '9950', equity: '10000' }, { equity: '9000' }]);
    // Half of a hundred, then a tenth of ten thousand: 1 - 0.5 x 0.9.
    expect(fallOf(curve)).toEqual({ amount: '1050', percent: '55', from: 0, to: 2 });
    const two = curveOf('100', [
      { equity: '50' },
      { paid: '9950', equity: '10000' },
      { equity: '20000' },
      { equity: '19000' },
    ]);
    expect(fallOf(two)).toEqual({ amount: '1000', percent: '50', from: 2, to: 3 });
  });
});

describe('thinning', () => {
  test('retains the first, the last and every extreme, in order, and never more than the limit', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({ equity: String(1000 + (index % 7)) }));
    many[1234] = { equity: '1500' };
    many[3456] = { equity: '400' };
    const points = curveOf('1000', many).points();
    expect(points.length).toBeLessThanOrEqual(limit);
    expect(points.length).toBeGreaterThan(limit / 4);
    const times = points.map(({ at }) => at);
    expect(times).toEqual([...times].sort((left, right) => left - right));
    expect(new Set(times).size).toBe(times.length);
    expect(times).toEqual(expect.arrayContaining([0, 1234, 3456, 4999]));
  });
  test('never more than the limit, also when each measure has extremes of its own', () => {
    // Payments that move the equity one way while the result goes another.
    const steps = Array.from({ length: 3_000 }, (_, n) => {
      const paid = ((n * 7919) % 401) - 200;
      return { paid, equity: 20_000 + ((n * 104_729) % 9_001) };
    });
    for (const most of [8, 20, 50, limit]) {
      const curve = new EquityCurve({ equity: money('20000'), from: 0, to: steps.length, limit: most });
      for (const [at, { paid, equity }] of steps.entries()) {
        curve.flow({ at, amount: money(`${paid}`) });
        curve.observe({ at, equity: money(`${equity}`) });
      }
      expect(curve.points().length).toBeLessThanOrEqual(most);
    }
  });
  test('points up to the limit stay unchanged', () => {
    const exact = Array.from({ length: limit }, (_, index) => ({ equity: String(index + 1) }));
    expect(curveOf('1', exact).points()).toHaveLength(limit);
  });
});

describe('properties', () => {
  const steps = fc.array(
    fc.record({
      paid: fc.option(fc.integer({ min: -500, max: 500 })),
      moved: fc.integer({ min: -500, max: 500 }),
      seen: fc.boolean(),
    }),
    { maxLength: 80 },
  );
  /** An account that never has less than nothing; returns what it earned in all. */
  function play(
    curve: EquityCurve,
    some: typeof steps extends fc.Arbitrary<infer Steps> ? Steps : never,
  ): number {
    let [equity, earned] = [1000, 0];
    some.forEach(({ paid, moved, seen }, at) => {
      if (seen) {
        const move = Math.max(moved, -equity);
        equity += move;
        earned += move;
      }
      if (paid !== null && equity + paid >= 0) {
        curve.flow({ at, amount: money(String(paid)) });
        equity += paid;
      }
      if (seen) curve.observe({ at, equity: money(String(equity)) });
    });
    return earned;
  }

  test('the last result is what was earned, and every drawdown lies between 0 and -100', () => {
    fc.assert(
      fc.property(steps, (some) => {
        const curve = new EquityCurve({ equity: money('1000'), from: 0, to: some.length, limit });
        const earned = play(curve, some);
        const points = curve.points();
        expect(points.at(-1)?.result ?? 0n).toBe(money(String(earned)));
        for (const { drawdown } of points) {
          expect(drawdown).toBeLessThanOrEqual(0n);
          expect(drawdown).toBeGreaterThanOrEqual(money('-100'));
        }
        const fall = curve.deepestFall();
        const lowest = points.reduce((least, { drawdown }) => (drawdown < least ? drawdown : least), 0n);
        if (fall) expect(fall.percent).toBeGreaterThanOrEqual(-lowest);
        else
          expect(points.every(({ result }, index) => result >= (points[index - 1]?.result ?? 0n))).toBe(true);
      }),
    );
  });

  test('a thinned curve keeps both ends, the highest result and the deepest drawdown', () => {
    fc.assert(
      fc.property(steps, (some) => {
        const bounds = { equity: money('1000'), from: 0, to: some.length };
        const [whole, thin] = [400, 20].map((most) => new EquityCurve({ ...bounds, limit: most }));
        if (!whole || !thin) throw new Error('two curves');
        play(whole, some);
        play(thin, some);
        const [all, few] = [whole.points(), thin.points()];
        expect(few.length).toBeLessThanOrEqual(20);
        expect([few[0], few.at(-1)]).toEqual([all[0], all.at(-1)]);
        expect(thin.deepestFall()).toEqual(whole.deepestFall());
        const extremesOf = (points: readonly EquityPoint[]) => [
          points.reduce((top, { result }) => (result > top ? result : top), -(10n ** 18n)),
          points.reduce((least, { drawdown }) => (drawdown < least ? drawdown : least), 0n),
        ];
        expect(extremesOf(few)).toEqual(extremesOf(all));
      }),
    );
  });

  test('the base needs the payments and the last observation before each of them alone', () => {
    fc.assert(
      fc.property(steps, (some) => {
        const bounds = { equity: money('1000'), from: 0, to: some.length, limit };
        const [whole, sparse] = [new EquityCurve(bounds), new EquityCurve(bounds)];
        let equity = 1000;
        some.forEach(({ paid, moved }, at) => {
          equity += Math.max(moved, 1 - equity);
          whole.observe({ at, equity: money(String(equity)) });
          if (paid === null || equity + paid <= 0) return;
          sparse.observe({ at, equity: money(String(equity)) });
          for (const curve of [whole, sparse]) curve.flow({ at: at + 0.5, amount: money(String(paid)) });
          equity += paid;
        });
        expect(sparse.base()).toEqual(whole.base());
      }),
    );
  });
});
