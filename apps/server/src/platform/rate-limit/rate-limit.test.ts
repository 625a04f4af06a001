import { describe, expect, test } from 'vitest';
import { bareAddress } from '../ip-addresses.ts';
import { defaultLimits } from '../limits/index.ts';
import { createLog } from '../log/index.ts';
import { rateLimitAddress } from './address.ts';
import { refundAttempt } from './window-counter.ts';

describe('rateLimitAddress', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('attempts from %s count for %s', (ip, counted) => {
    expect(rateLimitAddress(ip)).toBe(counted);
  });

  test.each([
    ['10.1.0.1:555', '10.1.0.1'],
    ['::ffff:0a01:1', '10.1.0.1'],
    ['0:0:0:0:0:ffff:10.1.0.1', '10.1.0.1'],
    ['[::ffff:10.1.0.1]:443', '10.1.0.1'],
    ['[2001:db8::9]', '2001:db8::9'],
    ['[::1]:80', '::1'],
    ['2001:db8::4%eth0', '2001:db8::4'],
    ['[fe80::1%eth0]:80', 'fe80::1'],
  ])('SEC-F5: %s counts as %s, however a proxy writes it', (written, plain) => {
    expect(rateLimitAddress(written)).toBe(rateLimitAddress(plain));
    expect(bareAddress(written)).toBe(plain);
  });

  test.each(['unknown', '_hidden:80', '300.1.1.1', '[::1', '1:2:3', '%eth0'])(
    'SEC-F5: %s is no address, and counts as it is',
    (written) => {
      expect(bareAddress(written)).toBeNull();
      expect(rateLimitAddress(written)).toBe(written);
    },
  );
});

test('SEC-F8, SEC-F10: logs an attempt that cannot be refunded and returns the result', async () => {
  const lines: string[] = [];
  const log = createLog({ logLevel: 'warn' }, { write: (line: string) => void lines.push(line) });
  const db = { query: () => Promise.reject(new Error('connection lost')) };
  await refundAttempt(db, log, defaultLimits.resetOfAccount, 'some user');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ msg: 'an attempt could not be given back', limit: 'reset:account' }),
  ]);
});
