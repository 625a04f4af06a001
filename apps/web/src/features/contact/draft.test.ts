import { expect, test } from 'vitest';
import { blankDraft, getDraftFor } from './draft.ts';

test('AUTH-42: the draft of a signed-in user is never shown to another user of the tab', () => {
  const written = { ...blankDraft, message: 'About my account', userId: 'a' };
  expect(getDraftFor(written, 'a')).toEqual(written);
  expect(getDraftFor(written, 'b')).toEqual({ ...blankDraft, userId: 'b' });
  expect(getDraftFor(written, null)).toEqual(blankDraft);
});

test('the draft of a visitor stays after sign-in', () => {
  const written = { ...blankDraft, message: 'I cannot log in' };
  expect(getDraftFor(written, 'a')).toEqual({ ...written, userId: 'a' });
});
