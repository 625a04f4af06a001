import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaceBidiControls, splitLinks } from './pieces.ts';

const linksOf = (text: string) =>
  splitLinks(text).flatMap((piece) => (piece.kind === 'link' ? [piece.href] : []));
const textOf = (text: string) =>
  splitLinks(text)
    .map((piece) => piece.text)
    .join('');

test.each([
  ['see https://example.com/a?b=1#c now', ['https://example.com/a?b=1#c']],
  ['http://example.com', ['http://example.com/']],
  ['HTTPS://EXAMPLE.com/A', ['https://example.com/A']],
  ['(https://example.com/a)', ['https://example.com/a']],
  ['https://example.com/a_(b)', ['https://example.com/a_(b)']],
  ['https://example.com/a, and https://example.org!', ['https://example.com/a', 'https://example.org/']],
  ['https://example.com/a...', ['https://example.com/a']],
  ['"https://example.com/a"', ['https://example.com/a']],
])('%s has its links', (text, expected) => {
  expect(linksOf(text)).toEqual(expected);
  expect(textOf(text)).toBe(text);
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://example.com',
  '//example.com',
  'www.example.com',
  'mailto:a@example.com',
  'https://',
  'https:///x',
  'http://localhost/x',
  'https://support.example@evil.example/login',
  'https://user:pass@example.com/',
  'https://example.com/\u202efdp.exe',
  'https://exa\u200bmple.com/',
  'https://exam\u2066ple\u2069.com/',
  '<a href="javascript:alert(1)">https</a>',
])('%j is text alone', (text) => {
  expect(linksOf(text)).toEqual([]);
});

test('a host name in look-alike letters is shown in ASCII form', () => {
  expect(splitLinks('https://\u0430pple.com/x')).toEqual([
    { kind: 'link', text: 'https://xn--pple-43d.com/x', href: 'https://xn--pple-43d.com/x' },
  ]);
});

test('a direction-changing character is replaced by a mark', () => {
  expect(replaceBidiControls('a\u202eb\u2067c')).toBe('a\ufffdb\ufffdc');
  expect(textOf('see \u202egnp.exe')).toBe('see \ufffdgnp.exe');
});

test('every link is http or https and leads to the host it shows', () => {
  const hostile = fc.array(
    fc.oneof(
      fc.constantFrom(
        'https://',
        'http://',
        'javascript:',
        'example.com',
        '@',
        '/',
        '\u202e',
        '(',
        ')',
        '.',
        ' ',
        '\\',
        '\t',
        '%2e',
        ':',
        '#',
        '?',
      ),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    ),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(hostile, (parts) => {
      for (const piece of splitLinks(parts.join(''))) {
        if (piece.kind !== 'link') continue;
        const { protocol, hostname, username } = new URL(piece.href);
        expect(['http:', 'https:']).toContain(protocol);
        expect(username).toBe('');
        expect(piece.text.toLowerCase()).toContain(hostname.split('.').at(-1));
        expect(new URL(piece.text).href).toBe(piece.href);
      }
    }),
  );
});

test('a message has at most twenty links', () => {
  expect(linksOf('https://example.com/ '.repeat(30))).toHaveLength(20);
});
