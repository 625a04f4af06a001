/** What the calculators promise is what the engine does, for any order that it takes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Book, close, contextAt, feeRate, money, open, pair } from '../test/engine.ts';
import { calculatePnl, calculatePosition, calculateRisk, stopOutlook } from './calculators.ts';
import { asMoney, asPercent, asPrice, asSize, parseDecimal, UNIT } from './money.ts';
import { mainRuleSetNames } from './rules.ts';

const ticks = (min: bigint, max: bigint) => fc.bigInt({ min, max }).map((n) => asPrice(n * pair.tickSize));
const sizes = fc.bigInt({ min: 1n, max: 100_000n }).map((steps) => asSize(steps * pair.stepSize));
const sides = fc.constantFrom('BUY' as const, 'SELL' as const);
const leverages = fc.integer({ min: 1, max: 125 });
const rates = fc.constantFrom('0', '0.0006', '0.001', '0.005').map(feeRate);
const rich = '1000000000';
const limit = 1_000_000n * UNIT;
const absolute = (value: bigint) => (value < 0n ? -value : value);

test('CALC-11 CALC-12 CALC-14 CALC-15 A04 A07: in standard, cost, fee and liquidation price of an opening match the Position calculator', () => {
  fc.assert(
    fc.property(
      sides,
      ticks(100n, 10_000_000n),
      sizes,
      leverages,
      rates,
      (side, price, size, leverage, rate) => {
        const calculated = calculatePosition(
          { rules: 'standard', feeRate: rate, tickSize: pair.tickSize },
          { side, price, size, leverage },
        )!;
        const book = new Book(rich);
        const before = book.wallet.available;
        const position = book.acceptPosition(
          open({ side, size, leverage }),
          contextAt({ price }, { feeRate: rate }),
        );
        expect(position.margin).toBe(calculated.requiredMargin);
        expect(position.liquidationPrice).toBe(calculated.liquidationPrice);
        expect(position.fees).toBe(rate === 0n ? 0n : calculated.fee);
        expect(before - book.wallet.available).toBe(calculated.requiredMargin + position.fees);
        expect(absolute(calculated.maintenanceMargin * 20n - position.margin)).toBeLessThanOrEqual(10n);
      },
    ),
    { numRuns: 300 },
  );
});

test('CALC-14 A04 A05: at the liquidation price that the Position calculator shows, no more than the maintenance margin and one tick is left', () => {
  fc.assert(
    fc.property(sides, ticks(10_000n, 10_000_000n), sizes, leverages, (side, price, size, leverage) => {
      const calculated = calculatePosition(
        { rules: 'standard', feeRate: feeRate('0'), tickSize: pair.tickSize },
        { side, price, size, leverage },
      )!;
      const book = new Book(rich);
      const position = book.acceptPosition(open({ side, size, leverage }), contextAt({ price }));
      const context = contextAt({ price: calculated.liquidationPrice });
      book.accept(
        {
          kind: 'trigger',
          trigger: 'liquidation',
          positionId: position.id,
          price: calculated.liquidationPrice,
        },
        context,
      );
      const left = position.margin + book.position(position.id)!.closing!.realizedPnl;
      const oneTick = (size * pair.tickSize) / UNIT;
      expect(left).toBeGreaterThanOrEqual(0n);
      expect(absolute(left - calculated.maintenanceMargin)).toBeLessThanOrEqual(oneTick + 2n);
    }),
    { numRuns: 200 },
  );
});

test('CALC-07 CALC-08 CALC-09 A06: in standard, the Risk calculator’s size loses the risk amount at its stop, and needs its margin', () => {
  const accounts = fc
    .bigInt({ min: 10_000n, max: 1_000_000_000n })
    .map((cents) => asMoney(cents * 1_000_000n));
  const risks = fc.integer({ min: 1, max: 50 }).map((tenths) => asPercent(parseDecimal(tenths) / 10n));
  const distances = fc.integer({ min: -900, max: 900 }).filter((share) => share !== 0);
  fc.assert(
    fc.property(
      accounts,
      risks,
      ticks(10_000n, 10_000_000n),
      distances,
      leverages,
      (account, riskPercent, entryPrice, share, leverage) => {
        const stopPrice = asPrice(
          ((entryPrice * BigInt(1000 + share)) / 1000n / pair.tickSize) * pair.tickSize,
        );
        const calculated = calculateRisk('standard', {
          account,
          riskPercent,
          entryPrice,
          stopPrice,
          leverage,
        })!;
        const size = asSize((calculated.positionSize / pair.stepSize) * pair.stepSize);
        fc.pre(size >= pair.minQty && size <= pair.maxQty);
        const book = new Book(rich);
        const position = book.acceptPosition(
          open({ side: calculated.side, size, leverage }),
          contextAt({ price: entryPrice }),
        );
        // Up to the step that an order is rounded down to.
        const step = (entryPrice * pair.stepSize) / UNIT / BigInt(leverage);
        expect(calculated.margin - position.margin).toBeGreaterThanOrEqual(-1n);
        expect(calculated.margin - position.margin).toBeLessThanOrEqual(step + 2n);
        // A stop beyond the liquidation price never triggers, and the loss ends at the margin (A03).
        fc.pre(position.margin >= calculated.riskAmount);
        book.accept(close(position.id), contextAt({ price: stopPrice }));
        const loss = -book.position(position.id)!.closing!.realizedPnl;
        const perStep = (absolute(entryPrice - stopPrice) * pair.stepSize) / UNIT;
        expect(loss).toBeLessThanOrEqual(calculated.riskAmount);
        expect(calculated.riskAmount - loss).toBeLessThanOrEqual(
          perStep + absolute(entryPrice - stopPrice) / UNIT + 3n,
        );
      },
    ),
    { numRuns: 300 },
  );
});

test('A04 A05: the stop that the Risk calculator shows as forestalled by the liquidation is the one that the engine refuses as such', () => {
  const distances = fc.integer({ min: -1_000, max: 1_000 }).filter((share) => share !== 0);
  const seen = { refused: 0, taken: 0 };
  fc.assert(
    fc.property(
      fc.constantFrom(...mainRuleSetNames),
      ticks(10_000n, 10_000_000n),
      distances,
      leverages,
      rates,
      (rules, entryPrice, share, leverage, rate) => {
        // Some near the entry, some far: a stop at 1× is far from its liquidation, one at 125× near.
        const off = (entryPrice * BigInt(share)) / (share % 2 === 0 ? 1_050n : 40_000n);
        const stopPrice = asPrice(((entryPrice + off) / pair.tickSize) * pair.tickSize);
        fc.pre(stopPrice !== entryPrice && stopPrice >= pair.minPrice && stopPrice <= pair.maxPrice);
        const there = { rules, feeRate: rate, tickSize: pair.tickSize };
        const [account, riskPercent] = [asMoney(10_000n * UNIT), asPercent(UNIT)];
        const inputs = { account, riskPercent, entryPrice, stopPrice, leverage };
        const calculated = stopOutlook(there, inputs, calculateRisk(rules, inputs)!).liquidatedAt;
        const refused = new Book(rich).refusal(
          open({ side: stopPrice < entryPrice ? 'BUY' : 'SELL', leverage, stopLossPrice: stopPrice }),
          contextAt({ price: entryPrice }, { rules, feeRate: rate }),
        );
        expect(refused).toEqual(
          calculated === null
            ? null
            : expect.objectContaining({
                fault: { code: 'stop_loss_beyond_liquidation', liquidationPrice: calculated },
              }),
        );
        seen[calculated === null ? 'taken' : 'refused'] += 1;
      },
    ),
    { numRuns: 400 },
  );
  expect(Math.min(seen.refused, seen.taken)).toBeGreaterThan(20);
});

test('CALC-03 CALC-04 CALC-05 A01: the P/L calculator’s result is what the engine books in standard for size × leverage', () => {
  fc.assert(
    fc.property(
      sides,
      ticks(10_000n, 10_000_000n),
      fc.integer({ min: -1000, max: 1000 }),
      sizes,
      leverages,
      (side, entryPrice, tenThousandths, size, leverage) => {
        const exitPrice = asPrice(
          ((entryPrice * BigInt(10_000 + tenThousandths)) / 10_000n / pair.tickSize) * pair.tickSize,
        );
        const calculated = calculatePnl({ side, entryPrice, exitPrice, size, leverage })!;
        fc.pre(calculated.positionSize <= pair.maxQty && exitPrice > 0n && exitPrice <= limit);
        const book = new Book(rich);
        const position = book.acceptPosition(
          open({ side, size: calculated.positionSize, leverage }),
          contextAt({ price: entryPrice }),
        );
        book.accept(close(position.id), contextAt({ price: exitPrice }));
        const booked = book.position(position.id)!.closing!.realizedPnl;
        // Where the loss does not end at the margin (A03).
        expect(booked).toBe(calculated.pnl < -position.margin ? -position.margin : calculated.pnl);
      },
    ),
    { numRuns: 300 },
  );
});

test('A01: under as-specified the P/L calculator’s result is what a close books for the stake itself', () => {
  fc.assert(
    fc.property(sides, ticks(10_000n, 10_000_000n), sizes, leverages, (side, entryPrice, size, leverage) => {
      const exitPrice = asPrice(entryPrice + (side === 'BUY' ? pair.tickSize : -pair.tickSize));
      const calculated = calculatePnl({ side, entryPrice, exitPrice, size, leverage })!;
      const literal = { rules: 'as-specified' as const };
      const book = new Book(rich);
      const position = book.acceptPosition(
        open({ side, size, leverage }),
        contextAt({ price: entryPrice }, literal),
      );
      book.accept(close(position.id), contextAt({ price: exitPrice }, literal));
      expect(book.position(position.id)!.closing!.realizedPnl).toBe(calculated.pnl);
      expect(book.wallet.available).toBe(money(rich) + calculated.pnl);
    }),
    { numRuns: 100 },
  );
});
