import { expect, test } from 'vitest';
import { toFeeObjection } from './account-text.ts';

test('A112: the bound of a fee is in per cent, as the field is', () => {
  expect(toFeeObjection('The fee is a fraction from 0 to 0.005.')).toBe('Type a percentage from 0 to 0.5%.');
  expect(toFeeObjection('The greatest leverage is a whole number from 1 to 125.')).toBeNull();
});
