import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { money, price, size } from '../../test/engine.ts';
import { asMoney, asSize, multiply } from '../money.ts';
import { marketTypes } from '../pairs.ts';
import {
  bracketOf,
  greatestValueAt,
  MAINTENANCE_RATE_UNIT,
  maintenanceBrackets,
  maintenanceMargin,
} from './brackets.ts';
import { entryPriceOf, initialMargin, netLiquidationPrice } from './net-position.ts';

const TICK = price('0.01');

describe.each(marketTypes)('brackets of %s', (market) => {
  const brackets = maintenanceBrackets[market];

  test('they follow each other, and a larger position has less leverage and more maintenance', () => {
    expect(brackets[0]).toMatchObject({ floor: 0n, cum: 0n });
    for (const [i, bracket] of brackets.entries()) {
      const next = brackets[i + 1];
      expect(bracket.cap).toBeGreaterThan(bracket.floor);
      // The initial margin at the greatest leverage is more than the maintenance margin.
      expect(BigInt(bracket.maxLeverage) * bracket.mmr).toBeLessThan(MAINTENANCE_RATE_UNIT);
      if (!next) continue;
      expect(next.floor).toBe(bracket.cap);
      expect(next.maxLeverage).toBeLessThan(bracket.maxLeverage);
      expect(next.mmr).toBeGreaterThan(bracket.mmr);
    }
  });

  test('the maintenance margin has no step at a bound', () => {
    for (const { cap } of brackets) {
      const [below, above] = [maintenanceMargin(market, cap), maintenanceMargin(market, asMoney(cap + 1n))];
      expect(above - below).toBeLessThanOrEqual(1n);
    }
  });

  test('a leverage allows what the last bracket that has it allows', () => {
    for (const { cap, maxLeverage } of brackets) expect(greatestValueAt(market, maxLeverage)).toBe(cap);
    expect(greatestValueAt(market, brackets[0]!.maxLeverage + 1)).toBeNull();
    expect(greatestValueAt(market, 1)).toBe(brackets.at(-1)!.cap);
  });
});

test('A113: the liquidation price is that of the exchange’s formula, rounded to the tick towards the entry', () => {
  // 1 BTC at 60,000 with 20x: bracket of 50,000 to 250,000 USDT, 0.5 %, cum 50.
  const terms = { size: size('1'), entryValue: money('60000'), margin: money('3000') };
  expect(bracketOf('crypto', money('60000'))).toMatchObject({ mmr: 50n, cum: money('50') });
  // (60000 - 3000 - 50) / 0.995 = 57236.180904…
  expect(netLiquidationPrice({ ...terms, side: 'BUY' }, 'crypto', TICK)).toBe(price('57236.19'));
  // (60000 + 3000 + 50) / 1.005 = 62736.318407…
  expect(netLiquidationPrice({ ...terms, side: 'SELL' }, 'crypto', TICK)).toBe(price('62736.31'));
});

test('A113: at the liquidation price margin and result are the maintenance margin, to the tick', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...marketTypes),
      fc.constantFrom('BUY' as const, 'SELL' as const),
      fc.bigInt({ min: 1_000n, max: 10_000_000n }).map((steps) => asSize(steps * 100_000n)),
      fc.bigInt({ min: 100n, max: 1_000_000n }),
      fc.integer({ min: 1, max: 125 }),
      (market, side, amount, ticks, leverage) => {
        const entryValue = multiply((ticks * TICK) as never, amount);
        const { maxLeverage, mmr, cum } = bracketOf(market, entryValue);
        fc.pre(leverage <= maxLeverage && leverage > 1);
        const margin = initialMargin(entryValue, leverage);
        const liquidation = netLiquidationPrice({ side, size: amount, entryValue, margin }, market, TICK);
        const leftAt = (at: bigint) => {
          const value = Number(multiply(at as never, amount));
          const pnl = side === 'BUY' ? value - Number(entryValue) : Number(entryValue) - value;
          return Number(margin) + pnl - (value * Number(mmr)) / Number(MAINTENANCE_RATE_UNIT) + Number(cum);
        };
        const towards = side === 'BUY' ? TICK : -TICK;
        const entry = entryPriceOf({ entryValue, size: amount });
        const distance = side === 'BUY' ? entry - liquidation : liquidation - entry;
        expect(distance > 0n).toBe(true);
        // A coarse tick may put it on the last tick before the entry.
        if (distance > 2n * TICK) {
          expect(leftAt(liquidation - towards)).toBeLessThan(1);
          expect(leftAt(liquidation + towards)).toBeGreaterThan(-1);
        }
      },
    ),
  );
});

test('the entry price is the value for each unit, rounded to the nearest 1e-8', () => {
  expect(entryPriceOf({ entryValue: money('200'), size: size('3') })).toBe(price('66.66666667'));
});
