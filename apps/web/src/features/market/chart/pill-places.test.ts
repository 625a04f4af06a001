import { expect, test } from 'vitest';
import { lastPricePlace, placePills, placeTags } from './pill-places.ts';

test('pills keep their level while there is room, step aside when there is none, and never far', () => {
  expect(placePills([100, 300])).toEqual([100, 300]);
  expect(placePills([100, 110, 105])).toEqual([100, 148, 124]);
  expect(placePills([100, 100, 100, 100])).toEqual([100, 124, 148, null]);
});

test('an axis tag covers neither the last price nor another tag', () => {
  expect(placeTags([60, 95, 105, 160], 100)).toEqual([60, 82, 136, 160]);
  expect(placeTags([95, 96, 105, 106], 100)).toEqual([64, 82, 136, 154]);
  expect(placeTags([95], null)).toEqual([95]);
});

test('a last price out of view has its tag at the edge', () => {
  expect([-50, 200, 900].map((level) => lastPricePlace(level, 400))).toEqual([20, 200, 392]);
});
