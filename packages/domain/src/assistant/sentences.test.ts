import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSentenceSplitter } from './sentences.ts';

const split = (...parts: readonly string[]): readonly string[] => {
  const splitter = createSentenceSplitter();
  return [...parts.flatMap((part) => splitter.push(part)), ...splitter.end()];
};

test.each([
  ['One. Two! Three? Four', ['One.', 'Two!', 'Three?', 'Four']],
  ['It is 10.5 USDT. Fine.', ['It is 10.5 USDT.', 'Fine.']],
  ['First line\nSecond line', ['First line', 'Second line']],
  ['1. One thing.\n2. Another thing.', ['One thing.', 'Another thing.']],
  ['- One\n* Two\n• Three', ['One', 'Two', 'Three']],
  ['## Title\n**Bold** and `code`.', ['Title', 'Bold and code.']],
  ['It is "stop." Then more.', ['It is "stop."', 'Then more.']],
  ['\n\n  \n', []],
  ['It costs 5.\n10 are left.', ['It costs 5.', '10 are left.']],
])('%j', (text, sentences) => expect(split(text)).toEqual(sentences));

test('how the text arrives makes no difference', () => {
  const text = '1. Your balance is 10234.57 USDT. It is fine!\n- **Next**: nothing. End';
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 80 }), (lengths) => {
      const parts: string[] = [];
      let from = 0;
      for (const length of lengths) {
        parts.push(text.slice(from, from + length));
        from += length;
      }
      expect(split(...parts, text.slice(from))).toEqual(split(text));
    }),
  );
});

test('a text without an end is cut', () => {
  const splitter = createSentenceSplitter();
  expect(splitter.push('a '.repeat(2_000))).toHaveLength(1);
});
