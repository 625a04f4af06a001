import { expect, test } from 'vitest';
import { actsFor } from './acts.ts';

test('ADMIN-24, ADMIN-27: a trader has every act, the manager in the Users tab only', () => {
  const inUsers = ['impersonate', 'funds', 'positions', 'edit', 'assign', 'restrict', 'delete'];
  expect(actsFor({ role: 'trader' }, 'users')).toEqual(inUsers);
  expect(actsFor({ role: 'trader' }, 'overview')).toEqual(inUsers.filter((act) => act !== 'assign'));
});

test.each(['manager', 'support'] as const)('ADMIN-26, ADMIN-28: a %s is acted as and deleted', (role) => {
  for (const place of ['users', 'overview'] as const) {
    expect(actsFor({ role }, place)).toEqual(['impersonate', 'edit', 'delete']);
  }
});

test('ADMIN-25, ADMIN-26, ADMIN-28: an admin is edited, and no more', () => {
  expect(actsFor({ role: 'admin' }, 'users')).toEqual(['edit']);
});

test('MGR-05, MGR-06, MGR-07: a manager impersonates, looks at positions and manages funds', () => {
  expect(actsFor({ role: 'trader' }, 'manager')).toEqual(['impersonate', 'positions', 'funds']);
});
