import { expect, test } from 'vitest';
import { defineUrlState } from '../../shared/url-state/index.ts';
import {
  countTags,
  filterFields,
  isFiltered,
  listLiteral,
  searchChars,
  tagOperand,
  textOperand,
} from './filter.ts';

const filterOf = (query: string) => defineUrlState(filterFields).parse(new URLSearchParams(query));
const counted = countTags([
  { tags: ['BTC', 'plan'] },
  { tags: ['btc'] },
  { tags: ['Btc', 'btc'] },
  { tags: [] },
]);

test('the address contains the search', () => {
  expect(filterOf('search=long&tag=btc')).toEqual({ text: 'long', tag: 'btc' });
  expect(filterOf('')).toEqual({ text: '', tag: null });
  expect(filterOf('tag=').tag).toBeNull();
  expect(filterOf('search=a%00b&tag=%00')).toEqual({ text: 'ab', tag: null });
  expect(filterOf(`search=${'x'.repeat(500)}`).text).toHaveLength(searchChars);
  expect([filterOf('search=%20'), filterOf('tag=a')].map(isFiltered)).toEqual([false, true]);
});

test('a tag is counted once per entry, in all its spellings, the most used first', () => {
  expect(counted.map(({ tag, count }) => [tag, count])).toEqual([
    ['btc', 3],
    ['plan', 1],
  ]);
  expect(new Set(counted[0]?.spellings)).toEqual(new Set(['btc', 'BTC']));
  const even = countTags([{ tags: ['b'] }, { tags: ['a'] }]);
  expect(even.map(({ tag }) => tag)).toEqual(['a', 'b']);
});

test('a chosen tag matches every spelling, an unused one only itself', () => {
  expect(
    tagOperand(filterOf('tag=bTc'), countTags([{ tags: ['BTC'] }, { tags: ['btc'] }, { tags: ['btc'] }])),
  ).toBe('{"btc","BTC"}');
  expect(tagOperand(filterOf('tag=gone'), [])).toBe('{"gone"}');
  expect(tagOperand(filterOf(''), counted)).toBeNull();
});

test('a text is searched in title, text and tags, whatever characters it contains', () => {
  expect(textOperand(filterOf('search=pla'), counted)).toBe(
    String.raw`title.ilike."*pla*",content.ilike."*pla*",tags.ov."{\"plan\"}"`,
  );
  expect(textOperand({ text: '50%_"a,b"\\)', tag: null }, [])).toBe(
    String.raw`title.ilike."*50\\%\\_\"a,b\"\\\\)*",content.ilike."*50\\%\\_\"a,b\"\\\\)*"`,
  );
  expect(textOperand(filterOf('search=%20'), counted)).toBeNull();
});

test('a list literal escapes its own special characters', () => {
  expect(listLiteral(['a', 'b"c', 'd\\', 'e,f'])).toBe(String.raw`{"a","b\"c","d\\","e,f"}`);
});
