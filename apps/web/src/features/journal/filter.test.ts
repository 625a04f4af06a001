import { describe, expect, test } from 'vitest';
import { defineUrlState } from '../../shared/url-state/index.ts';
import {
  countTags,
  filterFields,
  isFiltered,
  isTagSearchCut,
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

describe('a text that many tags contain', () => {
  const manyTags = (count: number, tagOf: (n: number) => string) =>
    countTags(Array.from({ length: count }, (_, n) => ({ tags: [tagOf(n)] })));
  const listsOf = (operand: string | null) =>
    [...(operand ?? '').matchAll(/tags\.ov\."((?:[^"\\]|\\.)*)"/g)].map(([, list = '']) =>
      list.replaceAll(/\\(.)/g, '$1'),
    );

  test('finds all of them, in lists of at most 1,000 characters', () => {
    const filter = filterOf('search=setup');
    const tags = manyTags(90, (n) => `setup number ${n}`);
    const lists = listsOf(textOperand(filter, tags));
    expect(lists.length).toBeGreaterThan(1);
    expect(Math.max(...lists.map((list) => list.length))).toBeLessThanOrEqual(1_000);
    expect(lists.flatMap((list) => [...list.matchAll(/"([^"]*)"/g)].map(([, tag]) => tag))).toEqual(
      tags.map(({ tag }) => tag),
    );
    expect(isTagSearchCut(filter, tags)).toBe(false);
  });

  test.each([
    ['a letter', 'a'],
    ['three bytes a character', '列'],
    ['an escaped character', '\\'],
  ])('finds the most used ones as far as the address has room: %s', (_, character) => {
    const text = character.repeat(38);
    const tags = manyTags(99, (n) => `${text}${n}`);
    const filter = { text, tag: tags[0]?.tag ?? '' };
    expect(isTagSearchCut(filter, tags)).toBe(true);
    const operands = [textOperand(filter, tags), tagOperand(filter, tags)];
    expect(listsOf(operands[0] ?? '')[0]).toContain(listLiteral([filter.tag]).slice(1, -1));
    const query = new URLSearchParams(operands.map((operand) => ['or', operand ?? '']));
    expect(`${query}`.length).toBeLessThan(7_400);
  });
});

test('a list literal escapes its own special characters', () => {
  expect(listLiteral(['a', 'b"c', 'd\\', 'e,f'])).toBe(String.raw`{"a","b\"c","d\\","e,f"}`);
});
