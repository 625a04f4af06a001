/** Threat: a script that sends requests without end blocks the service for all others. */
import { expect, test } from 'vitest';
import { createRateLimiter } from '../../src/platform/rate-limit/rate-limiter.ts';
import { TooManyAttempts } from '../../src/platform/rate-limit/too-many-attempts.ts';
import { namedUsers, startRestServer } from './rest-server.ts';

test('X-20: a caller beyond the rate receives the waiting time, and others are not affected', async () => {
  const slow = { burst: 3, perSecond: 0.01 };
  const server = await startRestServer({ limits: { requestsOfUser: slow, requestsOfAddress: slow } });
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
    for (const user of ['nobody', 'nobody', null]) {
      await server.fetch(
        'trading_pairs',
        user === null ? {} : { headers: { authorization: `Bearer ${user}` } },
        null,
      );
    }
    expect((await server.fetch('trading_pairs', {}, null)).status).toBe(429);
  } finally {
    await server.close();
  }
});

test('CALL-45: rows that commands carry out cost as much as requests, and what is refused is not begun', async () => {
  const slow = { burst: 10, perSecond: 0.01 };
  const carriedOut: number[] = [];
  const server = await startRestServer({
    limits: { requestsOfUser: slow, requestsOfAddress: slow },
    writes: {
      'orders.insert': async (_caller, rows) => {
        carriedOut.push(rows.length);
        return [];
      },
      'orders.update': async (_caller, ids) => {
        carriedOut.push(ids.length);
        return [];
      },
    },
  });
  try {
    const order = { symbol: 'BTCUSDT', type: 'MARKET', side: 'BUY', size: 1, leverage: 1 } as const;
    const insert = (count: number) =>
      server
        .as('alice')
        .from('orders')
        .insert(Array.from({ length: count }, () => order));
    expect((await insert(8)).status).toBe(201);
    // Two tokens are left: one for the request, one more for its second row.
    const refused = await insert(3);
    expect([refused.status, refused.error?.code]).toEqual([429, 'too_many_attempts']);
    expect((await insert(1)).status).toBe(201);
    expect((await insert(1)).status).toBe(429);
    expect(carriedOut).toEqual([8, 1]);
    const cancel = server.as('bob').from('orders').update({ status: 'CANCELED' });
    expect((await cancel.eq('status', 'NEW')).error).toBeNull();
    expect(carriedOut).toEqual([8, 1, 1]);
  } finally {
    await server.close();
  }
});

test('a bucket fills up again, up to its burst', () => {
  let now = 0;
  const limiter = createRateLimiter({ burst: 2, perSecond: 1 }, undefined, () => now);
  limiter.take('a');
  limiter.take('a');
  expect(() => limiter.take('a')).toThrow(TooManyAttempts);
  now = 1000;
  limiter.take('a');
  expect(() => limiter.take('a')).toThrow('Please try again in 1 seconds.');
  now = 60_000;
  limiter.take('a');
  limiter.take('a');
  expect(() => limiter.take('a')).toThrow(TooManyAttempts);
});

test('the number of remembered callers is bounded', () => {
  const limiter = createRateLimiter({ burst: 1, perSecond: 1 }, undefined, () => 0);
  for (let i = 0; i < 20_100; i += 1) limiter.take(`caller ${i}`);
  expect(limiter.size()).toBe(20_000);
});

test('a command that is tried too often is answered with the waiting time as well', async () => {
  const server = await startRestServer({
    procedures: {
      safe_update_user_profile: async () => {
        throw new TooManyAttempts(900);
      },
    },
  });
  try {
    const refused = await server.fetch('rpc/safe_update_user_profile', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: namedUsers.alice.id }),
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900']);
  } finally {
    await server.close();
  }
});
