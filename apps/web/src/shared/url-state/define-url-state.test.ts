import { expect, test } from 'vitest';
import {
  choiceField,
  choicesField,
  defineUrlState,
  optionalField,
  pageField,
  textField,
  uuidField,
} from './define-url-state.ts';

const { initial, parse, write } = defineUrlState({
  search: textField(5, 'q'),
  tab: choiceField(['open', 'closed'], 'open'),
  roles: choicesField(['trader', 'admin']),
  row: optionalField((text) => (/^\d+$/.test(text) ? Number(text) : null)),
  user: uuidField(),
  page: pageField(200),
});
const read = (text: string, prefix = '') => parse(new URLSearchParams(text), prefix);
const written = (text: string, changes: Partial<typeof initial>, prefix = '') =>
  `${write(new URLSearchParams(text), changes, prefix)}`;

test('a state is written and read back; the parameters of other parts stay', () => {
  const user = '00000000-0000-4000-8000-000000000001';
  const state = {
    ...initial,
    search: 'a & b',
    tab: 'closed',
    roles: ['admin'],
    row: 0,
    user,
    page: 2,
  } as const;
  const text = written('other=1&page=9', state);
  expect(text).toContain('other=1');
  expect(read(text)).toEqual(state);
  expect(written(text, initial)).toBe('other=1');
});

test.each([
  'tab=sold',
  'roles=owner',
  'row=-1',
  'user=me',
  'page=0',
  'page=1.5',
  'page=201',
  'page=x',
  'page=',
])('%s is the default', (text) => expect(read(text)).toEqual(initial));

test('a text is cut, and has no characters that the server refuses', () => {
  expect(read('q=%00abcdefg').search).toBe('abcde');
  expect(read(`q=abcd${encodeURIComponent('\u{1F600}')}`).search.isWellFormed()).toBe(true);
});

test('a prefix separates two lists of one page; a change writes its own fields alone', () => {
  expect(read('page=2&b_page=3', 'b_').page).toBe(3);
  expect(written('page=2&b_page=3&b_tab=sold', { page: 1 }, 'b_')).toBe('page=2&b_tab=sold');
});
