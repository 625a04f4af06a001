import { expect, test } from 'vitest';
import { RequestError } from '../../../shared/supabase/index.ts';
import { changesOf, checkChanges, draftOf, profileRefusal } from './profile-change.ts';

const user = { username: 'ab', email: 'ann@example.test', phoneNumber: null };

test('PROF-11: only what differs is a change, and a name that stays is not judged', () => {
  expect(changesOf(user, draftOf(user))).toEqual({});
  expect(changesOf(user, { username: ' ab ', email: ' ANN@example.test', phoneNumber: ' ' })).toEqual({});
  const changes = changesOf(user, { username: 'ab', email: 'Bea@example.test', phoneNumber: '+12025550143' });
  expect(changes).toEqual({ email: 'bea@example.test', phoneNumber: '+12025550143' });
  expect(Object.values(checkChanges(changes, 'secret'))).toEqual([null, null, null, null]);
});

test('PROF-03: each wrong field has the registration’s text, and a new email needs the current password', () => {
  const changes = changesOf(user, { username: 'x', email: 'nowhere', phoneNumber: '0123' });
  expect(checkChanges(changes, '')).toEqual({
    username: 'Username must be at least 3 characters',
    email: 'Email is invalid',
    phoneNumber: 'Please enter a valid phone number in international format (e.g., +12345678900)',
    currentPassword: 'Password is required',
  });
  expect(checkChanges({ username: 'anna' }, '').currentPassword).toBeNull();
});

test('PROF-09, ERR-19: a refusal has the server’s words at the field they are about, a fault the stated text', () => {
  const refused = (text: string) => profileRefusal(new RequestError(text, 'conflict', 409));
  expect(refused('This username is taken.')).toEqual({ text: 'This username is taken.', at: 'username' });
  expect(refused('This email is already registered.')).toEqual({
    text: 'This email is already registered.',
    at: 'email',
  });
  expect(refused('Current password is incorrect').at).toBe('currentPassword');
  expect(profileRefusal(new RequestError('no', 'internal', 500))).toEqual({
    text: 'Failed to update profile',
  });
  expect(profileRefusal(new TypeError('Failed to fetch'))).toEqual({ text: 'Failed to update profile' });
});
