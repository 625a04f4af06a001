import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  coversMargin,
  DEFAULT_LEVERAGE,
  isLeverage,
  MAX_LEVERAGE,
  MIN_LEVERAGE,
  orderValue,
  requiredMargin,
} from './margin.ts';
import { asMoney, asPrice, asSize, parseDecimal, UNIT } from './money.ts';

const money = (text: string) => asMoney(parseDecimal(text));
const price = (text: string) => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));

const prices = fc.bigInt({ min: 1n, max: 10n ** 14n }).map(asPrice);
const sizes = fc.bigInt({ min: 1n, max: 10n ** 14n }).map(asSize);
const leverages = fc.integer({ min: MIN_LEVERAGE, max: MAX_LEVERAGE });

describe('required margin', () => {
  test.each([
    ['100', '1', 1, '100'],
    ['100', '1', 2, '50'],
    ['100', '1', 10, '10'],
    ['100', '1', 125, '0.8'],
    ['96840', '0.4', 50, '774.72'],
    ['3642.18', '3.5', 10, '1274.763'],
    ['182.64', '40', 5, '1461.12'],
    ['100', '1', 3, '33.33333333'],
    ['200', '1', 3, '66.66666667'],
  ])('RULE-01, RULE-09: %s × %s at %i× locks %s USDT', (entry, amount, leverage, expected) => {
    expect(requiredMargin(price(entry), size(amount), leverage)).toBe(money(expected));
  });

  test('order value is amount × price (A17)', () => {
    expect(orderValue(price('96840'), size('0.4'))).toBe(money('38736'));
  });

  test('a margin that rounds to nothing is zero, so that it can be refused as too small (A101)', () => {
    expect(requiredMargin(asPrice(1n), asSize(UNIT), 125)).toBe(0n);
  });

  test('property: more price or amount never costs less, more leverage never costs more', () => {
    fc.assert(
      fc.property(
        prices,
        sizes,
        leverages,
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        (entry, amount, leverage, more) => {
          const margin = requiredMargin(entry, amount, leverage);
          expect(requiredMargin(asPrice(entry + more), amount, leverage)).toBeGreaterThanOrEqual(margin);
          expect(requiredMargin(entry, asSize(amount + more), leverage)).toBeGreaterThanOrEqual(margin);
          if (leverage < MAX_LEVERAGE) {
            expect(requiredMargin(entry, amount, leverage + 1)).toBeLessThanOrEqual(margin);
          }
        },
      ),
    );
  });

  test('property: margin × leverage is the order value, within the rounding of both', () => {
    fc.assert(
      fc.property(prices, sizes, leverages, (entry, amount, leverage) => {
        const missed = requiredMargin(entry, amount, leverage) * BigInt(leverage) - orderValue(entry, amount);
        expect((missed < 0n ? -missed : missed) * 2n).toBeLessThanOrEqual(BigInt(leverage) + 1n);
      }),
    );
  });
});

describe('leverage', () => {
  test('RULE-04: a whole number from 1 to 125, default 1', () => {
    expect([1, 2, 124, 125].every(isLeverage)).toBe(true);
    for (const wrong of [0, -1, 126, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(isLeverage(wrong)).toBe(false);
    expect(DEFAULT_LEVERAGE).toBe(1);
  });

  test('a wrong leverage never becomes a margin', () => {
    for (const wrong of [0, 126, 1.5, Number.NaN]) {
      expect(() => requiredMargin(price('1'), size('1'), wrong)).toThrow(RangeError);
    }
  });
});

describe('sufficiency', () => {
  test('RULE-02, RULE-03: available must cover the margin; equal is allowed; unrounded figures are compared', () => {
    expect(coversMargin(money('10'), money('10'))).toBe(true);
    expect(coversMargin(money('10'), money('10.00000001'))).toBe(false);
    expect(coversMargin(money('0'), money('0.00000001'))).toBe(false);
  });
});
