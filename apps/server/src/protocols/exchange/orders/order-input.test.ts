/** Sizes and prices against the filters of a symbol whose steps are no powers of ten, which no listed pair has. */
import { asPrice, asSize, parseDecimal } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { checkPrice, checkQuantity } from './order-input.ts';

const size = (text: string) => asSize(parseDecimal(text));
const price = (text: string) => asPrice(parseDecimal(text));
const limits = {
  ...{ minPrice: price('10'), maxPrice: price('1000'), tickSize: price('0.25') },
  ...{ minQty: size('1'), maxQty: size('100'), stepSize: size('0.5') },
};
const codeOf = (check: () => void): number | null => {
  try {
    check();
    return null;
  } catch (error) {
    return (error as { code: number }).code;
  }
};

test.each([
  ['1.5', null],
  ['0', -4003],
  ['0.5', -4004],
  ['100.5', -4005],
  ['1.7', -4023],
  ['1.75', -1111],
])('a quantity of %s: %s', (text, code) => expect(codeOf(() => checkQuantity(text, limits))).toBe(code));

test.each([
  ['10.25', null],
  ['0', -4001],
  ['1000.25', -4002],
  ['9.75', -4013],
  ['10.30', -4014],
  ['10.255', -1111],
])('a price of %s: %s', (text, code) => expect(codeOf(() => checkPrice('Price', text, limits))).toBe(code));
