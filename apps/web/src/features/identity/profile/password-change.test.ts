import { expect, test } from 'vitest';
import { checkPasswordChange, toPasswordRefusal } from './password-change.ts';

test('PROF-05, PROF-06, ERR-16, ERR-17: a short new password and a different confirmation are refused with the texts of this form', () => {
  expect(
    checkPasswordChange({ currentPassword: '', newPassword: '12345', confirmPassword: '54321' }, 'trader'),
  ).toEqual({
    currentPassword: 'Password is required',
    newPassword: 'New password must be at least 6 characters long',
    confirmPassword: 'New passwords do not match',
  });
  const right = { currentPassword: 'old', newPassword: '123456', confirmPassword: '123456' };
  expect(Object.values(checkPasswordChange(right, 'trader'))).toEqual([null, null, null]);
});

test('PROF-07, A47: the staff form has its own text for a mismatch', () => {
  const mismatch = { currentPassword: 'old', newPassword: '123456', confirmPassword: '654321' };
  expect(checkPasswordChange(mismatch, 'staff')).toEqual({
    currentPassword: null,
    newPassword: null,
    confirmPassword: 'Passwords do not match',
  });
  expect(checkPasswordChange(mismatch, 'trader').confirmPassword).toBe('New passwords do not match');
});

test('PROF-08, ERR-18: a wrong current password is reported at its field', () => {
  expect(toPasswordRefusal({ message: 'whatever', status: 400, code: 'invalid_credentials' })).toEqual({
    text: 'Current password is incorrect',
    at: 'currentPassword',
  });
});

test('PROF-10: a fault has the stated text, a rate limit states how long to wait, an ended session is recognised', () => {
  expect(toPasswordRefusal({ message: 'boom', status: 500 })).toEqual({ text: 'Failed to update password' });
  const message = 'Too many attempts. Please try again in 30 seconds.';
  expect(toPasswordRefusal({ message, status: 429 })).toEqual({ text: message });
  expect(
    toPasswordRefusal({ message: 'Auth session missing!', status: 400, name: 'AuthSessionMissingError' }),
  ).toEqual({ text: 'Failed to update password. Auth session missing!', isSessionOver: true });
});
