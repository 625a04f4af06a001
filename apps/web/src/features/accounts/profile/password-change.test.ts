import { expect, test } from 'vitest';
import { checkPasswordChange, passwordRefusal } from './password-change.ts';

test('PROF-05, PROF-06, ERR-16, ERR-17: a short new password and a different confirmation are refused in this form’s words', () => {
  expect(
    checkPasswordChange({ currentPassword: '', newPassword: '12345', confirmPassword: '54321' }),
  ).toEqual({
    currentPassword: 'Password is required',
    newPassword: 'New password must be at least 6 characters long',
    confirmPassword: 'New passwords do not match',
  });
  const right = { currentPassword: 'old', newPassword: '123456', confirmPassword: '123456' };
  expect(Object.values(checkPasswordChange(right))).toEqual([null, null, null]);
});

test('PROF-08, ERR-18: a wrong current password is said at its field', () => {
  expect(passwordRefusal({ message: 'whatever', status: 400, code: 'invalid_credentials' })).toEqual({
    text: 'Current password is incorrect',
    at: 'currentPassword',
  });
});

test('PROF-10: a fault has the stated text, a rate limit says how long to wait, an ended session is known as such', () => {
  expect(passwordRefusal({ message: 'boom', status: 500 })).toEqual({ text: 'Failed to update password' });
  const message = 'Too many attempts. Please try again in 30 seconds.';
  expect(passwordRefusal({ message, status: 429 })).toEqual({ text: message });
  expect(
    passwordRefusal({ message: 'Auth session missing!', status: 400, name: 'AuthSessionMissingError' }),
  ).toEqual({ text: 'Failed to update password. Auth session missing!', isSessionOver: true });
});
