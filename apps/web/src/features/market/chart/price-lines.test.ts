import { expect, test } from 'vitest';
import { placePills } from './price-lines.ts';

test('pills keep their level while there is room and step aside when there is none', () => {
  expect(placePills([100, 300])).toEqual([100, 300]);
  expect(placePills([100, 110, 105])).toEqual([100, 148, 124]);
});
