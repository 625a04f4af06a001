/** Threat: resets of full accounts delay all other users' commands (SEC-F8). */
import { hourMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { defaultLimits } from '../../src/platform/limits/index.ts';
import { startTradingServer } from './trading-server.ts';

test('SEC-F8: an account is reset six times an hour; refusals and repeats do not count', async () => {
  const floor = await startTradingServer({ allowReset: true });
  try {
    const [trader, other] = [await floor.addUser('trader'), await floor.addUser('trader')];
    const reset = (by = trader, args: Record<string, unknown> = {}) => floor.call(by, 'reset_account', args);
    await floor.call(floor.admin, 'restrict_user', {
      p_user_id: trader.id,
      p_restricted: true,
      p_reason: 'Test',
    });
    for (let i = 0; i < 7; i += 1) expect((await reset()).status).toBe(403);
    await floor.call(floor.admin, 'restrict_user', {
      p_user_id: trader.id,
      p_restricted: false,
      p_reason: 'Test',
    });
    for (let i = 0; i < 6; i += 1) {
      expect((await reset(trader, { p_client_id: `reset ${i}` })).status).toBe(200);
      expect((await reset(trader, { p_client_id: `reset ${i}` })).status, 'a repeat').toBe(200);
    }
    expect(await reset()).toMatchObject({
      status: 429,
      code: 'too_many_attempts',
      message: 'Too many attempts. Please try again in 3600 seconds.',
    });
    expect((await reset(trader, { p_client_id: 'reset 5' })).status, 'still answered').toBe(200);
    expect((await reset(other)).status).toBe(200);
    floor.clock.advance(hourMs);
    expect((await reset({ ...trader, client: await floor.signIn(trader.email) })).status).toBe(200);
  } finally {
    await floor.close();
  }
});

test('SEC-F8: a reset costs the user’s rate one unit for every position and order that it ends', async () => {
  const slowly = { ...defaultLimits.requestsOfUser, burst: 62, perSecond: 0.01 };
  const floor = await startTradingServer({
    allowReset: true,
    limits: { ...defaultLimits, requestsOfUser: slowly },
  });
  try {
    const [trader, other] = [await floor.addUser('trader'), await floor.addUser('trader')];
    for (let i = 0; i < 20; i += 1) await floor.open(trader);
    const order = { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', price: 90, size: 1, leverage: 10 };
    const orders = await trader.client.from('orders').insert(Array.from({ length: 10 }, () => order));
    expect(orders.status).toBe(201);
    expect((await floor.call(trader, 'reset_account', {})).status).toBe(200);
    expect(await floor.rowsOf('positions', trader)).toHaveLength(20);
    // Of 62 the positions took 20, the orders 10, the reset 1 for itself and 30 for what it ended.
    const read = (by = trader) => by.client.from('wallets').select('id');
    expect((await read()).status).toBe(200);
    expect((await read()).status).toBe(429);
    expect((await read(other)).status).toBe(200);
  } finally {
    await floor.close();
  }
});
