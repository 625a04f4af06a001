import { expect, test } from 'vitest';
import { noFilter, type UsersQuery } from './users-query.ts';
import { chipsOf, resultWords } from './words.ts';

const query: UsersQuery = { ...noFilter, sort: 'created_at', order: 'descending', page: 1, size: 15 };

test('the result says how many and in which order', () => {
  expect(resultWords(1, query)).toBe('1 result. Sorted by Created At, newest first');
  expect(resultWords(1284, { ...query, sort: 'username', order: 'ascending' })).toBe(
    '1,284 results. Sorted by Username, A to Z',
  );
});

test('ERR-68: each facet in use is a chip in words; a manager who is gone is an Unknown User', () => {
  const facets = {
    roles: { trader: 0, manager: 0, support: 0, admin: 0 },
    kyc: { unverified: 0, pending: 0, verified: 0, rejected: 0 },
    managers: [{ id: 'a', username: 'jonas.weber', users: 3 }],
    restricted: { yes: 0, no: 0 },
  };
  const chips = chipsOf(
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
  expect(chipsOf({ ...noFilter, managers: ['a', 'b', 'c', 'd'] }, facets)).toMatchObject([
    { value: '4 of them' },
  ]);
  expect(chipsOf(noFilter, undefined)).toEqual([]);
});
