import { expect, test } from 'vitest';
import { blankDraft, draftFor } from './draft.ts';

test('AUTH-42: what somebody wrote while signed in is shown to nobody else in the tab', () => {
  const written = { ...blankDraft, message: 'About my account', userId: 'a' };
  expect(draftFor(written, 'a')).toEqual(written);
  expect(draftFor(written, 'b')).toEqual({ ...blankDraft, userId: 'b' });
  expect(draftFor(written, null)).toEqual(blankDraft);
});

test('what a visitor wrote comes along when they sign in', () => {
  const written = { ...blankDraft, message: 'I cannot log in' };
  expect(draftFor(written, 'a')).toEqual({ ...written, userId: 'a' });
});
