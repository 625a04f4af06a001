import {
  asFeeRate,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  coversMargin,
  isOnStep,
  NO_FEE,
  openingCost,
  orderValue,
  parseDecimal,
  requiredMargin,
  toDecimalString,
  UNIT,
} from '@fulcrum/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../shared/decimals/amount.ts';
import { amountUnits } from '../../../shared/preferences/index.ts';
import {
  type ConversionTerms,
  convertAmountText,
  formatShareInUnit,
  formatSizeInUnit,
  getAffordableAmount,
  getAmountGrid,
  parseSize,
  stepAmountText,
} from './amount-units.ts';

const limits = {
  minPrice: asPrice(1n),
  maxPrice: asPrice(10n ** 20n),
  tickSize: asPrice(parseDecimal('0.01')),
  minQty: asSize(parseDecimal('0.001')),
  maxQty: asSize(parseDecimal('9000')),
  stepSize: asSize(parseDecimal('0.001')),
};
const available = asMoney(parseDecimal('8164.32'));
const price = asPrice(parseDecimal('97482.60'));
const terms = { limits, price, available, leverage: 25, feeRate: NO_FEE, stopLoss: null } as const;
const share = (percent: bigint) => asPercent(percent * UNIT);

describe('a share of the balance', () => {
  const margin = (size: bigint, at: bigint) => requiredMargin(asPrice(at), asSize(size), 25);
  const sized = (percent: bigint) => getAffordableAmount({ ...terms, share: share(percent) });
  const covers = (needed: bigint) => coversMargin(available, asMoney(needed));
  test('RULE-02: the whole balance still covers the order after a tick of 0.1 %, and not one step more', () => {
    const worse = (price * 1001n) / 1000n;
    expect(toDecimalString(sized(100n))).toBe('2.091');
    expect(covers(margin(sized(100n), worse))).toBe(true);
    expect(covers(margin(sized(100n) + limits.stepSize, worse))).toBe(false);
  });
  test('half of the balance gives exactly the largest amount that fits', () => {
    expect(covers(2n * margin(sized(50n), price))).toBe(true);
    expect(covers(2n * margin(sized(50n) + limits.stepSize, price))).toBe(false);
  });
  test('nearly the whole balance gives no more than the whole', () => {
    expect(getAffordableAmount({ ...terms, share: asPercent(parseDecimal('99.99')) })).toBe(sized(100n));
  });
  test('A07: the fee is covered too, and not one step more', () => {
    const feeRate = asFeeRate(60_000n);
    const size = getAffordableAmount({ ...terms, feeRate, share: share(50n) });
    const total = (amount: bigint) => 2n * openingCost(price, asSize(amount), 25, feeRate).total;
    expect(covers(total(size))).toBe(true);
    expect(covers(total(size + limits.stepSize))).toBe(false);
    expect(size).toBeLessThan(sized(50n));
  });
  test('a share below the smallest amount enters that amount', () => {
    const poor = { ...terms, available: asMoney(parseDecimal('5')), leverage: 1 };
    expect(getAffordableAmount({ ...poor, share: share(10n) })).toBe(0n);
    expect(formatShareInUnit(share(10n), 'base', poor)).toBe('0.001');
  });
});

describe('a converted amount', () => {
  const anyTerms = fc
    .record({
      step: fc.integer({ min: 0, max: 8 }),
      price: fc.bigInt({ min: 1n, max: 10n ** 15n }),
      available: fc.bigInt({ min: 0n, max: 10n ** 17n }),
      leverage: fc.integer({ min: 1, max: 125 }),
      feeRate: fc.bigInt({ min: 0n, max: 200_000n }),
    })
    .map(({ step, ...rest }): ConversionTerms => {
      const stepSize = asSize(10n ** BigInt(step));
      return {
        limits: { ...limits, stepSize, minQty: stepSize, maxQty: asSize(10n ** 20n) },
        price: asPrice(rest.price),
        available: asMoney(rest.available),
        leverage: rest.leverage,
        feeRate: asFeeRate(rest.feeRate),
        stopLoss: null,
      };
    });
  const figure = fc.bigInt({ min: 1n, max: 10n ** 16n });

  test('TRADE-42: is on the step and never worth more than the entered USDT', () => {
    fc.assert(
      fc.property(anyTerms, figure, (at, value) => {
        const { size } = parseSize(toDecimalString(value), 'quote', at);
        if (size === null || at.price === null) throw new Error('not converted');
        expect(isOnStep(size, at.limits.stepSize)).toBe(true);
        expect(orderValue(at.price, size)).toBeLessThanOrEqual(value);
      }),
    );
  });
  test('TRADE-42, RULE-02: is on the step and never costs more than the entered share', () => {
    fc.assert(
      fc.property(anyTerms, fc.bigInt({ min: 1n, max: 100n * UNIT }), (at, percent) => {
        const { size } = parseSize(toDecimalString(percent), 'percent', at);
        if (size === null || at.price === null || at.available === null) throw new Error('not converted');
        expect(isOnStep(size, at.limits.stepSize)).toBe(true);
        // Margin and fee are each rounded to 1e-8.
        const { total } = openingCost(at.price, size, at.leverage, at.feeRate);
        expect((total - 1n) * 100n * UNIT).toBeLessThanOrEqual(at.available * percent);
      }),
    );
  });
  test('shown in USDT is the same amount or less when it is parsed again', () => {
    fc.assert(
      fc.property(anyTerms, fc.bigInt({ min: 1n, max: 10n ** 7n }), (at, steps) => {
        const size = asSize(steps * at.limits.stepSize);
        const back = parseSize(formatSizeInUnit(size, 'quote', at), 'quote', at).size;
        expect(back).toBeLessThanOrEqual(size);
      }),
    );
    // Half of 1e-8 USDT below a cent: a cent would buy more.
    const dust = { ...terms, price: asPrice(1n), limits: { ...limits, stepSize: asSize(UNIT / 10n) } };
    expect(formatSizeInUnit(asSize(parseDecimal('999999.5')), 'quote', dust)).toBe('0.00');
    expect(
      parseSize(formatSizeInUnit(asSize(parseDecimal('0.15')), 'quote', terms), 'quote', terms).size,
    ).toBe(parseDecimal('0.15'));
  });
});

describe('switching the unit', () => {
  const switched = (text: string, to: (typeof amountUnits)[number]) =>
    convertAmountText({ text, unit: 'base' }, to, terms);
  test('shows the same amount', () => {
    expect(switched('0.150', 'quote')).toBe('14622.39');
    expect(switched('0.150', 'percent')).toBe('7.16');
    expect(convertAmountText({ text: '14622.39', unit: 'quote' }, 'base', terms)).toBe('0.150');
    expect(convertAmountText({ text: '25', unit: 'percent' }, 'base', terms)).toBe('0.523');
  });
  test('restores the entered text exactly', () => {
    for (const unit of amountUnits)
      expect(convertAmountText({ text: '1.5k', unit }, unit, terms)).toBe('1.5k');
  });
  test('leaves unreadable text to its rule, and clears an amount that cannot be converted', () => {
    expect(switched('1.2.3', 'quote')).toBe('1.2.3');
    expect(switched('', 'quote')).toBe('');
    expect(convertAmountText({ text: '0.15', unit: 'base' }, 'quote', { ...terms, price: null })).toBe('');
    expect(convertAmountText({ text: '5', unit: 'percent' }, 'base', { ...terms, available: null })).toBe('');
  });
});

describe('share buttons and arrow keys in each unit', () => {
  test('a share enters the text of its button in per cent', () => {
    expect(formatShareInUnit(share(25n), 'percent', terms)).toBe('25');
    expect(formatShareInUnit(share(25n), 'base', terms)).toBe('0.523');
    expect(formatShareInUnit(share(25n), 'quote', terms)).toBe('50983.40');
  });
  test('TRADE-42: arrow keys use the step of the pair in the base, whole USDT and whole per cent elsewhere', () => {
    expect(getAmountGrid('base', terms)).toEqual({
      min: limits.minQty,
      max: limits.maxQty,
      step: limits.stepSize,
    });
    const stepped = (text: string, unit: (typeof amountUnits)[number], steps: bigint) =>
      stepAmountText(parseAmount(text), unit, steps, terms);
    expect(stepped('0.15', 'base', 10n)).toBe('0.160');
    expect(stepped('14622.39', 'quote', 1n)).toBe('14623');
    expect(stepped('14622.39', 'quote', -10n)).toBe('14613');
    expect(stepped('', 'quote', 1n)).toBe('98');
    expect(stepped('95', 'percent', 10n)).toBe('100');
    expect(stepped('', 'percent', 1n)).toBe('1');
  });
});

describe('per cent at risk', () => {
  const risky = { ...terms, stopLoss: asPrice(parseDecimal('500')) };
  test('converts to what the stop costs, and back', () => {
    // 1 % of 8,164.32 at a loss of 500 per unit.
    expect(parseSize('1', 'risk', risky).size).toBe(parseDecimal('0.163'));
    expect(formatSizeInUnit(asSize(parseDecimal('0.163')), 'risk', risky)).toBe('0.99');
    expect(convertAmountText({ text: '0.163', unit: 'base' }, 'risk', risky)).toBe('0.99');
    expect(convertAmountText({ text: '1', unit: 'risk' }, 'base', risky)).toBe('0.163');
  });
  test('is unknown without a stop loss', () => {
    expect(parseSize('1', 'risk', terms).size).toBeNull();
    expect(convertAmountText({ text: '0.163', unit: 'base' }, 'risk', terms)).toBe('');
  });
  test('steps by tenths', () => {
    expect(getAmountGrid('risk', terms).step).toBe(UNIT / 10n);
    expect(stepAmountText(parseAmount('1'), 'risk', 1n, terms)).toBe('1.1');
    expect(stepAmountText(parseAmount(''), 'risk', 1n, terms)).toBe('0.1');
  });
});
