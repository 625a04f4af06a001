import { expect, test } from 'vitest';
import { createAddressCheck, parseAddresses } from './addresses.ts';

test('A119: addresses and networks of both families, each once in its stored form', () => {
  expect(
    parseAddresses([' 192.0.2.7 ', '192.0.2.7', '2001:DB8::/32', '::ffff:198.51.100.4', '10.0.0.0/8']),
  ).toEqual(['192.0.2.7', '2001:db8::/32', '198.51.100.4', '10.0.0.0/8']);
});

test.each([
  '',
  'host.example',
  '192.0.2',
  '192.0.2.0/33',
  '192.0.2.0/-1',
  '192.0.2.0/',
  '::/129',
  'fe80::1%eth0',
  '1.2.3.4/8/8',
  '1.2.3.4:80',
])('A119: %j is neither', (text) =>
  expect(() => parseAddresses([text])).toThrow(/^Not an IPv4 or IPv6 address/),
);

test('A119: an empty list admits everybody, another one what it names, in any notation', () => {
  expect(createAddressCheck([])('192.0.2.7')).toBe(true);
  const allows = createAddressCheck(['192.0.2.7', '10.1.0.0/16', '2001:db8::/32']);
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '[::ffff:10.1.2.3]:443', '2001:db8:1::5'])
    expect([address, allows(address)]).toEqual([address, true]);
  for (const address of ['192.0.2.8', '10.2.0.1', '2001:db9::1', '::1', 'unknown', ''])
    expect([address, allows(address)]).toEqual([address, false]);
});
