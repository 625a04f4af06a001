import { describe, expect, test } from 'vitest';
import { anchorsOf, brokenLinks, toAnchor } from './markdown-links.ts';

test.each([
  ['Both sides of one symbol', 'both-sides-of-one-symbol'],
  ['What `npm start` does: all of it', 'what-npm-start-does-all-of-it'],
  ['2026-11-22, 2 shared cores', '2026-11-22-2-shared-cores'],
  ['A [link](a.md) – and a_b', 'a-link--and-a_b'],
])('the anchor of "%s" is %s', (title, anchor) => {
  expect(toAnchor(title)).toBe(anchor);
});

test('anchors are headings, numbered when repeated, and ids; nothing in a code block', () => {
  const source = '# One\n## Two\n### Two\n- <a id="A01"></a>**A01**\n```sh\n# Three\n```\n';
  expect([...anchorsOf(source)]).toEqual(['one', 'two', 'two-1', 'A01']);
});

describe('links', () => {
  const target = { path: 'docs/b.md', source: '# Two words\n' };
  const exists = (path: string): boolean =>
    ['README.md', 'docs', 'docs/a.md', 'docs/b.md', 'docs/c.png'].includes(path);
  const faultsOf = (source: string, path = 'docs/a.md'): string[] =>
    brokenLinks([{ path, source }, target], exists);

  test.each([
    '[b](b.md)',
    '[b](./b.md#two-words)',
    '[root](../README.md#any)',
    '[folder](../docs)',
    '![image](c.png "title")',
    '<img src="c.png" alt="">',
    '# Here\n[here](#here)',
    '[there](https://example.org/x.md) [mail](mailto:a@b.c)',
    '`[code](x.md)` and ```\n[block](x.md)\n```',
  ])('%s leads somewhere', (source) => {
    expect(faultsOf(source)).toEqual([]);
  });

  test.each([
    ['\n[x](x.md)', 'docs/a.md:2 links to x.md, which does not exist'],
    ['[b](b.md#two)', 'docs/a.md:1 links to b.md#two, an anchor that docs/b.md does not have'],
    ['[here](#here)', 'docs/a.md:1 links to #here, an anchor that docs/a.md does not have'],
    ['[up](../../x.md)', 'docs/a.md:1 links to ../../x.md, which does not exist'],
    ['<img src="d.png">', 'docs/a.md:1 links to d.png, which does not exist'],
  ])('%s leads nowhere', (source, fault) => {
    expect(faultsOf(source)).toEqual([fault]);
  });
});
