import { describe, expect, test } from 'vitest';
import {
  changeQuery,
  facetsInUse,
  isNarrowed,
  listArgs,
  noFilter,
  sortQuery,
  type UsersQuery,
  usersUrlState,
} from './users-query.ts';

const id = '3f2b8c1e-0000-4000-8000-00000000000a';
const read = (address: string, prefix = '') => usersUrlState.full.parse(new URLSearchParams(address), prefix);
const write = (query: UsersQuery, address = '', prefix = '') =>
  String(usersUrlState.full.write(new URLSearchParams(address), query, prefix));
const plain: UsersQuery = {
  ...noFilter,
  sort: 'created_at',
  order: 'descending',
  page: 1,
  size: 15,
  view: null,
};

describe('the address', () => {
  test('of a default list is empty, and the newest come first', () => {
    expect(read('tab=users')).toEqual(plain);
    expect(write(plain, 'tab=users')).toBe('tab=users');
  });

  test('stores the whole state of a list and restores it', () => {
    const query: UsersQuery = {
      search: '50% & more',
      roles: ['trader', 'support'],
      kyc: ['pending'],
      managers: [id, 'none'],
      restricted: false,
      sort: 'last_login',
      order: 'ascending',
      page: 7,
      size: 50,
      view: id,
    };
    expect(read(write(query))).toEqual(query);
  });

  test('separates two lists of one page', () => {
    const address = write({ ...plain, page: 3 }, 'page=2', 'users-');
    expect(read(address).page).toBe(2);
    expect(read(address, 'users-').page).toBe(3);
  });

  test.each([
    'page=0',
    'page=1.5',
    'page=10001',
    'page=x',
    'rows=7',
    'role=owner,',
    'kyc=maybe',
    'manager=me,%27',
    'restricted=1',
    'sort=password',
    'order=sideways',
  ])('ignores invalid parameters: %s', (address) => {
    expect(read(address)).toEqual(plain);
  });

  test('ignores a search that the server would refuse', () => {
    expect(read(`q=${'x'.repeat(300)}`).search).toHaveLength(100);
    expect(read('role=admin,trader,admin').roles).toEqual(['trader', 'admin']);
  });
});

describe('a change', () => {
  const deep: UsersQuery = { ...plain, page: 9 };

  test('of a filter starts at the first page', () => {
    expect(changeQuery(deep, { roles: ['trader'] })).toMatchObject({ roles: ['trader'], page: 1 });
  });

  test('of the order starts with A or the latest, and reverses on the same column', () => {
    expect(sortQuery(deep, 'username')).toMatchObject({ sort: 'username', order: 'ascending', page: 1 });
    expect(sortQuery(deep, 'last_login')).toMatchObject({ sort: 'last_login', order: 'descending' });
    expect(sortQuery(sortQuery(deep, 'username'), 'username').order).toBe('descending');
  });
});

test('the request contains the filters of the list and nothing else', () => {
  expect(listArgs({ ...plain, search: '  ' })).toEqual({
    p_sort: 'created_at',
    p_ascending: false,
    p_page: 1,
    p_page_size: 15,
  });
  expect(listArgs({ ...plain, search: ' zoe ', managers: ['none'], restricted: false })).toMatchObject({
    p_search: 'zoe',
    p_managers: ['none'],
    p_restricted: false,
  });
});

test('the number of active filters excludes the search', () => {
  expect(facetsInUse({ ...noFilter, search: 'zoe' })).toBe(0);
  expect(isNarrowed({ ...noFilter, search: 'zoe' })).toBe(true);
  expect(isNarrowed({ ...noFilter, search: ' ' })).toBe(false);
  expect(facetsInUse({ ...noFilter, restricted: false, roles: ['trader', 'admin'] })).toBe(2);
});
