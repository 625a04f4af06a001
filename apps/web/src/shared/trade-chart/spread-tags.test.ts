import { expect, test } from 'vitest';
import { spreadTags } from './spread-tags.ts';

test.each([
  ['none', [], []],
  ['far apart', [10, 50, 90], [10, 50, 90]],
  ['two at once', [50, 50], [43, 57]],
  ['in another order', [54, 50], [59, 45]],
  ['three at once', [50, 50, 50], [36, 50, 64]],
  ['a moved pair meets a third', [50, 52, 64], [41.33, 55.33, 69.33]],
  ['one beside a pair that is apart', [10, 60, 62], [10, 54, 68]],
])('tags of a plot: %s', (_case, positions, expected) => {
  expect(spreadTags(positions, 14).map((tag) => Math.round(tag * 100) / 100)).toEqual(expected);
});
