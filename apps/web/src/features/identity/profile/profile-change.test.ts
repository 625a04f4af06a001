import { expect, test } from 'vitest';
import { RequestError } from '../../../shared/supabase/index.ts';
import { checkChanges, getProfileChanges, toProfileDraft, toProfileRefusal } from './profile-change.ts';

const user = { username: 'ab', email: 'ann@example.test', phoneNumber: null };

test('PROF-11: only different values are changes, and an unchanged name is not checked', () => {
  expect(getProfileChanges(user, toProfileDraft(user))).toEqual({});
  expect(getProfileChanges(user, { username: ' ab ', email: ' ANN@example.test', phoneNumber: ' ' })).toEqual(
    {},
  );
  const changes = getProfileChanges(user, {
    username: 'ab',
    email: 'Bea@example.test',
    phoneNumber: '+12025550143',
  });
  expect(changes).toEqual({ email: 'bea@example.test', phoneNumber: '+12025550143' });
  expect(Object.values(checkChanges(changes, 'secret'))).toEqual([null, null, null, null]);
});

test('PROF-03: each invalid field has the text of the registration, and a new email needs the current password', () => {
  const changes = getProfileChanges(user, { username: 'x', email: 'nowhere', phoneNumber: '0123' });
  expect(checkChanges(changes, '')).toEqual({
    username: 'Username must be at least 3 characters',
    email: 'Email is invalid',
    phoneNumber: 'Please enter a valid phone number in international format (e.g., +12345678900)',
    currentPassword: 'Password is required',
  });
  expect(checkChanges({ username: 'anna' }, '').currentPassword).toBeNull();
});

test('PROF-09, ERR-19: a refusal shows the server’s text at its field, a fault the stated text', () => {
  const refused = (text: string) => toProfileRefusal(new RequestError(text, 'conflict', 409));
  expect(refused('This username is taken.')).toEqual({ text: 'This username is taken.', at: 'username' });
  expect(refused('This email is already registered.')).toEqual({
    text: 'This email is already registered.',
    at: 'email',
  });
  expect(refused('Current password is incorrect').at).toBe('currentPassword');
  expect(toProfileRefusal(new RequestError('no', 'internal', 500))).toEqual({
    text: 'Failed to update profile',
  });
  expect(toProfileRefusal(new TypeError('Failed to fetch'))).toEqual({ text: 'Failed to update profile' });
});
