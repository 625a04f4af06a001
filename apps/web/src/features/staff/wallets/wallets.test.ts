import { describe, expect, test } from 'vitest';
import { newestFirst, readQuery, sortedBy, writeQuery } from './wallets.ts';

describe('the address of the list', () => {
  test('says what differs from the newest first, and is read back', () => {
    const query = { search: 'a_%', sort: 'balance', order: 'ascending', page: 3 } as const;
    const params = writeQuery(new URLSearchParams('tab=wallets'), query);
    expect(params.get('tab')).toBe('wallets');
    expect(readQuery(params)).toEqual(query);
    expect(writeQuery(params, newestFirst).toString()).toBe('tab=wallets');
  });

  test.each(['wallets_sort=password', 'wallets_page=0', 'wallets_page=x', 'wallets_page=1e9'])(
    '%s is none',
    (text) => {
      expect(readQuery(new URLSearchParams(text))).toEqual(newestFirst);
    },
  );
});

test('names are first ordered from A, figures with the largest first', () => {
  expect(sortedBy(newestFirst, 'username')).toEqual({ sort: 'username', order: 'ascending' });
  expect(sortedBy(newestFirst, 'balance')).toEqual({ sort: 'balance', order: 'descending' });
});
