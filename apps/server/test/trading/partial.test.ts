/** Closing a part of a position (A23). */
import { beforeEach, expect, test } from 'vitest';
import { floor, shareTradingServer, type TestUser } from './trading-server.ts';

let trader: TestUser;
shareTradingServer();
beforeEach(async () => {
  floor.feed.setPrice('BTCUSDT', '100');
  trader = await floor.addUser('trader');
});

const close = (id: string, more: Record<string, unknown> = {}) =>
  floor.call(trader, 'close_position', { p_position_id: id, ...more });
const positionOf = async (id: unknown) =>
  (await trader.client.from('positions').select('*').eq('id', id).single()).data;

test('A23: the closed part has an id of its own; margin and protection stay with the rest in proportion', async () => {
  const { id } = await floor.open(trader, { p_take_profit_price: 120, p_stop_loss_price: 95 });
  floor.feed.setPrice('BTCUSDT', '104');
  const { data: part } = await close(id, { p_size: 0.25 });
  expect(part).toMatchObject({
    split_from: id,
    status: 'closed',
    size: 0.25,
    margin: 2.5,
    close_price: 104,
    realized_pnl: 1,
    close_reason: 'manual',
  });
  expect(await positionOf(part?.id)).toEqual(part);
  expect(await positionOf(id)).toMatchObject({
    status: 'open',
    size: 0.75,
    margin: 7.5,
    liquidation_price: 90.5,
    take_profit_price: 120,
    stop_loss_price: 95,
    split_from: null,
  });
  expect(await floor.wallet(trader)).toEqual({ balance: 10_001, available: 9_993.5 });
  const { data: history } = await trader.client
    .from('transactions')
    .select('type, amount')
    .eq('type', 'position_closed');
  expect(history).toEqual([{ type: 'position_closed', amount: 1 }]);
});

test('A23: the whole size closes the position itself', async () => {
  const { id } = await floor.open(trader);
  expect((await close(id, { p_size: '1.0' })).data).toMatchObject({ id, split_from: null, status: 'closed' });
  expect(await close(id, { p_size: 0.5 })).toMatchObject({ status: 409, code: 'position_closed' });
});

test('A22, A23: off-step, zero, too much, or a rest that is too small changes nothing', async () => {
  const { id } = await floor.open(trader, { p_size: 0.5 });
  for (const p_size of [0, -0.1, 0.6, 0.0000001, '0.499995']) {
    expect(await close(id, { p_size })).toMatchObject({ status: 400, code: 'amount_out_of_range' });
  }
  expect(await positionOf(id)).toMatchObject({ size: 0.5, version: 1, status: 'open' });
});

test('A23: a repeat with the same client id closes no second part', async () => {
  const { id } = await floor.open(trader);
  const args = { p_size: 0.5, p_client_id: 'half' };
  const first = await close(id, args);
  expect((await close(id, args)).data).toEqual(first.data);
  expect(await close(id, { ...args, p_size: 0.4 })).toMatchObject({ code: 'idempotency_conflict' });
  expect(await positionOf(id)).toMatchObject({ size: 0.5 });
});

test('A23: parallel partial closes never close more than the position', async () => {
  const { id } = await floor.open(trader);
  const answers = await Promise.all(Array.from({ length: 10 }, () => close(id, { p_size: 0.3 })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(await positionOf(id)).toMatchObject({ status: 'open', size: 0.1, margin: 1 });
  expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 9_999 });
});
