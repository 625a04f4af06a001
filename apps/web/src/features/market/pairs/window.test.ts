import { expect, test } from 'vitest';
import { rowsInSight, scrollTopFor } from './window.ts';

test('only the rows in sight and a few around them are drawn', () => {
  expect(rowsInSight({ top: 0, height: 400 }, 36, 50)).toEqual([0, 16]);
  expect(rowsInSight({ top: 720, height: 400 }, 36, 50)).toEqual([16, 36]);
  expect(rowsInSight({ top: 1_400, height: 400 }, 36, 50)).toEqual([34, 50]);
  expect(rowsInSight({ top: 0, height: 400 }, 36, 7)).toEqual([0, 7]);
});

test('a list that became shorter than what is scrolled away draws nothing impossible', () => {
  expect(rowsInSight({ top: 1_400, height: 400 }, 36, 3)).toEqual([3, 3]);
  expect(rowsInSight({ top: 0, height: 0 }, 36, 0)).toEqual([0, 0]);
});

test('the keyboard brings its row wholly into sight, scrolling as little as it takes', () => {
  expect(scrollTopFor({ top: 0, height: 400 }, 36, 3)).toBe(0);
  expect(scrollTopFor({ top: 0, height: 400 }, 36, 11)).toBe(32);
  expect(scrollTopFor({ top: 500, height: 400 }, 36, 2)).toBe(72);
  expect(scrollTopFor({ top: 500, height: 400 }, 36, 49)).toBe(1_400);
});
