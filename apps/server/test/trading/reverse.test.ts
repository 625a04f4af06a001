/** Reversing a position: close and open in one decision, one transaction and one answer. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { floor, shareTradingServer, type TestUser } from './trading-server.ts';

let trader: TestUser;
shareTradingServer();
beforeEach(async () => {
  floor.feed.setPrice('BTCUSDT', '100');
  trader = await floor.addUser('trader');
});

const reverse = (id: unknown, more: Record<string, unknown> = {}, by = trader) =>
  floor.call(by, 'reverse_position', { p_position_id: id, ...more });
const positionsOf = (user: TestUser) => floor.rowsOf<Record<string, unknown>>('positions', user);

test('reverse: the answer is the new position; the old one is closed at the same price', async () => {
  const { id } = await floor.open(trader, { p_take_profit_price: 120, p_stop_loss_price: 95 });
  floor.feed.setPrice('BTCUSDT', '104');
  const { data, status } = await reverse(id, { p_expected_price: 104 });
  expect(status).toBe(200);
  expect(data).toMatchObject({
    side: 'SELL',
    status: 'open',
    size: 1,
    leverage: 10,
    entry_price: 104,
    margin: 10.4,
    take_profit_price: null,
    stop_loss_price: null,
  });
  const rows = await positionsOf(trader);
  expect(rows).toHaveLength(2);
  expect(rows.find((row) => row.id === id)).toMatchObject({
    ...{ status: 'closed', close_price: 104, realized_pnl: 4, close_reason: 'manual' },
  });
  expect(await floor.wallet(trader)).toEqual({ balance: 10_004, available: 9_993.6 });
});

test('reverse: a double click with one client id reverses once', async () => {
  const { id } = await floor.open(trader);
  const args = { p_client_id: randomUUID() };
  const [first, second] = await Promise.all([reverse(id, args), reverse(id, args)]);
  expect(first.status).toBe(200);
  expect(second.data).toEqual(first.data);
  expect(await positionsOf(trader)).toHaveLength(2);
  expect(await reverse(id, { ...args, p_expected_price: 100 })).toMatchObject({
    code: 'idempotency_conflict',
  });
});

test('reverse: two clicks without a client id never leave two new positions', async () => {
  const { id } = await floor.open(trader);
  const answers = await Promise.all([reverse(id), reverse(id)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await positionsOf(trader)).filter(({ status }) => status === 'open')).toHaveLength(1);
});

test('RULE-02: too little after the close changes nothing, and the error names what is needed', async () => {
  const { id } = await floor.open(trader, { p_size: 900 });
  await floor.open(trader, { p_symbol: 'BTCUSDT', p_size: 99 });
  floor.feed.setPrice('BTCUSDT', '99');
  const answer = await reverse(id);
  expect(answer).toMatchObject({ status: 400, code: 'insufficient_balance' });
  expect(answer.message).toContain('8910.00');
  expect((await positionsOf(trader)).every(({ status }) => status === 'open')).toBe(true);
});

test('SEC: wrong input, another trader, and a missing position change nothing', async () => {
  const { id } = await floor.open(trader);
  const stranger = await floor.addUser('trader');
  expect(await reverse(id, {}, stranger)).toMatchObject({ status: 404, code: 'position_not_found' });
  expect(await reverse(randomUUID())).toMatchObject({ status: 404, code: 'position_not_found' });
  expect((await reverse('nothing')).status).toBe(400);
  expect((await reverse(id, { p_expected_price: 'much' })).status).toBe(400);
  expect(await reverse(id, { p_expected_price: 90 })).toMatchObject({ code: 'price_moved' });
  expect(await positionsOf(trader)).toMatchObject([{ id, status: 'open', version: 1 }]);
});

test('A72: a restricted trader may close, but not reverse', async () => {
  const { id } = await floor.open(trader);
  const restrict = { p_user_id: trader.id, p_restricted: true, p_reason: 'A check' };
  expect((await floor.call(floor.admin, 'restrict_user', restrict)).status).toBe(200);
  expect(await reverse(id)).toMatchObject({ code: 'account_restricted' });
  expect((await floor.call(trader, 'close_position', { p_position_id: id })).status).toBe(200);
});
