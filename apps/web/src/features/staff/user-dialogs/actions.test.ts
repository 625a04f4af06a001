import { expect, test } from 'vitest';
import { actionsFor } from './actions.ts';

test('ADMIN-24, ADMIN-27: all actions apply to a trader; assigning a manager is in the Users tab only', () => {
  const inUsersArea = ['impersonate', 'funds', 'positions', 'edit', 'assign', 'restrict', 'delete'];
  expect(actionsFor({ role: 'trader' }, 'users')).toEqual(inUsersArea);
  expect(actionsFor({ role: 'trader' }, 'overview')).toEqual(
    inUsersArea.filter((action) => action !== 'assign'),
  );
});

test.each(['manager', 'support'] as const)(
  'ADMIN-26, ADMIN-28: a %s can be impersonated and deleted',
  (role) => {
    for (const area of ['users', 'overview'] as const) {
      expect(actionsFor({ role }, area)).toEqual(['impersonate', 'edit', 'delete']);
    }
  },
);

test('ADMIN-25, ADMIN-26, ADMIN-28: an admin can be edited only', () => {
  expect(actionsFor({ role: 'admin' }, 'users')).toEqual(['edit']);
});

test('MGR-05, MGR-06, MGR-07: a manager impersonates, views positions and manages funds', () => {
  expect(actionsFor({ role: 'trader' }, 'manager')).toEqual(['impersonate', 'positions', 'funds']);
});
