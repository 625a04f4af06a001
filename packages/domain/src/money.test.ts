import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  asPrice,
  asSize,
  DecimalError,
  divideRounded,
  formatFixed,
  MONEY_DECIMALS,
  multiply,
  parseDecimal,
  type Rounding,
  toDecimalString,
  toNumber,
  UNIT,
} from './money.ts';

/** Everything that numeric(28,8) holds. */
const units = fc.bigInt({ min: -(10n ** 28n) + 1n, max: 10n ** 28n - 1n });

function faultOf(input: string | number): string {
  try {
    parseDecimal(input);
  } catch (error) {
    if (error instanceof DecimalError) return error.fault;
    throw error;
  }
  return 'none';
}

describe('parseDecimal', () => {
  test.each<[string | number, bigint]>([
    ['0', 0n],
    ['-0', 0n],
    [-0, 0n],
    ['1', UNIT],
    ['007.50', 750_000_000n],
    ['-12.34567891', -1_234_567_891n],
    ['0.000000010000', 1n],
    ['99999999999999999999.99999999', 10n ** 28n - 1n],
    [0.1, 10_000_000n],
    [1e-7, 10n],
    [1.2e-7, 12n],
    [1e-8, 1n],
    [-2.5e-7, -25n],
    [97_482.6, 9_748_260_000_000n],
  ])('reads %s exactly', (input, expected) => {
    expect(parseDecimal(input)).toBe(expected);
  });

  test.each<[string | number, string]>([
    ['', 'malformed'],
    [' 1', 'malformed'],
    ['1 ', 'malformed'],
    ['+1', 'malformed'],
    ['.5', 'malformed'],
    ['5.', 'malformed'],
    ['1e3', 'malformed'],
    ['1e-7', 'malformed'],
    ['1,5', 'malformed'],
    ['0x10', 'malformed'],
    ['Infinity', 'malformed'],
    ['١', 'malformed'],
    ['0'.repeat(65), 'malformed'],
    [Number.NaN, 'malformed'],
    [Number.POSITIVE_INFINITY, 'malformed'],
    ['0.000000001', 'too_fine'],
    [1e-9, 'too_fine'],
    [5e-324, 'too_fine'],
    [0.1 + 0.2, 'too_fine'],
    ['100000000000000000000', 'too_large'],
    ['-100000000000000000000', 'too_large'],
    [1e20, 'too_large'],
    [1e21, 'too_large'],
    [1.7976931348623157e308, 'too_large'],
  ])('refuses %s as %s rather than rounding or guessing', (input, fault) => {
    expect(faultOf(input)).toBe(fault);
  });

  test('property: the decimal text of any stored figure reads back as itself', () => {
    fc.assert(fc.property(units, (value) => parseDecimal(toDecimalString(value)) === value));
  });

  test('property: a JSON number of up to 15 significant digits survives the round trip', () => {
    const safe = fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n });
    fc.assert(fc.property(safe, (value) => parseDecimal(toNumber(value)) === value));
  });

  test('property: the JSON number is the float nearest to the decimal text, whatever the size', () => {
    const near = fc.bigInt({ min: 2n ** 53n - 1_000n, max: 2n ** 53n + 1_000n });
    const small = fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n });
    fc.assert(
      fc.property(fc.oneof(units, near, small), (value) => {
        expect(toNumber(value)).toBe(Number(toDecimalString(value)));
      }),
      { numRuns: 2_000 },
    );
  });

  test('property: any text either reads as a decimal or is refused with a DecimalError', () => {
    fc.assert(
      fc.property(fc.string(), (text) =>
        ['none', 'malformed', 'too_fine', 'too_large'].includes(faultOf(text)),
      ),
    );
  });
});

describe('texts of figures', () => {
  test.each<[string, number, string]>([
    ['0', 2, '0.00'],
    ['-0.004', 2, '0.00'],
    ['-0.005', 2, '-0.01'],
    ['0.005', 2, '0.01'],
    ['0.00499999', 2, '0.00'],
    ['1234567.895', 2, '1234567.90'],
    ['-108.8', 2, '-108.80'],
    ['0.5', 0, '1'],
    ['1.00000001', 8, '1.00000001'],
  ])('%s with %i decimals is %s', (value, decimals, expected) => {
    expect(formatFixed(parseDecimal(value), decimals)).toBe(expected);
  });

  test('RULE-36: USDT is shown with 2 decimals, ungrouped, with an ASCII minus', () => {
    expect(formatFixed(parseDecimal('-12648.925'), MONEY_DECIMALS)).toBe('-12648.93');
  });

  test('refuses decimals that the unit does not have', () => {
    expect(() => formatFixed(1n, 9)).toThrow(RangeError);
    expect(() => formatFixed(1n, 1.5)).toThrow(RangeError);
  });

  test.each<[bigint, string]>([
    [0n, '0'],
    [1n, '0.00000001'],
    [-1n, '-0.00000001'],
    [UNIT * 50n, '50'],
    [12_340_000_000n, '123.4'],
  ])('the canonical text of %s is %s', (value, expected) => {
    expect(toDecimalString(value)).toBe(expected);
  });

  test('property: rounding for display moves a figure by at most half of its last digit', () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 8 }), (value, decimals) => {
        const [whole = '0', fraction = ''] = formatFixed(value, decimals).split('.');
        const shown = BigInt(whole + fraction.padEnd(8, '0'));
        const distance = shown > value ? shown - value : value - shown;
        expect(2n * distance).toBeLessThanOrEqual(10n ** BigInt(8 - decimals));
      }),
    );
  });
});

describe('rounding', () => {
  test.each<[bigint, Rounding, bigint]>([
    [25n, 'half-away-from-zero', 3n],
    [24n, 'half-away-from-zero', 2n],
    [-25n, 'half-away-from-zero', -3n],
    [-24n, 'half-away-from-zero', -2n],
    [21n, 'floor', 2n],
    [-21n, 'floor', -3n],
    [21n, 'ceiling', 3n],
    [-21n, 'ceiling', -2n],
    [20n, 'ceiling', 2n],
    [-20n, 'floor', -2n],
  ])('%s tenths, %s, is %s', (numerator, rounding, expected) => {
    expect(divideRounded(numerator, 10n, rounding)).toBe(expected);
  });

  test('a denominator of zero or less is a fault, not a figure', () => {
    expect(() => divideRounded(1n, 0n, 'floor')).toThrow(RangeError);
    expect(() => divideRounded(1n, -1n, 'floor')).toThrow(RangeError);
  });

  test('property: floor and ceiling enclose the exact quotient, half-away-from-zero is the nearer one', () => {
    fc.assert(
      fc.property(units, fc.bigInt({ min: 1n, max: 10n ** 12n }), (numerator, denominator) => {
        const low = divideRounded(numerator, denominator, 'floor');
        const high = divideRounded(numerator, denominator, 'ceiling');
        const near = divideRounded(numerator, denominator, 'half-away-from-zero');
        expect(low * denominator <= numerator && numerator <= high * denominator).toBe(true);
        expect(high - low).toBe(numerator % denominator === 0n ? 0n : 1n);
        const missed = near * denominator - numerator;
        expect(2n * (missed < 0n ? -missed : missed)).toBeLessThanOrEqual(denominator);
      }),
    );
  });

  test('price times size is rounded to 1e-8 half away from zero', () => {
    expect(multiply(asPrice(1n), asSize(UNIT / 2n))).toBe(1n);
    expect(multiply(asPrice(-1n), asSize(UNIT / 2n))).toBe(-1n);
    expect(multiply(asPrice(1n), asSize(UNIT / 2n - 1n))).toBe(0n);
  });
});
