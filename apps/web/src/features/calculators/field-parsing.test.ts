import { asPrice, parseDecimal } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { calculateIfComplete, parseFigure, parseLeverage } from './field-parsing.ts';

const read = (text: string, least: 'zero' | 'above zero' = 'above zero') =>
  parseFigure(text, 'Entry price', least, asPrice);

test('CALC-01: an empty field is not wrong and gives no value', () => {
  expect(read('  ')).toEqual({ value: null, fault: null });
  expect(parseLeverage('')).toEqual({ value: null, fault: null });
});
test('figures are parsed as in the other forms', () => {
  expect(read('1.5k').value).toBe(parseDecimal('1500'));
  expect(read('1,250.5').value).toBe(parseDecimal('1250.5'));
  expect(read('0', 'zero').value).toBe(0n);
});
test.each([
  ['abc', 'Not a number', 'Entry price must be a number such as 95600.'],
  ['NaN', 'Not a number', 'Entry price must be a number such as 95600.'],
  ['1,500', 'Comma unclear', 'Entry price can be read in two ways. Please leave out the comma.'],
  ['-1', 'Above 0', 'Entry price must be above 0.'],
  ['0', 'Above 0', 'Entry price must be above 0.'],
])('CALC-01, A89: %s gives no value: %s', (text, short, sentence) => {
  expect(read(text)).toEqual({ value: null, fault: { short, sentence } });
});
test('A89: the text of a figure that may be zero states so', () => {
  expect(read('-1', 'zero').fault?.sentence).toBe('Entry price must be at least 0.');
});
test.each(['0', '126', '1.5', '-3', 'ten'])('CALC-02, A89: %s is not a valid leverage', (text) => {
  expect(parseLeverage(text)).toEqual({
    value: null,
    fault: { short: '1–125', sentence: 'Leverage must be a whole number from 1 to 125.' },
  });
});
test.each(['1', '125', '10.0'])('CALC-02: %s is a valid leverage', (text) => {
  expect(parseLeverage(text)).toEqual({ value: Number(text), fault: null });
});
test('CALC-01: there is no result before every input is valid', () => {
  const sum = ({ a, b }: { a: number; b: number }) => (b === 0 ? null : a / b);
  expect(calculateIfComplete({ a: 6, b: 3 }, sum)).toEqual({ inputs: { a: 6, b: 3 }, result: 2 });
  expect(calculateIfComplete({ a: 6, b: null }, sum)).toBeNull();
  expect(calculateIfComplete({ a: 6, b: 0 }, sum)).toBeNull();
});
