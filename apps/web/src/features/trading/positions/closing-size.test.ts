import { asPrice, asSize, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import type { Position } from '../../../shared/supabase/index.ts';
import { closingSizeOf, partOf, restOf, shareOf } from './closing-size.ts';

const limits = {
  minPrice: asPrice(1n),
  maxPrice: asPrice(10n ** 20n),
  tickSize: asPrice(1n),
  minQty: asSize(parseDecimal('0.01')),
  maxQty: asSize(parseDecimal('9000')),
  stepSize: asSize(parseDecimal('0.001')),
};
const position = { size: 0.4, margin: 774.72 } as Position;
const asked = (text: string, of = position) => closingSizeOf(of, text, limits);

describe('A23: how much a close takes', () => {
  test('the whole size closes it whole, however it is written', () => {
    expect([asked('0.4'), asked('0.400'), asked('.4')]).toEqual(Array(3).fill({ kind: 'whole' }));
  });
  test('a part is on the step', () => {
    expect(asked('0.1')).toEqual({ kind: 'part', size: parseDecimal('0.1') });
    const wrong = 'Amount must be between 0.001 and 0.39 in steps of 0.001. 0.4 closes it whole.';
    for (const text of ['0.0005', '0', '-1', '', 'x', '0.5']) {
      expect(asked(text)).toEqual({ kind: 'wrong', text: wrong });
    }
  });
  test('what stays open is at least the smallest amount of the pair', () => {
    expect(asked('0.39').kind).toBe('part');
    expect(asked('0.391').kind).toBe('wrong');
    expect(asked('0.005', { size: 0.01, margin: 1 } as Position)).toEqual({
      kind: 'wrong',
      text: 'This position can only be closed whole. 0.01 closes it whole.',
    });
  });
  test('shares keep to the step, 100 % is all of it', () => {
    const share = (percent: number, size = 0.4) => toDecimalString(shareOf({ size }, percent, limits));
    expect([share(25), share(50), share(75), share(100)]).toEqual(['0.1', '0.2', '0.3', '0.4']);
    expect([share(25, 0.017), share(100, 0.0173)]).toEqual(['0.004', '0.0173']);
  });
  test('the part carries its share of the margin', () => {
    expect(partOf(position, asSize(parseDecimal('0.1')))).toMatchObject({ size: 0.1, margin: 193.68 });
  });
  test('what stays and what goes add up to the position, to the last digit', () => {
    const part = partOf(position, asSize(parseDecimal('0.1')));
    expect(restOf(position, part)).toEqual({ size: 0.3, margin: 581.04 });
    const odd = { size: 0.3, margin: 100 } as Position;
    const third = partOf(odd, asSize(parseDecimal('0.1')));
    expect([third.margin, restOf(odd, third).margin]).toEqual([33.33333333, 66.66666667]);
  });
});
