import { describe, expect, test } from 'vitest';
import { type EntryFault, journalLimits, parseEntry, parseTags, tagsText } from './journal.ts';

describe('JRNL-07, JRNL-08, A88: tags', () => {
  test.each([
    ['breakout, btc', ['breakout', 'btc']],
    ['a,,b', ['a', 'b']],
    ['  a  ,\tb\n', ['a', 'b']],
    [' , ,', []],
    ['\u200b, \ufeff\u3164,a\u200b', ['a\u200b']],
    ['', []],
    ['BTC, btc, Btc', ['BTC']],
    ['plan  followed', ['plan followed']],
    ['a\0b', ['ab']],
    ['x\ud800', ['x\ufffd']],
    ['one; two', ['one; two']],
  ])('%j', (text, tags) => {
    expect(parseTags(text)).toEqual(tags);
  });

  test('the text of tags gives the same tags', () => {
    const tags = ['breakout', 'plan followed', 'Ärger'];
    expect(parseTags(tagsText(tags))).toEqual(tags);
  });
});

const typed = { title: 'Long BTC', content: 'Kept to the plan.', tags: 'btc' };

test('ENT-28: what was typed becomes an entry, trimmed where that changes no meaning', () => {
  expect(
    parseEntry({ title: '  Long \n BTC ', content: '\n  \n    code\n\ntext  \n\n', tags: 'b, a' }),
  ).toEqual({ kind: 'entry', entry: { title: 'Long BTC', content: '    code\n\ntext', tags: ['b', 'a'] } });
});

test.each<[string, Partial<typeof typed>, EntryFault[]]>([
  ['JRNL-05: a blank title', { title: ' \t\n ' }, ['title blank']],
  ['JRNL-05: a title of NUL characters', { title: '\0\0' }, ['title blank']],
  [
    'JRNL-05: a title of characters without a shape',
    { title: '\u200b\u2800\u3164 \u{e0020}' },
    ['title blank'],
  ],
  ['JRNL-06: content of them', { content: '\u00ad\n\u2060' }, ['content blank']],
  ['JRNL-06: blank content', { content: ' \n \n' }, ['content blank']],
  ['JRNL-05, JRNL-06: both', { title: '', content: '' }, ['title blank', 'content blank']],
  ['a long title', { title: 'x'.repeat(journalLimits.titleChars + 1) }, ['title too long']],
  ['long content', { content: 'x'.repeat(journalLimits.contentChars + 1) }, ['content too long']],
  ['a long tag', { tags: 'x'.repeat(journalLimits.tagChars + 1) }, ['tag too long']],
  [
    'many tags',
    { tags: Array.from({ length: journalLimits.tags + 1 }, (_, n) => `t${n}`).join() },
    ['too many tags'],
  ],
])('%s is refused', (_what, change, faults) => {
  expect(parseEntry({ ...typed, ...change })).toEqual({ kind: 'refused', faults });
});

test('everything at its limit is an entry', () => {
  const entry = parseEntry({
    title: 'x'.repeat(journalLimits.titleChars),
    content: 'x'.repeat(journalLimits.contentChars),
    tags: Array.from({ length: journalLimits.tags }, (_, n) =>
      `${n}`.padStart(journalLimits.tagChars, 't'),
    ).join(),
  });
  expect(entry.kind).toBe('entry');
});
