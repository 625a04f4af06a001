/** The price of an order that waits is moved, through the official client (A20). */
import { randomUUID } from 'node:crypto';
import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { eventually } from '../harness/eventually.ts';
import { done, floor, refusal, shareTradingServer, type TestUser } from './trading-server.ts';

let trader: TestUser;
shareTradingServer();
beforeEach(async () => {
  floor.feed.setPrice('BTCUSDT', '100', { breaks: false });
  trader = await floor.addUser('trader');
});

interface Row {
  readonly id: string;
  readonly price: number;
  readonly reserved: number;
  readonly status: string;
  readonly version: number;
}
/** A LIMIT BUY of 1 at 90 and leverage 10 by default: 9 are reserved. */
const placed = async (more: Record<string, unknown> = {}): Promise<Row> => {
  const order = { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', price: 90, size: 1, leverage: 10, ...more };
  const { data, error } = await trader.client
    .from('orders')
    .insert(order as never)
    .select()
    .single();
  if (error) throw error;
  return data as unknown as Row;
};
const amend = (id: string, to: number | string, more: Record<string, unknown> = {}, by = trader) =>
  by.client.rpc('amend_order', { p_order_id: id, p_price: to, ...more });
const orderOf = async (id: string) =>
  (await trader.client.from('orders').select('*').eq('id', id).single()).data as unknown as Row;
const ledgerOf = async (id: string) => {
  const { rows } = await floor.db.query<{ kind: string; amount: number }>(
    `select kind, amount::float from app.ledger_entries
     where source_id = $1 and account = 'user:order_margin' order by id`,
    [id],
  );
  return rows.map(({ kind, amount }) => [kind, amount]);
};

describe('an order that waits', () => {
  test('A20, CALL-55: its price moves, its reserve and what is available follow, and the answer is the stored row', async () => {
    const order = await placed({ take_profit_price: 130, client_id: randomUUID() });
    const { data, error } = await amend(order.id, 95);
    expect(error).toBeNull();
    expect(data).toEqual(await orderOf(order.id));
    expect(data).toEqual({
      ...order,
      ...{ price: 95, reserved: 9.5, version: 2 },
      account_version: data.account_version,
      updated_at: data.updated_at,
    });
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 9_990.5 });
    // The text of a form, and a float that is off by an ulp, are the same price.
    expect((await amend(order.id, '80.00')).data).toMatchObject({ price: 80, reserved: 8 });
    expect((await amend(order.id, 0.1 * 3 + 79.6)).data).toMatchObject({ price: 79.9, reserved: 7.99 });
    expect(await ledgerOf(order.id)).toEqual([
      ['reserve', 9],
      ...[9, 9.5, 8].flatMap((was, i) => [
        ['release', -was],
        ['reserve', [9.5, 8, 7.99][i]],
      ]),
    ]);
    expect(await floor.notices(trader)).toEqual([]);
  });

  test('A20: the tick that reached the old price fills nothing, the one that reaches the new one does', async () => {
    const order = await placed();
    const witness = await placed();
    await amend(order.id, 85);
    await floor.tick('89', async () => expect((await orderOf(witness.id)).status).toBe('FILLED'));
    expect(await orderOf(order.id)).toMatchObject({ status: 'NEW', reserved: 8.5 });
    await floor.tick('84', async () => expect((await orderOf(order.id)).status).toBe('FILLED'));
    expect(await floor.rowsOf('positions', trader)).toMatchObject([{ entry_price: 89 }, { entry_price: 84 }]);
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 10_000 - 8.9 - 8.4 });
  });

  test('A20: a LIMIT amended through the market fills at the market, as a new one would', async () => {
    const order = await placed();
    expect((await amend(order.id, 105)).data).toMatchObject({ status: 'NEW', price: 105, reserved: 10.5 });
    await eventually(async () => expect((await orderOf(order.id)).status).toBe('FILLED'));
    expect(await floor.rowsOf('positions', trader)).toMatchObject([{ entry_price: 100, margin: 10 }]);
    expect(await floor.notices(trader)).toMatchObject([{ kind: 'order_filled' }]);
  });

  test('A20: an amended order waits at its new price after a restart, and its cancellation releases the whole reserve', async () => {
    const [order, other] = [await placed(), await placed()];
    await amend(order.id, 80);
    await amend(other.id, 70);
    await floor.restart();
    floor.feed.setPrice('BTCUSDT', '100', { breaks: false });
    await floor.tick('79', async () => expect((await orderOf(order.id)).status).toBe('FILLED'));
    const canceled = trader.client.from('orders').update({ status: 'CANCELED' }).eq('id', other.id);
    done(await canceled);
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 10_000 - 7.9 });
    expect(await checkInvariants(floor.db)).toMatchObject({ ok: true, violations: [] });
  });

  test('The change is announced to its owner, the order and the wallet', async () => {
    const order = await placed();
    const seen: { table: string; row: Record<string, unknown> }[] = [];
    const channel = trader.client.channel(`user:${trader.id}`, { config: { private: true } });
    for (const table of ['orders', 'wallets']) {
      channel.on('postgres_changes', { event: 'UPDATE', schema: 'public', table }, (change) =>
        seen.push({ table, row: change.new }),
      );
    }
    await new Promise<void>((resolve, reject) => {
      channel.subscribe((status, error) => {
        if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve();
        else if (error) reject(error);
      });
    });
    const { data } = await amend(order.id, 95);
    await eventually(() =>
      expect(new Set(seen.map(({ table }) => table))).toEqual(new Set(['orders', 'wallets'])),
    );
    expect(seen.find(({ table }) => table === 'orders')?.row).toEqual(data);
    expect(seen.find(({ table }) => table === 'wallets')?.row).toMatchObject({ available_balance: 9_990.5 });
    await trader.client.removeChannel(channel);
  });
});

describe('a refusal leaves the order unchanged', () => {
  test.each([
    ['LIMIT', {}, 90.001, 'order_price_invalid', 'Price must be between 0.01 and 1000000 in steps of 0.01.'],
    ['LIMIT', {}, 0, 'order_price_invalid', 'Price must be between 0.01 and 1000000 in steps of 0.01.'],
    ['LIMIT', {}, -90, 'order_price_invalid', 'Price must be between 0.01 and 1000000 in steps of 0.01.'],
    [
      'LIMIT',
      { size: 1_000 },
      100.01,
      'insufficient_balance',
      /Required: 10001\.00 USDT, Available: 10000\.00/,
    ],
    ['STOP', { price: 110 }, 100, 'stop_reached', 'The stop price must be above the market price of 100.00.'],
    ['LIMIT', { take_profit_price: 95 }, 95, 'protection_invalid', 'Take profit must be above 95.00'],
    ['LIMIT', { stop_loss_price: 85 }, 94.5, 'protection_invalid', 'liquidat'],
  ] as const)('A20, A21, RULE-02: a %s (%o) to %d: %s', async (type, more, to, code, text) => {
    const order = await placed({ type, ...more });
    const before = await floor.wallet(trader);
    const answer = await amend(order.id, to);
    expect(refusal(answer)).toMatchObject({ status: 400, code });
    expect(answer.error?.message).toMatch(text);
    expect(await orderOf(order.id)).toEqual(order);
    expect(await floor.wallet(trader)).toEqual(before);
  });

  test('X-20: another user’s order does not exist; a final one stays final', async () => {
    const order = await placed();
    const stranger = await floor.addUser('trader');
    const foreign = refusal(await amend(order.id, 95, {}, stranger));
    expect(foreign).toMatchObject({ status: 404, code: 'order_not_found', message: 'Order not found' });
    expect(refusal(await amend(randomUUID(), 95))).toEqual(foreign);
    await floor.tick('90', async () => expect((await orderOf(order.id)).status).toBe('FILLED'));
    expect(refusal(await amend(order.id, 95))).toEqual({
      status: 409,
      code: 'order_final',
      message: 'This order is already FILLED.',
    });
  });

  test('A72: a restricted trader has nothing left to amend', async () => {
    const order = await placed();
    const restrict = { p_user_id: trader.id, p_restricted: true, p_reason: 'A check' };
    expect((await floor.call(floor.admin, 'restrict_user', restrict)).status).toBe(200);
    expect(refusal(await amend(order.id, 95))).toMatchObject({ status: 409, code: 'order_final' });
  });

  test('an invalid price or id is malformed', async () => {
    const order = await placed();
    const malformed = [
      { p_price: null },
      { p_price: 'ninety' },
      { p_price: '1e400' },
      { p_order_id: 'x' },
      { p_size: 2 },
    ];
    for (const more of malformed) {
      expect((await amend(order.id, 95, more)).status, JSON.stringify(more)).toBe(400);
    }
    expect(await orderOf(order.id)).toEqual(order);
  });

  test('the table accepts no price', async () => {
    const order = await placed();
    const written = trader.client.from('orders').update({ price: 95 } as never);
    expect((await written.eq('id', order.id)).error).not.toBeNull();
    expect(await orderOf(order.id)).toEqual(order);
  });
});

describe('A18: the same client id', () => {
  test('gets the same answer, also after later changes of the order; with another price it is a conflict', async () => {
    const order = await placed();
    const again = { p_client_id: 'once' };
    const answers = await Promise.all([amend(order.id, 95, again), amend(order.id, 95, again)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0].data).toEqual(answers[1].data);
    expect(await orderOf(order.id)).toMatchObject({ price: 95, version: 2 });
    await amend(order.id, 80);
    expect((await amend(order.id, 95, again)).data).toEqual(answers[0].data);
    expect(await orderOf(order.id)).toMatchObject({ price: 80, version: 3 });
    expect(refusal(await amend(order.id, 96, again))).toMatchObject({ code: 'idempotency_conflict' });
  });
});

test('many at once are applied one after the other, and the reserve is that of the last', async () => {
  const order = await placed();
  const prices = Array.from({ length: 30 }, (_, i) => 60 + i);
  const answers = await Promise.all(prices.map((to) => amend(order.id, to)));
  expect(answers.map(({ status }) => status)).toEqual(prices.map(() => 200));
  const last = answers.map(({ data }) => data as Row).sort((a, b) => b.version - a.version)[0];
  expect(last?.version).toBe(31);
  expect(await orderOf(order.id)).toEqual(last);
  expect(await floor.wallet(trader)).toEqual({
    balance: 10_000,
    available: 10_000 - (last?.reserved ?? 0),
  });
  expect(await checkInvariants(floor.db)).toMatchObject({ ok: true, violations: [] });
});

test('AUTH-52, X-20: an amendment during impersonation is in the audit log with both names', async () => {
  const order = await placed();
  await amend(order.id, 91);
  const support = await floor.addUser('admin');
  await floor.impersonate(support, trader);
  expect((await amend(order.id, 95, {}, support)).data).toMatchObject({ user_id: trader.id, price: 95 });
  const amended = (await floor.audit(trader.id)).filter(({ action }) => action === 'order.amend');
  expect(amended).toMatchObject([
    { actor_id: support.id, detail: { id: order.id, price: 95, reserved: 9.5 } },
  ]);
});
