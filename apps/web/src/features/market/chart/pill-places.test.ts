import { expect, test } from 'vitest';
import { placePills, placeTag } from './pill-places.ts';

test('pills keep their level while there is room and step aside when there is none', () => {
  expect(placePills([100, 300])).toEqual([100, 300]);
  expect(placePills([100, 110, 105])).toEqual([100, 148, 124]);
});

test('an axis tag never covers the last price', () => {
  expect([60, 95, 105, 140].map((level) => placeTag(level, 100))).toEqual([60, 82, 136, 140]);
  expect(placeTag(95, null)).toBe(95);
});
