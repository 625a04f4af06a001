import { expect, test } from 'vitest';
import { resultLabel, toFilterChips } from './labels.ts';
import { noFilter, type UsersQuery } from './users-query.ts';

const query: UsersQuery = {
  ...noFilter,
  sort: 'created_at',
  order: 'descending',
  page: 1,
  size: 15,
  view: null,
};

test('the result label states count and order', () => {
  expect(resultLabel(1, query)).toBe('1 result. Sorted by Created At, newest first');
  expect(resultLabel(1284, { ...query, sort: 'username', order: 'ascending' })).toBe(
    '1,284 results. Sorted by Username, A to Z',
  );
});

test('ERR-68, A84: each active filter has a chip; a deleted manager is an Unknown User', () => {
  const facets = {
    roles: { trader: 0, manager: 0, support: 0, admin: 0 },
    kyc: { unverified: 0, pending: 0, verified: 0, rejected: 0 },
    managers: [{ id: 'a', username: 'jonas.weber', users: 3 }],
    restricted: { yes: 0, no: 0 },
  };
  const chips = toFilterChips(
    {
      search: 'not a chip',
      roles: ['trader'],
      kyc: ['unverified', 'pending', 'rejected'],
      managers: ['a', 'none', 'gone'],
      restricted: false,
    },
    facets,
  );
  expect(chips.map(({ name, value }) => `${name} is ${value}`)).toEqual([
    'Role is Trader',
    'KYC is Unverified, Pending or Rejected',
    'Manager is jonas.weber, No Manager or Unknown User',
    'Restricted is No',
  ]);
  expect(toFilterChips({ ...noFilter, managers: ['a', 'b', 'c', 'd'] }, facets)).toMatchObject([
    { value: '4 of them' },
  ]);
  expect(toFilterChips(noFilter, undefined)).toEqual([]);
});
