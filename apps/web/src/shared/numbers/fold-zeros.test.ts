import { expect, test } from 'vitest';
import { foldZeros } from './fold-zeros.ts';

test('UX-2: a tiny figure is shown with the number of its zeros, an ordinary one is unchanged', () => {
  const tiny = ['0.00000143', '\u22120.00000001', '+0.00001000', '0.0000000000042'];
  expect(tiny.map(foldZeros)).toEqual(['0.0₅143', '\u22120.0₇1', '+0.0₄1000', '0.0₁₁42']);
  expect(foldZeros('0.0000000000')).toBe('0.00');
  const ordinary = ['0.00012', '0.0000', '58,000.00', '10.00001', '–'];
  expect(ordinary.map(foldZeros)).toEqual(ordinary);
});
