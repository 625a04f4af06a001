/**
 * Threat: a text of one request occupies the parser and blocks all other requests. The texts are as long as a URL may be; a
 * parser of more than linear cost exceeds the test's time.
 */
import { describe, expect, test } from 'vitest';
import { RestError } from '../../src/protocols/rest/errors.ts';
import { limits } from '../../src/protocols/rest/limits.ts';
import { parseTableRequest } from '../../src/protocols/rest/parse.ts';
import { request } from './parsing.ts';

/** Before and behind the part that is repeated: where the grammar reads a list, a group, a quote or a name. */
const positions = [
  ['symbol=eq(any).{', '{}'],
  ['symbol=eq(any).{"', '}'],
  ['symbol=like(all).{a', '"}'],
  ['symbol=in.(', '"'],
  ['symbol=in.("', ')'],
  ['symbol=ilike.', '\\'],
  ['or=(symbol.eq.{', ''],
  ['or=(symbol.eq.(', ''],
  ['or=(symbol.eq."', ''],
  ['or=(', ''],
  ['symbol=not.', ''],
  ['symbol=eq(', ''],
  ['closed_at=gt.', 'x'],
  ['size=gt.', 'x'],
  ['order="', ''],
  ['order=', '('],
  ['select="', ''],
  ['select=a', '-'],
] as const;
const repeated = [
  ' ',
  'a',
  ' a',
  '\\ ',
  '\\\\',
  '"',
  '"a"',
  '{',
  '(',
  ',',
  '.',
  '1',
  '-',
  '%',
  'not.',
  'and(',
];

describe.each(positions)('%s … %s', (before, behind) => {
  test.each(repeated)('a URL full of `%s` is read or refused', (part) => {
    const count = Math.floor((limits.urlChars - before.length - behind.length) / part.length);
    const text = `${before}${part.repeat(count)}${behind}`;
    const [name = '', value = ''] = [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)];
    const read = () =>
      parseTableRequest({ ...request('positions'), search: new URLSearchParams([[name, value]]) });
    let refusal: unknown;
    try {
      read();
    } catch (error) {
      refusal = error;
    }
    if (refusal !== undefined) expect(refusal).toBeInstanceOf(RestError);
  });
});

test('the one that was found: blanks in an array, and a sign that cannot follow them', () => {
  const search = new URLSearchParams([['symbol', `eq(any).{${' '.repeat(8000)}{}`]]);
  expect(() => parseTableRequest({ ...request('positions'), search })).toThrow(
    'invalid input syntax for type array',
  );
});

test('an array retains the blanks inside its elements and drops those around them', () => {
  const search = new URLSearchParams([['symbol', 'eq(any).{  a b , "  c " ,\\ d ,e\\  }']]);
  expect(parseTableRequest({ ...request('positions'), search })).toMatchObject({
    conditions: [{ values: ['a b', '  c ', ' d', 'e '] }],
  });
});
