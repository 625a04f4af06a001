import { describe, expect, test } from 'vitest';
import {
  describeConsequence,
  getUserChanges,
  toUserDraft,
  validateEditedUser,
  validateNewUser,
  withRole,
} from './user-form.ts';

const typed = {
  username: 'zo',
  email: 'zoe@inbox.test',
  password: 'secret',
  confirmPassword: 'secret',
  currentPassword: '',
};
const held = { username: 'zoe', email: 'zoe@inbox.test', role: 'trader', manager_id: 'm1' } as const;
const draft = toUserDraft(held);

describe('a new user', () => {
  test('A81: staff may give a short name', () => {
    expect(Object.values(validateNewUser(typed))).toEqual([null, null, null, null]);
  });
  test('ADMIN-35, ADMIN-36, ADMIN-37, ADMIN-39, ERR-56, ERR-57: the stated texts', () => {
    const blank = { ...typed, username: ' ', email: '', password: '' };
    expect(validateNewUser(blank)).toEqual({
      username: 'Username is required',
      email: 'Valid email is required',
      password: 'Password is required',
      confirmPassword: 'Passwords do not match',
    });
  });
  test('ADMIN-38: a short password', () => {
    const short = { ...typed, password: '12345', confirmPassword: '12345' };
    expect(validateNewUser(short).password).toBe('Password must be at least 6 characters');
  });
});

describe('an existing user', () => {
  test('ADMIN-46, ADMIN-47: a blank name and an invalid email', () => {
    const errors = validateEditedUser({ ...typed, username: '', email: 'zoe@' });
    expect(errors.username).toBe('Username is required');
    expect(errors.email).toBe('Valid email is required');
  });
  test('ADMIN-48, ADMIN-49, ADMIN-50: no password, a short one, an unconfirmed one', () => {
    const none = { ...typed, password: '', confirmPassword: '' };
    expect(validateEditedUser(none)).toMatchObject({ password: null, confirmPassword: null });
    const short = { ...typed, password: '12345', confirmPassword: '' };
    expect(validateEditedUser(short)).toMatchObject({
      password: 'Password must be at least 6 characters',
      confirmPassword: 'Passwords do not match',
    });
    // A filled confirmation makes the password required.
    expect(validateEditedUser({ ...none, confirmPassword: 'secret' }).confirmPassword).toBe(
      'Passwords do not match',
    );
  });
  test('ADMIN-55: only changes are sent', () => {
    expect(getUserChanges(held, draft)).toEqual({});
    expect(getUserChanges(held, { ...draft, username: '  zoe ' })).toEqual({});
    expect(getUserChanges(held, { ...draft, username: 'zoe.m', managerId: '' })).toEqual({
      new_username: 'zoe.m',
      new_manager_id: '',
    });
  });
  test('ADMIN-53: another role clears the manager, also after changing back', () => {
    const support = withRole(draft, 'support');
    expect(support.managerId).toBe('');
    expect(getUserChanges(held, support)).toEqual({ new_role: 'support' });
    expect(getUserChanges(held, withRole(support, 'trader'))).toEqual({ new_manager_id: '' });
  });
  test('A80: the form states beforehand who is signed out and what stays', () => {
    expect(describeConsequence(held, { new_username: 'z' }, false)).toBeNull();
    expect(describeConsequence(held, {}, true)).toBe('The user will be signed out everywhere.');
    expect(describeConsequence(held, { new_role: 'support' }, false)).toContain('wallet and positions stay');
    const manager = { ...held, role: 'manager', manager_id: null } as const;
    expect(describeConsequence(manager, { new_role: 'support' }, false)).toContain(
      'traders will have no manager',
    );
  });
});
