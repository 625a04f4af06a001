/** Fund movements by staff (CALL-52, A10, A12, A100) and restrictions (A72). */
import { randomUUID } from 'node:crypto';
import { texts } from '@fulcrum/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { done, floor, refusal, shareTradingServer, type TestUser } from './trading-server.ts';

let admin: TestUser;
let manager: TestUser;
let trader: TestUser;
shareTradingServer();
beforeAll(async () => {
  ({ admin } = floor);
  manager = await floor.addUser('manager');
});
beforeEach(async () => {
  trader = await floor.addUser('trader', { managerId: manager.id });
});

const reason = 'Wire of 21 November';
const adjust = (
  by: TestUser,
  userId: string,
  p_amount: number | string,
  more: Record<string, unknown> = {},
) => floor.call(by, 'adjust_wallet_balance', { p_user_id: userId, p_amount, p_reason: reason, ...more });

describe('adjust_wallet_balance', () => {
  test('CALL-52, A10, A12: balance, available, a completed line with its sign, a notice and an audit row', async () => {
    const deposit = await adjust(admin, trader.id, '250.5');
    expect(deposit.data).toMatchObject({
      user_id: trader.id,
      balance: 10_250.5,
      available_balance: 10_250.5,
    });
    done({ error: (await adjust(manager, trader.id, -50)).message ?? null });
    const { data: lines } = await trader.client
      .from('transactions')
      .select('id, type, amount, status')
      .neq('description', 'Initial balance')
      .order('created_at');
    expect(lines).toHaveLength(2);
    expect(lines).toContainEqual({
      id: deposit.data?.transaction_id,
      type: 'deposit',
      amount: 250.5,
      status: 'completed',
    });
    expect(lines).toContainEqual(expect.objectContaining({ type: 'withdrawal', amount: -50 }));
    expect((await floor.notices(trader)).map(({ message }) => message).sort()).toEqual([
      '250.50 USDT were deposited to your account.',
      '50.00 USDT were withdrawn from your account.',
    ]);
    expect(await floor.audit(trader.id)).toEqual([
      {
        ...{ actor_id: admin.id, action: 'funds.adjust', reason },
        detail: { amount: 250.5, before: { balance: 10_000 }, after: { balance: 10_250.5 } },
      },
      {
        ...{ actor_id: manager.id, action: 'funds.adjust', reason },
        detail: { amount: -50, before: { balance: 10_250.5 }, after: { balance: 10_200.5 } },
      },
    ]);
  });

  test('A12, A101: zero, no amount, too much and more than available are refused', async () => {
    const refusals = [
      [0, texts.fundsAmountInvalid],
      ['0.000000001', texts.fundsAmountInvalid],
      [1_000_000_001, texts.fundsAmountInvalid],
      [-10_000.01, 'Only 10000.00 USDT are available.'],
    ] as const;
    for (const [amount, message] of refusals) {
      expect(await adjust(admin, trader.id, amount)).toMatchObject({ status: 400, message });
    }
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 10_000 });
  });

  test('A12: locked margin cannot be taken', async () => {
    floor.feed.setPrice('BTCUSDT', '100');
    await floor.open(trader);
    expect(await adjust(admin, trader.id, -9_995)).toMatchObject({
      message: 'Only 9990.00 USDT are available.',
    });
  });

  test('A12: traders only, with a reason; unknown and other managers’ traders get the same answer', async () => {
    expect(await adjust(admin, manager.id, 5)).toMatchObject({
      status: 403,
      message: 'This is possible for traders only.',
    });
    expect(await adjust(admin, trader.id, 5, { p_reason: ' ' })).toMatchObject({
      status: 400,
      message: 'Please give a reason.',
    });
    const other = await floor.addUser('manager');
    const unknown = await adjust(other, randomUUID(), 5);
    expect(unknown).toMatchObject({ status: 404, message: 'User not found' });
    expect(await adjust(other, trader.id, 5)).toEqual(unknown);
    expect((await adjust(trader, trader.id, 5)).status).toBe(403);
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 10_000 });
    expect(await floor.audit(trader.id)).toEqual([]);
  });

  test('a repeat with the same client id moves nothing twice', async () => {
    const args = { p_client_id: 'wire-1' };
    const first = await adjust(admin, trader.id, 100, args);
    expect(await adjust(admin, trader.id, 100, args)).toEqual(first);
    expect(await adjust(admin, trader.id, 101, args)).toMatchObject({ code: 'idempotency_conflict' });
    expect(await floor.wallet(trader)).toEqual({ balance: 10_100, available: 10_100 });
    expect(await floor.audit(trader.id)).toHaveLength(1);
  });

  test('A45: not during impersonation', async () => {
    const helper = await floor.addUser('admin');
    await floor.impersonate(helper, trader);
    expect((await adjust(helper, trader.id, 5)).status).toBe(403);
  });
});

describe('insert transactions', () => {
  const insert = (by: TestUser, row: Record<string, unknown>) =>
    by.client
      .from('transactions')
      .insert({ user_id: trader.id, ...row })
      .select('*');

  test('A100: a deposit or withdrawal of an admin is the same command; the type decides the sign', async () => {
    const deposit = await insert(admin, { type: 'deposit', amount: 100, status: 'completed', reason });
    expect(deposit.data).toMatchObject([
      { user_id: trader.id, type: 'deposit', amount: 100, status: 'completed' },
    ]);
    for (const amount of [30, -20]) {
      const { data } = await insert(admin, { type: 'withdrawal', amount, description: 'Paid out' });
      expect(data).toMatchObject([{ type: 'withdrawal', amount: -Math.abs(amount) }]);
    }
    expect(await floor.wallet(trader)).toEqual({ balance: 10_050, available: 10_050 });
    expect((await floor.audit(trader.id)).map(({ reason }) => reason)).toEqual([
      reason,
      'Paid out',
      'Paid out',
    ]);
  });

  test('CALL-37, A100: the sent description is stored, beside the reason or as the reason', async () => {
    const described = await insert(admin, {
      type: 'deposit',
      amount: 100,
      reason,
      description: '  Prize of the spring class ',
    });
    expect(described.data).toMatchObject([{ type: 'deposit', description: 'Prize of the spring class' }]);
    const alone = await insert(admin, { type: 'withdrawal', amount: 5, description: 'Paid out' });
    expect(alone.data).toMatchObject([{ type: 'withdrawal', description: 'Paid out' }]);
    const plain = await insert(admin, { type: 'deposit', amount: 5, reason, description: ' ' });
    expect(plain.data).toMatchObject([{ description: 'Deposit' }]);
    expect((await floor.audit(trader.id)).map(({ reason }) => reason)).toEqual([reason, 'Paid out', reason]);
  });

  test.each([
    ['more than 500 characters', 'x'.repeat(501)],
    ['a NUL character', 'a\0b'],
    ['half a surrogate pair', 'a\ud800b'],
    ['a text that is read in another order', 'a\u202eb'],
  ])('CALL-37: a description of %s is refused beside a good reason', async (_, description) => {
    const { error } = await insert(admin, { type: 'deposit', amount: 5, reason, description });
    expect(error).not.toBeNull();
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 10_000 });
  });

  test('A100: a repeat with the same client id answers the same line', async () => {
    const row = { type: 'deposit', amount: 100, reason, client_id: 'line-1' };
    const first = await insert(admin, row);
    expect((await insert(admin, row)).data).toEqual(first.data);
    expect(await floor.wallet(trader)).toEqual({ balance: 10_100, available: 10_100 });
  });

  test('A100: other types, pending ones and others than admins are refused', async () => {
    for (const more of [
      { type: 'fee' },
      { type: 'position_closed' },
      { type: 'deposit', status: 'pending' },
    ]) {
      expect((await insert(admin, { amount: 5, reason, ...more })).status).toBe(403);
    }
    expect(refusal(await insert(admin, { type: 'deposit', amount: -5, reason })).status).toBe(400);
    expect(refusal(await insert(admin, { type: 'deposit', amount: 5 })).code).toBe('reason_required');
    for (const by of [manager, trader]) {
      expect((await insert(by, { type: 'deposit', amount: 5, reason })).status).toBe(403);
    }
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 10_000 });
  });
});

describe('restrict_user', () => {
  const restrict = (p_restricted: boolean, by = admin, p_user_id = trader.id) =>
    floor.call(by, 'restrict_user', { p_user_id, p_restricted, p_reason: 'Under review' });
  const limitOrder = () =>
    trader.client
      .from('orders')
      .insert({ symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', price: 90, size: 1, leverage: 10 })
      .select();

  test('A72: nothing is opened, waiting orders are cancelled, positions can be closed; it can be lifted', async () => {
    floor.feed.setPrice('BTCUSDT', '100');
    const { id } = await floor.open(trader);
    done(await limitOrder());
    done(await limitOrder());
    expect((await restrict(true)).data).toEqual({ user_id: trader.id, restricted: true, orders_canceled: 2 });
    const text = 'Your account is restricted. Please contact support.';
    await expect(floor.open(trader)).rejects.toMatchObject({ code: 'account_restricted', message: text });
    expect(refusal(await limitOrder())).toMatchObject({ status: 403, message: text });
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 9_990 });
    const { data: me } = await trader.client.from('users').select('restricted_at').single();
    expect(me?.restricted_at).not.toBeNull();
    expect((await floor.call(trader, 'close_position', { p_position_id: id })).status).toBe(200);

    await floor.restart();
    await expect(floor.open(trader)).rejects.toMatchObject({ message: text });
    expect((await restrict(false)).data).toMatchObject({ restricted: false, orders_canceled: 0 });
    expect((await trader.client.from('users').select('restricted_at').single()).data).toEqual({
      restricted_at: null,
    });
    floor.feed.setPrice('BTCUSDT', '100');
    await floor.open(trader);
    expect((await floor.notices(trader)).map(({ kind }) => kind).sort()).toEqual([
      'order_canceled',
      'order_canceled',
      'restricted',
      'restriction_lifted',
    ]);
    expect(await floor.audit(trader.id)).toMatchObject([
      {
        actor_id: admin.id,
        action: 'account.restrict',
        reason: 'Under review',
        detail: { orders_canceled: 2 },
      },
      { actor_id: admin.id, action: 'account.lift_restriction' },
    ]);
  });

  test('A72: a repeat is a conflict, and only admins restrict', async () => {
    expect(await restrict(false)).toMatchObject({ status: 409, message: 'This account is not restricted.' });
    expect((await restrict(true, manager)).status).toBe(403);
    expect(await restrict(true, admin, manager.id)).toMatchObject({
      message: 'This is possible for traders only.',
    });
  });
});

test('A80: a trader who becomes staff keeps wallet and positions', async () => {
  floor.feed.setPrice('BTCUSDT', '100');
  const { id } = await floor.open(trader);
  const { status } = await floor.call(admin, 'safe_update_user_profile', {
    user_id: trader.id,
    new_role: 'support',
  });
  expect(status).toBe(200);
  expect(await floor.rowsOf('positions', trader)).toMatchObject([{ id, status: 'open' }]);
  expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 9_990 });
  expect(await adjust(admin, trader.id, 5)).toMatchObject({ message: 'This is possible for traders only.' });
});
