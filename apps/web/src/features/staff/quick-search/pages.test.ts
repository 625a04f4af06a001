import { expect, test } from 'vitest';
import { findPages } from './pages.ts';

const addresses = (...search: Parameters<typeof findPages>) => findPages(...search).map(({ to }) => to);

test('contests are found by admins and managers, each at their own address', () => {
  expect(addresses('admin', 'contests')).toEqual(['/admin/contests']);
  expect(addresses('manager', 'contests')).toEqual(['/manager/contests']);
  expect(addresses('manager', 'chall')).toEqual(['/manager/contests']);
  expect(addresses('manager', '')).toEqual(['/manager', '/manager/contests']);
  expect(addresses('support', 'contests')).toEqual([]);
});
