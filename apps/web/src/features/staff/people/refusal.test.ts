import { texts } from '@fulcrum/contract/texts';
import { expect, test } from 'vitest';
import { RequestError } from '../../../shared/supabase/index.ts';
import { asksForProof, refusalOf } from './refusal.ts';

const refused = (message: string) => new RequestError(message, 'conflict', 409);

test('ERR-51, ERR-58, ERR-60: the stated text alone when nobody answered, else with the reason', () => {
  const lost = new RequestError('TypeError: Failed to fetch', '', 0);
  expect(refusalOf(texts.updateUserFailed, lost)).toEqual({ text: 'Failed to update user' });
  expect(refusalOf(texts.assignManagerFailed, refused('Manager not found'))).toEqual({
    text: 'Failed to assign manager: Manager not found',
  });
  expect(refusalOf(texts.deleteUserFailed, refused(texts.busy))).toEqual({
    text: `Failed to delete user. Please try again. ${texts.busy}`,
  });
});

test('A46: a name or an email that is taken is said at its field', () => {
  expect(refusalOf('', refused(texts.usernameTaken)).at).toBe('username');
  expect(refusalOf('', refused(texts.emailTaken)).at).toBe('email');
});

test('A50: the question for the own password is no failure', () => {
  const asked = refused(texts.currentPasswordNeeded);
  expect(asksForProof(asked)).toBe(true);
  expect(refusalOf('', asked)).toEqual({ text: texts.currentPasswordNeeded, at: 'currentPassword' });
  expect(asksForProof(refused(texts.currentPasswordIncorrect))).toBe(false);
});
