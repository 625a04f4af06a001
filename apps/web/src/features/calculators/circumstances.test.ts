import { asPrice, asSize, mainRuleSetNames, NO_FEE, parseDecimal } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { toCircumstances } from './circumstances.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));
const pair = {
  type: 'commodity',
  limits: {
    minPrice: price('0.1'),
    maxPrice: price('1000000'),
    tickSize: price('0.1'),
    minQty: size('0.01'),
    maxQty: size('1000'),
    stepSize: size('0.01'),
  },
} as const;

test.each(mainRuleSetNames)('a position of %s needs no pair', (rules) => {
  const terms = { rules, feeRate: NO_FEE };
  expect(toCircumstances(terms, null, price('100'))).toEqual({ ...terms, tickSize: price('0.01') });
  expect(toCircumstances(terms, pair, price('100'))).toEqual({ ...terms, tickSize: price('0.1') });
});
test('A113: a net position has the market of its pair, and none without one', () => {
  const terms = { rules: 'perpetual', feeRate: NO_FEE } as const;
  expect(toCircumstances(terms, pair, price('100'))).toEqual({
    ...terms,
    market: 'commodity',
    tickSize: price('0.1'),
  });
  expect(toCircumstances(terms, null, price('100'))).toBeNull();
});
