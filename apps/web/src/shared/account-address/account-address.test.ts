import { expect, test } from 'vitest';
import { parseAccountId, toAccountPath } from './index.ts';

const id = '0f8fad5b-d9cb-469f-a165-70867728950e';

test('A112: the address names the account, and no other page looks like one', () => {
  expect(parseAccountId(`/a/${id}/trading`)).toBe(id);
  expect(parseAccountId(`/a/${id.toUpperCase()}`)).toBe(id);
  for (const path of ['/', '/trading', '/a', '/a/', '/a/1/trading', `/b/${id}/trading`, `/about/${id}`])
    expect(parseAccountId(path)).toBeNull();
});

test('A112: a page of the main account has no prefix', () => {
  expect(toAccountPath(null, '/wallet')).toBe('/wallet');
  expect(toAccountPath(id, '/wallet')).toBe(`/a/${id}/wallet`);
});
