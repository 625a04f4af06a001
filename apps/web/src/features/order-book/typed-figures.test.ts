import { asPrice, asSize, parseDecimal } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { amountFault, priceFault, sizeFault } from './typed-figures.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));
const limits = {
  ...{ minPrice: price('0.0001'), maxPrice: price('1000'), tickSize: price('0.0001') },
  ...{ minQty: size('0.01'), maxQty: size('500'), stepSize: size('0.01') },
};
const of = { limits, market: 1.0842 };

test('A113: a price that the server would refuse is named in its words', () => {
  const range = 'must be between 0.0001 and 1000 in steps of 0.0001.';
  expect(priceFault('1.0842', 'limit', of)).toBeNull();
  expect(priceFault('99999999999999999999', 'trigger', of)).toBe(`Trigger price ${range}`);
  expect(['0', '-1', '1.00001', '2000'].map((text) => priceFault(text, 'limit', of))).toEqual(
    Array(4).fill(`Price ${range}`),
  );
});

test('what cannot be read is explained, with the market as the example', () => {
  expect([' ', '2,000', 'x'].map((text) => priceFault(text, 'trigger', of))).toEqual([
    'Enter a price.',
    'The price can be read in two ways. Please leave out the comma.',
    'The price must be a number such as 1.0842.',
  ]);
  expect(['', '2,000', 'x', '0', '0.001'].map(amountFault)).toEqual([
    'Enter an amount.',
    'The amount can be read in two ways. Please leave out the comma.',
    'The amount must be a number such as 0.1.',
    'Enter an amount.',
    null,
  ]);
});

test('an amount of one order is within the limits of its pair', () => {
  expect(sizeFault(size('500'), limits)).toBeNull();
  expect(sizeFault(size('500.01'), limits)).toBe('Amount must be between 0.01 and 500 in steps of 0.01.');
});
