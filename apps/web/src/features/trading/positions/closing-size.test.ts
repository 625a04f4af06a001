import { asPrice, asSize, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import type { Position } from '../../../shared/supabase/index.ts';
import { getRemainder, parseClosingSize, toPartialPosition, toShareSize } from './closing-size.ts';

const limits = {
  minPrice: asPrice(1n),
  maxPrice: asPrice(10n ** 20n),
  tickSize: asPrice(1n),
  minQty: asSize(parseDecimal('0.01')),
  maxQty: asSize(parseDecimal('9000')),
  stepSize: asSize(parseDecimal('0.001')),
};
const position = { size: 0.4, margin: 774.72 } as Position;
const parse = (text: string, of = position) => parseClosingSize(of, text, limits);

describe('A23: the size of a close', () => {
  test('the whole size closes the position, however it is written', () => {
    expect([parse('0.4'), parse('0.400'), parse('.4')]).toEqual(Array(3).fill({ kind: 'whole' }));
  });
  test('a part is on the step', () => {
    expect(parse('0.1')).toEqual({ kind: 'part', size: parseDecimal('0.1') });
    const wrong = 'Amount must be between 0.001 and 0.39 in steps of 0.001. 0.4 closes it whole.';
    for (const text of ['0.0005', '0', '-1', '', 'x', '0.5']) {
      expect(parse(text)).toEqual({ kind: 'wrong', text: wrong });
    }
  });
  test('the rest is at least the smallest amount of the pair', () => {
    expect(parse('0.39').kind).toBe('part');
    expect(parse('0.391').kind).toBe('wrong');
    expect(parse('0.005', { size: 0.01, margin: 1 } as Position)).toEqual({
      kind: 'wrong',
      text: 'This position can only be closed whole. 0.01 closes it whole.',
    });
  });
  test('shares are on the step, 100 % is the whole', () => {
    const share = (percent: number, size = 0.4) => toDecimalString(toShareSize({ size }, percent, limits));
    expect([share(25), share(50), share(75), share(100)]).toEqual(['0.1', '0.2', '0.3', '0.4']);
    expect([share(25, 0.017), share(100, 0.0173)]).toEqual(['0.004', '0.0173']);
  });
  test('the part has its share of the margin', () => {
    expect(toPartialPosition(position, asSize(parseDecimal('0.1')))).toMatchObject({
      size: 0.1,
      margin: 193.68,
    });
  });
  test('the closed part and the rest add up to the position, to the last digit', () => {
    const part = toPartialPosition(position, asSize(parseDecimal('0.1')));
    expect(getRemainder(position, part)).toEqual({ size: 0.3, margin: 581.04 });
    const odd = { size: 0.3, margin: 100 } as Position;
    const third = toPartialPosition(odd, asSize(parseDecimal('0.1')));
    expect([third.margin, getRemainder(odd, third).margin]).toEqual([33.33333333, 66.66666667]);
  });
});
