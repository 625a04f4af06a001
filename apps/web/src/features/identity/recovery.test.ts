import { expect, test } from 'vitest';
import { isPasswordUpdated } from './password-updated.ts';
import { parseRecoveryLink, resetFailureText, toUpdateRefusal, updateFailureText } from './recovery.ts';

test('AUTH-33: a real failure of a reset request has the stated text, a rate limit states how long to wait', () => {
  expect(resetFailureText({ message: 'boom', status: 500 })).toBe('Failed to send reset password email');
  expect(resetFailureText({ message: 'Failed to fetch', status: 0 })).toBe(
    'Failed to send reset password email',
  );
  const message = 'Too many attempts. Please try again in 30 seconds.';
  expect(resetFailureText({ message, status: 429 })).toBe(message);
});

test('AUTH-39: a failed update has the stated text, with the reason of a refusal', () => {
  expect(updateFailureText({ message: 'boom', status: 500 })).toBe('Failed to update password');
  expect(updateFailureText({ message: 'Failed to fetch', status: 0 })).toBe('Failed to update password');
  expect(updateFailureText({ message: 'Password is too weak', status: 422 })).toBe(
    'Failed to update password. Password is too weak',
  );
  expect(updateFailureText({ message: 'Password is too weak', status: 422, reasons: ['length'] })).toBe(
    'Failed to update password. Password must be at least 6 characters.',
  );
});

test('ERR-42: an ended session has its own text and is recognised', () => {
  const ended = { message: 'Auth session missing!', status: 400, name: 'AuthSessionMissingError' };
  expect(toUpdateRefusal(ended)).toEqual({
    text: 'Failed to update password. Auth session missing!',
    isSessionOver: true,
  });
  expect(toUpdateRefusal({ message: 'boom', status: 500 })).toEqual({ text: 'Failed to update password' });
});

test('A42: a link has a code, a token hash or both', () => {
  expect(parseRecoveryLink('?code=c&token_hash=t&type=recovery')).toEqual({ code: 'c', tokenHash: 't' });
  expect(parseRecoveryLink('?token_hash=t')).toEqual({ code: null, tokenHash: 't' });
  expect(parseRecoveryLink('')).toEqual({ code: null, tokenHash: null });
});

test('AUTH-40: only the state of a new password makes the login page confirm one', () => {
  expect(isPasswordUpdated({ passwordUpdated: true })).toBe(true);
  for (const state of [null, undefined, 'x', {}, { passwordUpdated: 'true' }, { from: '/wallet' }]) {
    expect(isPasswordUpdated(state)).toBe(false);
  }
});
