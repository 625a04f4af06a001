import { expect, test } from 'vitest';
import { isCheapToRender } from './markdown-cost.ts';

const chars = 20_000;

test.each([
  ['lists in lists', '- '.repeat(chars / 2)],
  ['numbered lists in lists', '1. '.repeat(6_000)],
  ['quotes in quotes', '>'.repeat(chars)],
  ['quotes and lists in turn', '> - '.repeat(chars / 4)],
  ['emphasis in emphasis', `${'*'.repeat(9_999)}a${'*'.repeat(9_999)}`],
  ['emphasis that never ends', '*a_ '.repeat(chars / 4)],
  ['links that never end', '[a]('.repeat(chars / 4)],
  ['many deep lists', `${'- '.repeat(8)}a\n`.repeat(1_000)],
  ['many small quotes', '> a\n\n'.repeat(4_000)],
  ['lines that end as an old Mac’s did', '- a\r'.repeat(5_000)],
  ['headings with a line under them', 'a\n=\n'.repeat(chars / 4)],
  ['headings of underlines', '=\n'.repeat(chars / 2)],
  ['lines that go on in a list', `- a\n${'b\n'.repeat(9_000)}`],
  ['lines that go on in quotes', `${'> '.repeat(16)}a\n${'b\n'.repeat(9_000)}`],
  ['short lists over short lines', `${'- a\n'.repeat(600)}${'b\n'.repeat(8_000)}`],
  [
    'lists that are nested deeper and deeper',
    Array.from({ length: 98 }, (_, n) => `${'\t'.repeat(n)}- a\n`).join(''),
  ],
])('%s are shown as plain text', (_what, text) => {
  expect(isCheapToRender(text)).toBe(false);
});

test.each([
  ['plain words', 'word '.repeat(chars / 5)],
  [
    'a long review',
    '## Trade\n\n- **Idea**: [retest](https://example.test)\n- *Mood*: calm\n\n> held\n\n'.repeat(200),
  ],
  ['rules and dashes', '- - -\n\n---\n\n*****\n\n- a - b - c'],
  ['negative figures', '-5 -6 2.5\n-7'],
  ['a long list of short lines', `${'- a\n'.repeat(500)}\n\n${'b\n'.repeat(2_000)}`],
  ['lists in lists, as users write them', '- a\n  - b\n    - c\n\t\t- d\n'.repeat(100)],
  ['paragraphs far apart', 'a\n\n\n\n'.repeat(2_000)],
  ['nothing', ''],
])('%s are rendered', (_what, text) => {
  expect(isCheapToRender(text)).toBe(true);
});
