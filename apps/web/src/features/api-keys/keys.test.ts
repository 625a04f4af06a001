import { apiKeyFaults } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { RequestError } from '../../shared/supabase/index.ts';
import { isLive, type ListedKey, parseAddressList, toEndOfDay, toKeyRefusal } from './keys.ts';

test('addresses are separated by commas, blanks or lines', () => {
  expect(parseAddressList(' 192.0.2.7, 2001:db8::/32\n10.0.0.0/8 ')).toEqual([
    '192.0.2.7',
    '2001:db8::/32',
    '10.0.0.0/8',
  ]);
  expect(parseAddressList(' , ')).toEqual([]);
});

test('a key works until the end of its last day, where the viewer is', () => {
  expect(toEndOfDay('')).toBeNull();
  const end = new Date(toEndOfDay('2027-03-01') ?? '');
  expect([end.getFullYear(), end.getMonth(), end.getDate(), end.getHours()]).toEqual([2027, 2, 1, 23]);
});

test('a fault of a new key is shown at its field, any other one below the button', () => {
  const refuse = (message: string) => toKeyRefusal(new RequestError(message, 'invalid_argument', 400));
  expect(refuse(apiKeyFaults.nameTaken).at).toBe('name');
  expect(refuse(apiKeyFaults.endPassed).at).toBe('expires');
  expect(refuse(apiKeyFaults.tooManyAddresses).at).toBe('addresses');
  expect(refuse(apiKeyFaults.addressInvalid('home'))).toEqual({
    text: apiKeyFaults.addressInvalid('home'),
    at: 'addresses',
  });
  expect(refuse('This account has 10 keys. Revoke one first.')).toEqual({
    text: 'This account has 10 keys. Revoke one first.',
  });
});

test('a key is live until it is revoked or expires', () => {
  const key = (more: Partial<ListedKey>) => ({ revokedAt: null, expiresAt: null, ...more }) as ListedKey;
  const now = Date.parse('2027-01-01T00:00:00Z');
  expect(isLive(key({}), now)).toBe(true);
  expect(isLive(key({ expiresAt: '2027-01-01T00:00:00.001Z' }), now)).toBe(true);
  expect(isLive(key({ expiresAt: '2027-01-01T00:00:00Z' }), now)).toBe(false);
  expect(isLive(key({ revokedAt: '2026-01-01T00:00:00Z' }), now)).toBe(false);
});
