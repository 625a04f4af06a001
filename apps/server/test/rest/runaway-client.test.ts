/** Threat: a script that asks without end takes the service from everybody else. */
import { expect, test } from 'vitest';
import { createRateLimiter, network, TooManyRequests } from '../../src/protocols/rest/rate.ts';
import { startRestServer } from './rest-server.ts';

test('X-20: who asks too often is told when to come back, and nobody else is', async () => {
  const slow = { burst: 3, perSecond: 0.01 };
  const server = await startRestServer({ limits: { perUser: slow, perAddress: slow } });
  try {
    for (let i = 0; i < 3; i += 1) expect((await server.fetch('wallets')).status).toBe(200);
    const refused = await server.fetch('wallets');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(90);
    expect(await refused.json()).toEqual({
      code: 'too_many_attempts',
      message: expect.stringMatching(/^Too many attempts\. Please try again in \d+ seconds\.$/),
      details: null,
      hint: null,
    });
    expect((await server.as('alice').from('wallets').select()).error).toMatchObject({
      code: 'too_many_attempts',
    });
    expect((await server.fetch('wallets', {}, 'bob')).status).toBe(200);
    // The address counts for callers without a session, refused credentials included.
    for (const person of ['nobody', 'nobody', null]) {
      await server.fetch(
        'trading_pairs',
        person === null ? {} : { headers: { authorization: `Bearer ${person}` } },
        null,
      );
    }
    expect((await server.fetch('trading_pairs', {}, null)).status).toBe(429);
  } finally {
    await server.close();
  }
});

test('a bucket fills up again, up to its burst', () => {
  let now = 0;
  const limiter = createRateLimiter({ burst: 2, perSecond: 1 }, () => now);
  limiter.take('a');
  limiter.take('a');
  expect(() => limiter.take('a')).toThrow(TooManyRequests);
  now = 1000;
  limiter.take('a');
  expect(() => limiter.take('a')).toThrow('Please try again in 1 seconds.');
  now = 60_000;
  limiter.take('a');
  limiter.take('a');
  expect(() => limiter.take('a')).toThrow(TooManyRequests);
});

test('the number of remembered callers is bounded', () => {
  const limiter = createRateLimiter({ burst: 1, perSecond: 1 }, () => 0);
  for (let i = 0; i < 20_100; i += 1) limiter.take(`caller ${i}`);
  expect(limiter.size()).toBe(20_000);
});

test('an IPv6 household is one address, an IPv4 address is itself', () => {
  expect(network('192.0.2.7')).toBe('192.0.2.7');
  expect(network('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(network('2001:db8:1:2:aaaa::1')).toBe('2001:db8:1:2');
  expect(network('2001:db8::1')).toBe('2001:db8:0:0');
  expect(network('::1')).toBe('0:0:0:0');
});
