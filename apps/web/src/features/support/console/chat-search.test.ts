import { expect, test } from 'vitest';
import { getExcerpt, isSearchable } from './chat-search.ts';

test('search: an excerpt is one line around the first word that was found', () => {
  expect(getExcerpt('Where is my\n\nMargin today?', 'marg')).toEqual({
    before: 'Where is my ',
    match: 'Marg',
    after: 'in today?',
  });
  const long = getExcerpt(`${'word '.repeat(20)}zebra ${'after '.repeat(60)}`, 'zebra');
  expect(long.before).toMatch(/^…/);
  expect(long.before.length + long.match.length + long.after.length).toBeLessThanOrEqual(141);
  expect(getExcerpt('nothing of it', 'zebra').match).toBe('');
  // Characters that reverse the text direction are shown, not applied.
  expect(getExcerpt('a\u202eb', 'zebra').before).toBe('a\ufffdb');
});

test('search: one character is not searched for', () => {
  expect(['', ' a ', 'ab'].map(isSearchable)).toEqual([false, false, true]);
});
