import { describe, expect, test } from 'vitest';
import { encodeQr } from './encode.ts';

/** Of the codes that an independent reader (jsQR 1.4) read back as their text: a hash of their modules. */
async function hashOf(text: string): Promise<string> {
  const drawn = encodeQr(text)
    .map((row) => row.map((isDark) => (isDark ? '#' : ' ')).join(''))
    .join('\n');
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(drawn));
  return [...new Uint8Array(hash)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, 16);
}

describe('a QR code', () => {
  test('has the modules that a reader has read, in each version with a layout of its own', async () => {
    const invitation = 'https://trade.example.org/register?code=ABCDE-01234';
    const texts = [
      'h',
      'h'.repeat(42),
      invitation.padEnd(62, 'q9Z'),
      invitation.padEnd(122, 'q9Z'),
      invitation.padEnd(213, 'q9Z'),
    ];
    expect(await Promise.all(texts.map(hashOf))).toEqual([
      '3a34c886c7d6dbce',
      'a9f55953d7041767',
      'a392627ce513a176',
      '9299ec9c4e00fe1a',
      '416a8f69d6b8bb86',
    ]);
  });

  test('grows with its text, and refuses one that does not fit', () => {
    expect([1, 14, 15, 213].map((length) => encodeQr('x'.repeat(length)).length)).toEqual([21, 21, 25, 57]);
    expect(() => encodeQr('x'.repeat(214))).toThrow(RangeError);
  });
});
