import { expect, test } from 'vitest';
import { pressed } from './sort.ts';

test('the column in use turns round, another one begins at its own end', () => {
  const firstOrderOf = (sort: 'name' | 'size') => (sort === 'name' ? 'ascending' : 'descending');
  const bySize = { sort: 'size', order: 'descending' } as const;
  expect(pressed(bySize, 'size', firstOrderOf)).toEqual({ sort: 'size', order: 'ascending' });
  expect(pressed({ sort: 'size', order: 'ascending' }, 'size', firstOrderOf)).toEqual(bySize);
  expect(pressed(bySize, 'name', firstOrderOf)).toEqual({ sort: 'name', order: 'ascending' });
});
