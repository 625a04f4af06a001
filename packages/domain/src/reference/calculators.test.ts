/**
 * Computes the calculators a second time, in fractions, from the specified formulas. The liquidation price follows
 * its definition: margin and result, less the closing fee, leave a twentieth of the margin.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Book, close, contextAt, feeRate, money, open, pair } from '../../test/engine.ts';
import {
  decimal,
  floorTo,
  minus,
  plus,
  type Rational,
  ratio,
  rounded,
  through,
  times,
} from '../../test/rational.ts';
import { calculatePnl, calculatePosition, calculateRisk } from '../calculators.ts';
import { asMoney, asPercent, asPrice, asSize, type Price, UNIT } from '../money.ts';
import { mainRuleSetNames } from '../rules.ts';

const prices = fc
  .oneof(
    fc.bigInt({ min: 1n, max: 1_000n }),
    fc.bigInt({ min: 1n, max: 10n ** 14n }),
    // A hundred billion.
    fc.bigInt({ min: 1n, max: 10n ** 19n }),
  )
  .map(asPrice);
const sizes = fc
  .oneof(fc.bigInt({ min: 1n, max: 10n ** 9n }), fc.bigInt({ min: 1n, max: 10n ** 19n }))
  .map(asSize);
const leverages = fc.integer({ min: 1, max: 125 });
const sides = fc.constantFrom('BUY' as const, 'SELL' as const);
const rulesSets = fc.constantFrom(...mainRuleSetNames);
const hundred = ratio(100n);
const lever = (leverage: number): Rational => ratio(BigInt(leverage));
/** Two decimals, in 1e-8. */
const cents = (value: Rational): bigint => rounded(value, 2) * 1_000_000n;

test('CALC-03 CALC-04 CALC-05: P/L and ROI are the specified fractions, in either rule set', () => {
  fc.assert(
    fc.property(sides, prices, prices, sizes, leverages, (side, entryPrice, exitPrice, size, leverage) => {
      const [entry, exit] = [decimal(entryPrice), decimal(exitPrice)];
      const move = side === 'BUY' ? minus(exit, entry) : minus(entry, exit);
      const pnl = rounded(times(times(move, decimal(size)), lever(leverage)));
      expect(calculatePnl({ side, entryPrice, exitPrice, size, leverage })).toEqual({
        pnl,
        // Of the figure that is shown.
        roi: cents(times(through(decimal(pnl), times(entry, decimal(size))), hundred)),
        positionSize: size * BigInt(leverage),
      });
    }),
    { numRuns: 1000 },
  );
});

test('CALC-07 CALC-08 CALC-09 A06: risk amount, size and margin are the specified fractions in both rule sets', () => {
  const risks = fc.bigInt({ min: 10_000_000n, max: 500_000_000n }).map(asPercent);
  const accounts = fc.bigInt({ min: 0n, max: 10n ** 19n }).map(asMoney);
  fc.assert(
    fc.property(
      rulesSets,
      accounts,
      risks,
      prices,
      prices,
      leverages,
      (rules, account, riskPercent, entryPrice, stopPrice, leverage) => {
        const calculated = calculateRisk(rules, { account, riskPercent, entryPrice, stopPrice, leverage });
        const [entry, stop] = [decimal(entryPrice), decimal(stopPrice)];
        if (entryPrice === stopPrice) {
          expect(calculated).toBeNull();
          return;
        }
        const riskAmount = rounded(through(times(decimal(account), decimal(riskPercent)), hundred));
        const distance = stopPrice < entryPrice ? minus(entry, stop) : minus(stop, entry);
        const factor = rules === 'as-specified' ? lever(leverage) : ratio(1n);
        const positionSize = floorTo(times(through(decimal(riskAmount), distance), factor), ratio(1n, UNIT));
        const margin = rounded(through(times(decimal(positionSize), entry), lever(leverage)));
        expect(calculated).toEqual({
          side: stopPrice < entryPrice ? 'BUY' : 'SELL',
          riskAmount,
          positionSize,
          margin,
          exceedsAccount: margin > account,
        });
      },
    ),
    { numRuns: 1000 },
  );
});

test('CALC-11 to CALC-15 A07: value, margin, maintenance margin and fee are the specified fractions in both rule sets', () => {
  fc.assert(
    fc.property(
      rulesSets,
      sides,
      prices,
      sizes,
      leverages,
      fc.constantFrom(0n, 60_000n, 100_000n, 500_000n),
      (rules, side, price, size, leverage, rate) => {
        const charged = feeRate('0') + rate;
        const circumstances = { rules, feeRate: charged as never, tickSize: asPrice(1n) };
        const calculated = calculatePosition(circumstances, { side, price, size, leverage })!;
        const value = rounded(times(decimal(price), decimal(size)));
        const margin = rounded(through(times(decimal(price), decimal(size)), lever(leverage)));
        const stated = rules === 'as-specified' || rate === 0n ? 60_000n : rate;
        expect(calculated).toMatchObject({
          value,
          requiredMargin: margin,
          maintenanceMargin: rounded(through(decimal(margin), ratio(20n))),
          fee: rounded(times(decimal(value), decimal(stated))),
        });
        if (rules === 'as-specified')
          expect(calculated.liquidationPrice).toBe(rounded(times(decimal(price), ratio(4n, 5n))));
      },
    ),
    { numRuns: 500 },
  );
});

/** What is left of the margin of one unit of size, exactly, when it is closed at `at`. */
function leftAt(
  at: Price,
  {
    side,
    entryPrice,
    leverage,
    factor,
    rate,
  }: {
    readonly side: 'BUY' | 'SELL';
    readonly entryPrice: Price;
    readonly leverage: number;
    readonly factor: Rational;
    readonly rate: bigint;
  },
): Rational {
  const [entry, price] = [decimal(entryPrice), decimal(at)];
  const move = side === 'BUY' ? minus(price, entry) : minus(entry, price);
  const margin = through(entry, lever(leverage));
  return minus(plus(margin, times(move, factor)), times(price, decimal(rate)));
}

test('CALC-13 A04 A07: the engine’s liquidation price is the last tick at which a twentieth of the margin is left, in both rule sets', () => {
  fc.assert(
    fc.property(
      rulesSets,
      sides,
      fc.bigInt({ min: 10_000n, max: 10_000_000n }),
      leverages,
      fc.constantFrom(0n, 60_000n, 500_000n),
      (rules, side, ticks, leverage, rate) => {
        const price = asPrice(ticks * pair.tickSize);
        const context = { rules, feeRate: feeRate('0') } as const;
        const charged = { ...context, feeRate: (feeRate('0') + rate) as typeof context.feeRate };
        const book = new Book('100000000000');
        const order = open({ side, size: asSize(UNIT), leverage });
        const { liquidationPrice } = book.acceptPosition(order, contextAt({ price }, charged));
        if (rules === 'standard') {
          const calculated = calculatePosition(
            { rules, feeRate: charged.feeRate, tickSize: pair.tickSize },
            { side, price, size: asSize(UNIT), leverage },
          )!;
          expect(calculated.liquidationPrice).toBe(liquidationPrice);
        }
        const factor = rules === 'standard' ? ratio(1n) : lever(leverage);
        const terms = { side, entryPrice: price, leverage, factor, rate };
        const twentieth = through(decimal(price), ratio(20n * BigInt(leverage)));
        const spare = (at: Price): bigint => minus(leftAt(at, terms), twentieth).over;
        const farther = asPrice(liquidationPrice + (side === 'BUY' ? -pair.tickSize : pair.tickSize));
        const nextToEntry = asPrice(price + (side === 'BUY' ? -pair.tickSize : pair.tickSize));
        // Never onto the entry, and never below one tick.
        if (liquidationPrice !== nextToEntry) expect(spare(liquidationPrice)).toBeGreaterThanOrEqual(0n);
        if (liquidationPrice !== pair.tickSize) expect(spare(farther)).toBeLessThan(0n);
      },
    ),
    { numRuns: 400 },
  );
});

test('A01 A02 A03: what the P/L calculator shows is what a close of that rule set books, up to the margin', () => {
  fc.assert(
    fc.property(
      rulesSets,
      sides,
      fc.bigInt({ min: 10_000n, max: 1_000_000n }),
      fc.bigInt({ min: -3_000n, max: 3_000n }),
      fc.bigInt({ min: 1n, max: 8_000n }),
      leverages,
      (rules, side, ticks, moved, steps, leverage) => {
        const entryPrice = asPrice(ticks * pair.tickSize);
        const exitPrice = asPrice((ticks + moved) * pair.tickSize);
        const size = asSize(steps * pair.stepSize);
        const calculated = calculatePnl({ side, entryPrice, exitPrice, size, leverage })!;
        const ordered = rules === 'standard' ? calculated.positionSize : size;
        fc.pre(ordered <= pair.maxQty);
        const book = new Book('100000000000');
        const { id, margin } = book.acceptPosition(
          open({ side, size: ordered, leverage }),
          contextAt({ price: entryPrice }, { rules }),
        );
        book.accept(close(id), contextAt({ price: exitPrice }, { rules }));
        const booked = book.position(id)!.closing!.realizedPnl;
        expect(booked).toBe(calculated.pnl < -margin ? -margin : calculated.pnl);
        expect(book.wallet.available).toBe(money('100000000000') + booked);
      },
    ),
    { numRuns: 300 },
  );
});
