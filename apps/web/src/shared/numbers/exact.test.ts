import { expect, test } from 'vitest';
import { formatExact, toPlainMinus } from './exact.ts';

test('a figure keeps all its decimals, and at least two', () => {
  expect([1234.5, -0.00001234, 0, 64_000, 1e-8, null].map((value) => formatExact(value))).toEqual([
    '1,234.50',
    '\u22120.00001234',
    '0.00',
    '64,000.00',
    '0.00000001',
    '–',
  ]);
  expect([1234.5, 3, 0].map((value) => formatExact(value, 0))).toEqual(['1,234.5', '3', '0']);
  expect([0.5, 0].map((value) => formatExact(value, 2, 'always'))).toEqual(['+0.50', '0.00']);
});

test('a typed true minus is read', () => {
  expect(Number(toPlainMinus('\u221212'))).toBe(-12);
});
