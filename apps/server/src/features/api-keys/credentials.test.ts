import { expect, test } from 'vitest';
import { createSecretBox, isSameSecret, isWellFormed, newApiKey, newSecret } from './credentials.ts';

test('A119: a key has its prefix and 256 random bits, of letters and digits', () => {
  const [one, two] = [newApiKey(), newApiKey()];
  expect(one).toMatch(/^paper_[0-9A-Za-z]{43}$/);
  expect(one).not.toBe(two);
  expect(newSecret()).toMatch(/^[0-9A-Za-z]{43}$/);
  expect(isWellFormed(one)).toBe(true);
});

test.each([
  '',
  'paper_',
  'paper_short',
  `live_${'a'.repeat(43)}`,
  `paper_${'a'.repeat(42)}-`,
  `paper_${'a'.repeat(44)}`,
  `paper_${'a'.repeat(43)}\n`,
])('A119: %j has not the form of a key', (text) => expect(isWellFormed(text)).toBe(false));

test('A119: a stored secret opens under the same key and id only, and unaltered', () => {
  const box = createSecretBox('server key');
  const secret = newSecret();
  const sealed = box.seal('id-1', secret);
  expect(sealed).toHaveLength(71);
  expect(sealed.includes(secret)).toBe(false);
  expect(box.open('id-1', sealed)).toBe(secret);
  expect(box.seal('id-1', secret)).not.toEqual(sealed);
  expect(() => box.open('id-2', sealed)).toThrow();
  expect(() => createSecretBox('another').open('id-1', sealed)).toThrow();
  const altered = Buffer.from(sealed);
  altered[altered.length - 1]! ^= 1;
  expect(() => box.open('id-1', altered)).toThrow();
});

test('secrets of any length are compared', () => {
  expect(isSameSecret('abc', 'abc')).toBe(true);
  expect(isSameSecret('abd', 'abc')).toBe(false);
  expect(isSameSecret('', 'abc')).toBe(false);
});
