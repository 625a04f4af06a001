import { asPrice, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { parsePrice, stepPrice } from './price.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const limits = { minPrice: price('0.5'), maxPrice: price('1000'), tickSize: price('0.25') };
const stepped = (from: string, ticks: bigint) => toDecimalString(stepPrice(price(from), ticks, limits));

test('a price is parsed like an amount', () => {
  expect(parsePrice('95.6k')).toEqual({ kind: 'price', price: price('95600') });
  expect([parsePrice(' ').kind, parsePrice('-1').kind, parsePrice('x').kind]).toEqual([
    'empty',
    'unreadable',
    'unreadable',
  ]);
});
test('arrow keys walk the tick grid and stop at the bounds', () => {
  expect([stepped('10', 1n), stepped('10', -10n), stepped('10.1', 1n), stepped('10.1', -1n)]).toEqual([
    '10.25',
    '7.5',
    '10.25',
    '10',
  ]);
  expect([stepped('0.5', -1n), stepped('999.9', 10n)]).toEqual(['0.5', '1000']);
});
