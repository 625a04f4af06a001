import { asPrice, asSize, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { parseAmount, stepAmount } from './amount.ts';

const read = (text: string) => {
  const amount = parseAmount(text);
  return amount.kind === 'amount'
    ? toDecimalString(amount.size)
    : amount.kind === 'empty'
      ? ''
      : amount.reason;
};
const limits = {
  minPrice: asPrice(1n),
  maxPrice: asPrice(10n ** 20n),
  tickSize: asPrice(parseDecimal('0.01')),
  minQty: asSize(parseDecimal('0.001')),
  maxQty: asSize(parseDecimal('9000')),
  stepSize: asSize(parseDecimal('0.001')),
};

describe('typing an amount', () => {
  test('plain figures, also incomplete ones', () => {
    expect(['0.15', ' 12 ', '.5', '5.'].map(read)).toEqual(['0.15', '12', '0.5', '5']);
  });
  test('1.5k works', () => {
    expect(['1.5k', '1.5 K', '2m', '0,5k'].map(read)).toEqual(['1500', '1500', '2000000', '500']);
  });
  test('a comma is accepted where it is unambiguous', () => {
    expect(['0,15', '0,150', '1,5', '1,250.5', '1.250,5', '1,234,567'].map(read)).toEqual([
      '0.15',
      '0.15',
      '1.5',
      '1250.5',
      '1250.5',
      '1234567',
    ]);
    expect(read('1,500')).toBe('ambiguous');
  });
  test('figures of this screen and of others can be pasted with their unit, currency and grouping', () => {
    expect(
      ['0.05000 BTC', '58,687.58 USDT', '$100', '€ 1 250', '1 000', '12\u202f500.5', '1.5k usdt', '25%'].map(
        read,
      ),
    ).toEqual(['0.05', '58687.58', '100', '1250', '1000', '12500.5', '1500', '25']);
    expect(['BTC', '$', '1 00', '1 0000', '5 k m'].map(read)).toEqual(Array(5).fill('malformed'));
  });
  test('invalid text is no amount', () => {
    expect(['-x', '1e5', 'abc', '1.2.3', '0.000000001', '.', ','].map(read)).toEqual(
      Array(7).fill('malformed'),
    );
    expect(read('  ')).toBe('');
    expect(['-1', '\u22120.5k'].map(read)).toEqual(['negative', 'negative']);
  });
});

describe('TRADE-42: the pair’s min, max and step', () => {
  const stepped = (text: string, steps: bigint) =>
    toDecimalString(stepAmount(asSize(parseDecimal(text)), steps, limits));
  test('arrow keys walk the grid', () => {
    expect(stepped('0.15', 1n)).toBe('0.151');
    expect(stepped('0.15', -10n)).toBe('0.14');
    expect(stepped('0.1505', 1n)).toBe('0.151');
    expect(stepped('0.1505', -1n)).toBe('0.15');
  });
  test('and stop at the bounds', () => {
    expect(stepped('0.001', -10n)).toBe('0.001');
    expect(stepped('8999.999', 10n)).toBe('9000');
    expect(stepped('0', 1n)).toBe('0.001');
  });
});
