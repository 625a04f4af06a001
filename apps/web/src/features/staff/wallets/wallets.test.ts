import { describe, expect, test } from 'vitest';
import { sortQuery, walletsUrlState } from './wallets.ts';

const { initial: defaultQuery, parse, write } = walletsUrlState;

describe('the address of the list', () => {
  test('contains what differs from the default, and is read back', () => {
    const query = { search: 'a_%', sort: 'balance', order: 'ascending', page: 3 } as const;
    const params = write(new URLSearchParams('tab=wallets'), query);
    expect(params.get('tab')).toBe('wallets');
    expect(parse(params)).toEqual(query);
    expect(write(params, defaultQuery).toString()).toBe('tab=wallets');
  });

  test.each(['wallets_sort=password', 'wallets_page=0', 'wallets_page=x', 'wallets_page=1e9'])(
    '%s is none',
    (text) => {
      expect(parse(new URLSearchParams(text))).toEqual(defaultQuery);
    },
  );
});

test('names sort from A first, figures from the largest', () => {
  expect(sortQuery(defaultQuery, 'username')).toEqual({ sort: 'username', order: 'ascending' });
  expect(sortQuery(defaultQuery, 'balance')).toEqual({ sort: 'balance', order: 'descending' });
});
