import { asPrice, asSize, parseDecimal } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { calculateTicket } from './preview-ticket.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));
const terms = {
  amount: '0.15',
  leverage: 25,
  price: 97_482.6,
  limits: {
    minPrice: price('0.01'),
    maxPrice: price('1000000'),
    tickSize: price('0.01'),
    minQty: size('0.00001'),
    maxQty: size('9000'),
    stepSize: size('0.00001'),
  },
  rules: 'standard',
  feeRate: 0,
} as const;

test('the figures are those of the product', () => {
  expect(calculateTicket(terms)).toEqual({
    size: 0.15,
    orderValue: 14_622.39,
    requiredMargin: 584.8956,
    liquidationLong: 93_778.27,
    liquidationShort: 101_186.93,
  });
});
test('more leverage means less margin and closer liquidation prices', () => {
  const figures = calculateTicket({ ...terms, leverage: 125 });
  expect(figures).toMatchObject({ requiredMargin: 116.97912, liquidationLong: 96_741.74 });
});
test('a comma counts as a decimal point', () => {
  expect(calculateTicket({ ...terms, amount: '0,15' })).toEqual(calculateTicket(terms));
});
test.each(['', '0', '-1', '1e3', 'many', '0.000001', '9001', '1.000.000'])(
  'A22: the amount %j is outside of the range, which the error states',
  (amount) => {
    expect(calculateTicket({ ...terms, amount })).toEqual({
      objection: 'Amount must be between 0.00001 and 9000 in steps of 0.00001.',
    });
  },
);
