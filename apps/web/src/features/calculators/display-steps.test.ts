import { asPrice, asSize, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { getArrowKeyStep, getDisplaySteps, getStep, getTick } from './display-steps.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));
const limits = {
  minPrice: price('0.5'),
  maxPrice: price('100000'),
  tickSize: price('0.5'),
  minQty: size('0.01'),
  maxQty: size('100'),
  stepSize: size('0.01'),
};
const pair = { limits, tickSize: 0.5, stepSize: 0.01, baseAsset: 'XYZ' };

test('A16: a valid price of the pair is shown on the pair’s tick', () => {
  expect(getTick(limits, price('100.5'))).toBe(limits.tickSize);
  expect(getTick(limits, null)).toBe(limits.tickSize);
});
test.each([
  ['100.25', '0.01'],
  ['182.645', '0.001'],
  ['1.08', '0.00001'],
  ['0.00002094', '0.00000001'],
  ['200000.5', '0.01'],
])('A16: %s is not valid for the pair and is shown to %s', (text, tick) => {
  expect(toDecimalString(getTick(limits, price(text)))).toBe(tick);
  expect(toDecimalString(getTick(null, price(text)))).toBe(tick);
});
test.each([
  ['50', '1'],
  ['3.5', '0.1'],
  ['1.23456', '0.0001'],
  ['0.12872908', '0.00000001'],
])('a size of %s is shown to %s', (text, step) => {
  expect(toDecimalString(getStep(size(text)))).toBe(step);
});
test('A16: sizes and units use the pair’s steps once filled from it, unless the size is between two steps', () => {
  expect(getDisplaySteps(pair, null, price('100'), size('3'))).toEqual({
    tickSize: 0.5,
    stepSize: 0.01,
    baseAsset: 'XYZ',
  });
  expect(getDisplaySteps(pair, null, price('100'), size('0.0012'))).toMatchObject({ stepSize: 0.0001 });
  expect(getDisplaySteps(null, pair, price('100'), size('3'))).toEqual({
    tickSize: 0.5,
    stepSize: 1,
    baseAsset: null,
  });
});
test('arrow keys use the pair’s step, else the last entered decimal', () => {
  expect(getArrowKeyStep(limits.tickSize, price('1'))).toBe(limits.tickSize);
  expect(toDecimalString(getArrowKeyStep(null, price('182.64')))).toBe('0.01');
  expect(toDecimalString(getArrowKeyStep(null, null))).toBe('1');
});
