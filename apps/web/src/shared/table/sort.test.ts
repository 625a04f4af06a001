import { expect, test } from 'vitest';
import { toggleSort } from './sort.ts';

test('the same column reverses the order, another one starts in its own direction', () => {
  const firstOrderOf = (sort: 'name' | 'size') => (sort === 'name' ? 'ascending' : 'descending');
  const bySize = { sort: 'size', order: 'descending' } as const;
  expect(toggleSort(bySize, 'size', firstOrderOf)).toEqual({ sort: 'size', order: 'ascending' });
  expect(toggleSort({ sort: 'size', order: 'ascending' }, 'size', firstOrderOf)).toEqual(bySize);
  expect(toggleSort(bySize, 'name', firstOrderOf)).toEqual({ sort: 'name', order: 'ascending' });
});
