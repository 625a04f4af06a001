import { expect, test } from 'vitest';
import { validateReply } from './own-replies.ts';

const taken = new Set(['hello']);

test('a reply needs a unique shortcut and a text', () => {
  expect(validateReply({ shortcut: 'fees-2', content: 'There is one.' }, taken)).toEqual({});
  expect(validateReply({ shortcut: 'Fees', content: ' ' }, taken)).toEqual({
    shortcut: 'Use 1-24 lowercase letters, digits or hyphens. It can’t start with a hyphen.',
    content: 'Please write the reply.',
  });
  expect(validateReply({ shortcut: 'hello', content: 'x' }, taken).shortcut).toBe(
    'Another reply has this shortcut.',
  );
});
