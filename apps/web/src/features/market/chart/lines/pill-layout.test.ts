import { expect, test } from 'vitest';
import { getLastPriceTagY, layOutPills, layOutTags } from './pill-layout.ts';

const room = { step: 24, bottom: 389, columns: 1 };
const ys = (levels: readonly number[], columns = 1) =>
  layOutPills(levels, { ...room, columns }).map((pill) => pill?.y ?? null);

test('pills stay at their level where there is room, and otherwise move a little', () => {
  expect(ys([100, 300])).toEqual([100, 300]);
  expect(ys([100, 110, 105])).toEqual([100, 148, 124]);
  expect(ys([100, 100, 100, 100])).toEqual([100, 124, 148, null]);
});

test('a pill without room moves to the next column if there is one', () => {
  const columns = layOutPills([100, 100, 100, 100], { ...room, columns: 2 });
  expect(columns.map((pill) => pill?.column)).toEqual([0, 0, 0, 1]);
  expect(columns[3]?.y).toBe(100);
});

test('pills at the bottom move up and stay within the pane', () => {
  expect(ys([380, 388, 100])).toEqual([365, 389, 100]);
});

test('an axis tag covers neither the last price nor another tag', () => {
  expect(layOutTags([60, 95, 105, 160], 100, 400)).toEqual([60, 82, 136, 160]);
  expect(layOutTags([95, 96, 105, 106], 100, 400)).toEqual([64, 82, 136, 154]);
  expect(layOutTags([95], null, 400)).toEqual([95]);
});

test('axis tags stay within the pane, and those without room are left out', () => {
  expect(layOutTags([3, 397], 200, 400)).toEqual([9, 391]);
  expect(layOutTags([380, 390, 398], 200, 400)).toEqual([355, 373, 391]);
  expect(layOutTags([352, 360, 370], 330, 400)).toEqual([366, 384, null]);
  expect(layOutTags([30, 20, 40], 50, 400)).toEqual([14, null, 32]);
});

test('a last price outside of the visible range has its tag at the edge', () => {
  expect([-50, 200, 900].map((level) => getLastPriceTagY(level, 400))).toEqual([20, 200, 392]);
});
