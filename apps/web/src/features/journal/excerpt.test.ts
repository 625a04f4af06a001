import { expect, test } from 'vitest';
import { toExcerpt } from './excerpt.ts';

test.each([
  ['# Plan\n\nBuy the **retest**, *not* the `break`.', 'Plan Buy the retest, not the break.'],
  ['- one\n- two\n1. three\n> four', 'one two three four'],
  ['see [the chart](https://example.test/a(b)) ![pic](x.png)', 'see the chart pic'],
  ['```ts\ncode\n```\nafter\n---\nend', 'code after end'],
  ['2 * 3 * 4 and a_b_c', '2 * 3 * 4 and a_b_c'],
  ['<b>typed</b>', '<b>typed</b>'],
])('%j reads %j', (content, line) => {
  expect(toExcerpt(content)).toBe(line);
});

test('a long text is cut quickly and between whole characters', () => {
  const text = toExcerpt('𝒯'.repeat(10_000));
  expect(text.isWellFormed()).toBe(true);
  expect(text.length).toBeLessThanOrEqual(240);
  expect(toExcerpt('['.repeat(20_000))).toHaveLength(240);
  expect(toExcerpt('*'.repeat(20_000))).toHaveLength(0);
});
