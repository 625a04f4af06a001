import { expect, test } from 'vitest';
import { countText } from './MembersDialog.tsx';

test.each([
  [0, 0, 'No traders match. Try a part of the username or email.'],
  [8, 8, ''],
  [8, 23, '8 of 23 traders. Type more of the name to find the others.'],
])('%i shown of %i found traders: %j', (shown, total, text) => {
  expect(countText(shown, total)).toBe(text);
});
