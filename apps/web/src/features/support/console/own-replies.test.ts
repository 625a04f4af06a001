import { expect, test } from 'vitest';
import { faultsOf } from './own-replies.ts';

const taken = new Set(['hello']);

test('a reply needs a shortcut of its own and a text', () => {
  expect(faultsOf({ shortcut: 'fees-2', content: 'There is one.' }, taken)).toEqual({});
  expect(faultsOf({ shortcut: 'Fees', content: ' ' }, taken)).toEqual({
    shortcut: 'Up to 24 small letters, digits and hyphens.',
    content: 'Please write the reply.',
  });
  expect(faultsOf({ shortcut: 'hello', content: 'x' }, taken).shortcut).toBe(
    'Another reply of yours has this shortcut.',
  );
});
