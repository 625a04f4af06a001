import { expect, test } from 'vitest';
import { getScrollTopFor, getVisibleRows } from './visible-rows.ts';

test('only the visible rows and a few around them are rendered', () => {
  expect(getVisibleRows({ top: 0, height: 400 }, 36, 50)).toEqual([0, 16]);
  expect(getVisibleRows({ top: 720, height: 400 }, 36, 50)).toEqual([16, 36]);
  expect(getVisibleRows({ top: 1_400, height: 400 }, 36, 50)).toEqual([34, 50]);
  expect(getVisibleRows({ top: 0, height: 400 }, 36, 7)).toEqual([0, 7]);
});

test('a list that became shorter than the scroll position renders only valid rows', () => {
  expect(getVisibleRows({ top: 1_400, height: 400 }, 36, 3)).toEqual([3, 3]);
  expect(getVisibleRows({ top: 0, height: 0 }, 36, 0)).toEqual([0, 0]);
});

test('the keyboard scrolls its row wholly into view with the least movement', () => {
  expect(getScrollTopFor({ top: 0, height: 400 }, 36, 3)).toBe(0);
  expect(getScrollTopFor({ top: 0, height: 400 }, 36, 11)).toBe(32);
  expect(getScrollTopFor({ top: 500, height: 400 }, 36, 2)).toBe(72);
  expect(getScrollTopFor({ top: 500, height: 400 }, 36, 49)).toBe(1_400);
});
