import { expect, test } from 'vitest';
import { isWholeTo } from './whole.ts';

test.each([
  ['1', true],
  [' 20 ', true],
  ['0', false],
  ['21', false],
  ['1.5', false],
  ['-1', false],
  ['1e1', false],
  ['', false],
])('%j is a whole number from 1 to 20: %s', (text, isOne) => {
  expect(isWholeTo(text, 20)).toBe(isOne);
});
