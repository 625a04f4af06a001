import { describe, expect, test } from 'vitest';
import { changesOf, checkEditedUser, checkNewUser, consequenceOf, draftOf, withRole } from './user-form.ts';

const typed = {
  username: 'zo',
  email: 'zoe@inbox.test',
  password: 'secret',
  confirmPassword: 'secret',
  currentPassword: '',
};
const held = { username: 'zoe', email: 'zoe@inbox.test', role: 'trader', manager_id: 'm1' } as const;
const draft = draftOf(held);

describe('somebody new', () => {
  test('A81: a short name will do', () => {
    expect(Object.values(checkNewUser(typed))).toEqual([null, null, null, null]);
  });
  test('ADMIN-35, ADMIN-36, ADMIN-37, ADMIN-39, ERR-56, ERR-57: the stated texts', () => {
    const blank = { ...typed, username: ' ', email: '', password: '' };
    expect(checkNewUser(blank)).toEqual({
      username: 'Username is required',
      email: 'Valid email is required',
      password: 'Password is required',
      confirmPassword: 'Passwords do not match',
    });
  });
  test('ADMIN-38: a short password', () => {
    const short = { ...typed, password: '12345', confirmPassword: '12345' };
    expect(checkNewUser(short).password).toBe('Password must be at least 6 characters');
  });
});

describe('somebody who is there', () => {
  test('ADMIN-46, ADMIN-47: a blank name and what is no email', () => {
    const objections = checkEditedUser({ ...typed, username: '', email: 'zoe@' });
    expect(objections.username).toBe('Username is required');
    expect(objections.email).toBe('Valid email is required');
  });
  test('ADMIN-48, ADMIN-49, ADMIN-50: no password, a short one, one that is not confirmed', () => {
    const none = { ...typed, password: '', confirmPassword: '' };
    expect(checkEditedUser(none)).toMatchObject({ password: null, confirmPassword: null });
    const short = { ...typed, password: '12345', confirmPassword: '' };
    expect(checkEditedUser(short)).toMatchObject({
      password: 'Password must be at least 6 characters',
      confirmPassword: 'Passwords do not match',
    });
    // Who confirms a password wants one.
    expect(checkEditedUser({ ...none, confirmPassword: 'secret' }).confirmPassword).toBe(
      'Passwords do not match',
    );
  });
  test('ADMIN-55: only what differs is sent', () => {
    expect(changesOf(held, draft)).toEqual({});
    expect(changesOf(held, { ...draft, username: '  zoe ' })).toEqual({});
    expect(changesOf(held, { ...draft, username: 'zoe.m', managerId: '' })).toEqual({
      new_username: 'zoe.m',
      new_manager_id: '',
    });
  });
  test('ADMIN-53: another role clears the manager, also on the way back', () => {
    const support = withRole(draft, 'support');
    expect(support.managerId).toBe('');
    expect(changesOf(held, support)).toEqual({ new_role: 'support' });
    expect(changesOf(held, withRole(support, 'trader'))).toEqual({ new_manager_id: '' });
  });
  test('A80: who is signed out, and what stays, is said before', () => {
    expect(consequenceOf(held, { new_username: 'z' }, false)).toBeNull();
    expect(consequenceOf(held, {}, true)).toBe('They are signed out everywhere.');
    expect(consequenceOf(held, { new_role: 'support' }, false)).toContain('wallet and positions are kept');
    const manager = { ...held, role: 'manager', manager_id: null } as const;
    expect(consequenceOf(manager, { new_role: 'support' }, false)).toContain('traders have no manager');
  });
});
