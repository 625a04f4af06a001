import { describe, expect, test } from 'vitest';
import {
  commonPrefixLength,
  decimalsOfStep,
  directionOf,
  formatAmount,
  formatDollars,
  formatFigure,
  formatPercent,
  formatPrice,
  formatSize,
} from './format.ts';
import { formatPnl } from './format-pnl.ts';

describe('figures', () => {
  test('have grouping, a true minus and fixed decimals', () => {
    expect(formatAmount(12648.92)).toBe('12,648.92');
    expect(formatAmount(-96.2)).toBe('\u221296.20');
    expect(formatAmount(1000, 'always')).toBe('+1,000.00');
  });
  test('a value that rounds to zero has neither sign nor direction', () => {
    expect(formatAmount(-0.001)).toBe('0.00');
    expect(formatAmount(-0.001, 'always')).toBe('0.00');
    expect(formatAmount(-0)).toBe('0.00');
    expect(directionOf(-0.001)).toBe('none');
    expect(directionOf(-0.005)).toBe('down');
    expect(formatAmount(-0.005)).toBe('\u22120.01');
  });
  test('a gain or loss that is not zero does not read as zero', () => {
    expect([-0.003, 0.0047, 1e-8, -0.001, 0.00123].map((value) => formatPnl(value))).toEqual([
      '\u22120.003',
      '+0.005',
      '+0.00000001',
      '\u22120.001',
      '+0.001',
    ]);
    expect([0, -0, -0.005, 96.2, null, undefined, Number.NaN].map((value) => formatPnl(value))).toEqual([
      '0.00',
      '0.00',
      '\u22120.01',
      '+96.20',
      '–',
      '–',
      '–',
    ]);
  });
  test('round the decimal digits of the wire, half away from zero', () => {
    expect(formatAmount(1.005)).toBe('1.01');
    expect(formatAmount(-1.005)).toBe('\u22121.01');
    expect(formatFigure(2.675, 2)).toBe('2.68');
  });
  test('a price has the decimals of its tick and at least two, a size those of its step', () => {
    expect(formatPrice(1.08, 0.00001)).toBe('1.08000');
    expect(formatPrice(5000, 1)).toBe('5,000.00');
    expect(formatPrice(0.00000012, 1e-8)).toBe('0.00000012');
    expect(formatSize(0.4, 0.001)).toBe('0.400');
    expect(formatSize(40, 1)).toBe('40');
  });
  test('a step in exponent form keeps its decimals', () => {
    expect([1e-7, 2.5e-7, 0.25, 1, 10].map(decimalsOfStep)).toEqual([7, 8, 2, 0, 0]);
  });
  test('a percentage has its sign, a missing value is an en dash', () => {
    expect(formatPercent(33.18)).toBe('+33.18%');
    expect(formatPercent(0)).toBe('0.00%');
    expect(formatPercent(null)).toBe('–');
    expect(formatAmount(Number.NaN)).toBe('–');
  });
});

test('only the digits after the common start have changed', () => {
  expect(commonPrefixLength('97,482.60', '97,483.10')).toBe(5);
  expect(commonPrefixLength('99.90', '100.00')).toBe(0);
  expect(commonPrefixLength('1.00', '1.00')).toBe(4);
});

test('DASH-07: dollars have two decimals, and their sign before the symbol', () => {
  expect([0, 12_648.92, -3.005].map((value) => formatDollars(value))).toEqual([
    '$0.00',
    '$12,648.92',
    '−$3.01',
  ]);
  expect([311.4, -0.001, undefined].map((value) => formatDollars(value, 'always'))).toEqual([
    '+$311.40',
    '$0.00',
    '–',
  ]);
});
