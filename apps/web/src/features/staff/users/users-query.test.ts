import { describe, expect, test } from 'vitest';
import {
  facetsInUse,
  isNarrowed,
  listArgs,
  narrowed,
  noFilter,
  readQuery,
  sortedBy,
  type UsersQuery,
  writeQuery,
} from './users-query.ts';

const id = '3f2b8c1e-0000-4000-8000-00000000000a';
const read = (address: string, prefix = '') => readQuery(new URLSearchParams(address), prefix, 15);
const write = (query: UsersQuery, address = '', prefix = '') =>
  String(writeQuery(new URLSearchParams(address), prefix, { query, size: 15 }));
const plain: UsersQuery = { ...noFilter, sort: 'created_at', order: 'descending', page: 1, size: 15 };

describe('the address', () => {
  test('of a plain list says nothing, and the newest come first', () => {
    expect(read('tab=users')).toEqual(plain);
    expect(write(plain, 'tab=users')).toBe('tab=users');
  });

  test('holds a whole list and gives it back', () => {
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
    };
    expect(read(write(query))).toEqual(query);
  });

  test('keeps two lists of one page apart', () => {
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
  ])('is read as if it did not say what makes no sense: %s', (address) => {
    expect(read(address)).toEqual(plain);
  });

  test('takes no search that the server would refuse', () => {
    expect(read(`q=${'x'.repeat(300)}`).search).toHaveLength(100);
    expect(read('role=admin,trader,admin').roles).toEqual(['trader', 'admin']);
  });
});

describe('a change', () => {
  const deep: UsersQuery = { ...plain, page: 9 };

  test('of who is listed begins at the first page', () => {
    expect(narrowed(deep, { roles: ['trader'] })).toMatchObject({ roles: ['trader'], page: 1 });
  });

  test('of the order begins with A or the latest, and turns round on the same column', () => {
    expect(sortedBy(deep, 'username')).toMatchObject({ sort: 'username', order: 'ascending', page: 1 });
    expect(sortedBy(deep, 'last_login')).toMatchObject({ sort: 'last_login', order: 'descending' });
    expect(sortedBy(sortedBy(deep, 'username'), 'username').order).toBe('descending');
  });
});

test('the server is asked for what the list says, and for nothing that it does not', () => {
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

test('facets are counted apart from the search', () => {
  expect(facetsInUse({ ...noFilter, search: 'zoe' })).toBe(0);
  expect(isNarrowed({ ...noFilter, search: 'zoe' })).toBe(true);
  expect(isNarrowed({ ...noFilter, search: ' ' })).toBe(false);
  expect(facetsInUse({ ...noFilter, restricted: false, roles: ['trader', 'admin'] })).toBe(2);
});
