import { expect, test } from 'vitest';
import { isPasswordUpdated } from './password-updated.ts';
import { recoveryLinkOf, resetText, updateRefusal, updateText } from './recovery.ts';

test('AUTH-33: a real failure of a reset request has the stated text, a rate limit says how long to wait', () => {
  expect(resetText({ message: 'boom', status: 500 })).toBe('Failed to send reset password email');
  expect(resetText({ message: 'Failed to fetch', status: 0 })).toBe('Failed to send reset password email');
  const message = 'Too many attempts. Please try again in 30 seconds.';
  expect(resetText({ message, status: 429 })).toBe(message);
});

test('AUTH-39: a failed update has the stated text, with the reason of a refusal', () => {
  expect(updateText({ message: 'boom', status: 500 })).toBe('Failed to update password');
  expect(updateText({ message: 'Failed to fetch', status: 0 })).toBe('Failed to update password');
  expect(updateText({ message: 'Password is too weak', status: 422 })).toBe(
    'Failed to update password. Password is too weak',
  );
  expect(updateText({ message: 'Password is too weak', status: 422, reasons: ['length'] })).toBe(
    'Failed to update password. Password must be at least 6 characters.',
  );
});

test('ERR-42: a session that is over is said in its own words and known as such', () => {
  const ended = { message: 'Auth session missing!', status: 400, name: 'AuthSessionMissingError' };
  expect(updateRefusal(ended)).toEqual({
    text: 'Failed to update password. Auth session missing!',
    isSessionOver: true,
  });
  expect(updateRefusal({ message: 'boom', status: 500 })).toEqual({ text: 'Failed to update password' });
});

test('A42: a link has a code, a token hash or both', () => {
  expect(recoveryLinkOf('?code=c&token_hash=t&type=recovery')).toEqual({ code: 'c', tokenHash: 't' });
  expect(recoveryLinkOf('?token_hash=t')).toEqual({ code: null, tokenHash: 't' });
  expect(recoveryLinkOf('')).toEqual({ code: null, tokenHash: null });
});

test('AUTH-40: only the note of a new password makes the login confirm one', () => {
  expect(isPasswordUpdated({ passwordUpdated: true })).toBe(true);
  for (const state of [null, undefined, 'x', {}, { passwordUpdated: 'true' }, { from: '/wallet' }]) {
    expect(isPasswordUpdated(state)).toBe(false);
  }
});
