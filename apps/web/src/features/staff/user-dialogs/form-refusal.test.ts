import { texts } from '@fulcrum/contract/texts';
import { expect, test } from 'vitest';
import { RequestError } from '../../../shared/supabase/index.ts';
import { needsOwnPassword, toFormRefusal } from './form-refusal.ts';

const refused = (message: string) => new RequestError(message, 'conflict', 409);

test('ERR-51, ERR-58, ERR-60: without an answer the stated text alone, else with the reason', () => {
  const lost = new RequestError('TypeError: Failed to fetch', '', 0);
  expect(toFormRefusal(texts.updateUserFailed, lost)).toEqual({ text: 'Failed to update user' });
  expect(toFormRefusal(texts.assignManagerFailed, refused('Manager not found'))).toEqual({
    text: 'Failed to assign manager: Manager not found',
  });
  expect(toFormRefusal(texts.deleteUserFailed, refused(texts.busy))).toEqual({
    text: `Failed to delete user. Please try again. ${texts.busy}`,
  });
});

test('A46: a taken name or email is an error of its field', () => {
  expect(toFormRefusal('', refused(texts.usernameTaken)).at).toBe('username');
  expect(toFormRefusal('', refused(texts.emailTaken)).at).toBe('email');
});

test('A50: a request for the own password is no failure', () => {
  const refusal = refused(texts.currentPasswordNeeded);
  expect(needsOwnPassword(refusal)).toBe(true);
  expect(toFormRefusal('', refusal)).toEqual({ text: texts.currentPasswordNeeded, at: 'currentPassword' });
  expect(needsOwnPassword(refused(texts.currentPasswordIncorrect))).toBe(false);
});
