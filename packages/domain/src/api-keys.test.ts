import { expect, test } from 'vitest';
import { apiKeyNameMax, checkApiKeyName, normaliseApiKeyName } from './api-keys.ts';

test('A119: the name of a key is a text that a list can show', () => {
  expect(checkApiKeyName(' My bot ')).toBeNull();
  expect(checkApiKeyName('x'.repeat(apiKeyNameMax))).toBeNull();
  expect(checkApiKeyName('  ')).toBe('Give the key a name.');
  expect(checkApiKeyName('x'.repeat(apiKeyNameMax + 1))).toBe('A name has at most 40 characters.');
  expect(checkApiKeyName('a\u202eb')).toBe('The name must not contain invisible characters.');
  expect(normaliseApiKeyName(' e\u0301 ')).toBe('\u00e9');
});
