/** Take profit and stop loss of a trader's positions (A21), liquidation and its warning (A05, A104), as the trader sees them. */
import { beforeEach, expect, test } from 'vitest';
import { subscribed, until } from '../realtime/realtime-server.ts';
import { floor, shareTradingServer, type TestUser } from './trading-server.ts';

let trader: TestUser;
shareTradingServer();
beforeEach(async () => {
  floor.feed.setPrice('BTCUSDT', '100');
  trader = await floor.addUser('trader');
});

const protect = (id: string, more: Record<string, unknown>, by = trader) =>
  floor.call(by, 'set_take_profit_stop_loss', { p_position_id: id, ...more });
const positionOf = async (id: string) =>
  (await trader.client.from('positions').select('*').eq('id', id).single()).data;
const closed = (id: string) => async () => expect((await positionOf(id)).status).toBe('closed');

test('A21: both are set to exactly what is sent, and taken away by null', async () => {
  const { id } = await floor.open(trader);
  const { data } = await protect(id, { p_take_profit_price: 120, p_stop_loss_price: '95' });
  expect(data).toMatchObject({ take_profit_price: 120, stop_loss_price: 95, initial_stop_loss_price: 95 });
  expect((await protect(id, { p_stop_loss_price: 97 })).data).toMatchObject({
    take_profit_price: null,
    stop_loss_price: 97,
    initial_stop_loss_price: 95,
  });
  expect((await protect(id, {})).data).toMatchObject({ take_profit_price: null, stop_loss_price: null });
});

test('A21: a protection that would fire at once, never, or off the ticks is refused, at the opening as well', async () => {
  const { id } = await floor.open(trader);
  const refusals = [
    [{ p_take_profit_price: 100 }, 'Take profit must be above 100.00.'],
    [{ p_stop_loss_price: 101 }, 'Stop loss must be below 100.00.'],
    [
      { p_stop_loss_price: 90 },
      'The stop loss would never trigger: the position is liquidated at 90.50 first.',
    ],
    [{ p_take_profit_price: 120.001 }, 'Take profit must be between 0.01 and 1000000 in steps of 0.01.'],
    [{ p_stop_loss_price: 0 }, 'Stop loss must be between 0.01 and 1000000 in steps of 0.01.'],
  ] as const;
  for (const [more, message] of refusals) {
    expect(await protect(id, more)).toMatchObject({ status: 400, code: 'protection_invalid', message });
    await expect(floor.open(trader, more)).rejects.toMatchObject({ message });
  }
  expect(await positionOf(id)).toMatchObject({ take_profit_price: null, stop_loss_price: null, version: 1 });
});

test('RULE-22, A21: another user’s position is not found, a closed one is closed', async () => {
  const { id } = await floor.open(trader);
  const other = await floor.addUser('trader');
  expect(await protect(id, {}, other)).toMatchObject({ status: 404, message: 'Position not found' });
  await floor.call(trader, 'close_position', { p_position_id: id });
  expect(await protect(id, {})).toMatchObject({
    status: 409,
    message: 'This position is already closed.',
  });
});

test('A21, A104: the take profit closes at the tick that reaches it, and the trader is notified live', async () => {
  const { id } = await floor.open(trader, { p_take_profit_price: 110, p_stop_loss_price: 95 });
  await trader.client.realtime.setAuth();
  const notices: Record<string, unknown>[] = [];
  const channel = trader.client
    .channel(`user:${trader.id}`)
    .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notifications' }, (change) => {
      notices.push(change.new);
    });
  expect(await subscribed(channel)).toEqual({ status: 'SUBSCRIBED' });
  await floor.tick('111', closed(id));
  expect(await positionOf(id)).toMatchObject({
    close_price: 111,
    close_reason: 'take_profit',
    close_price_source: 'live',
    realized_pnl: 11,
  });
  expect(await floor.wallet(trader)).toEqual({ balance: 10_011, available: 10_011 });
  await until(() => notices.length > 0);
  const { data: stored } = await trader.client.from('notifications').select('*');
  expect(notices).toEqual(stored);
  expect(notices).toMatchObject([
    {
      user_id: trader.id,
      kind: 'take_profit',
      symbol: 'BTCUSDT',
      position_id: id,
      order_id: null,
      read_at: null,
      message: 'Take profit: BUY 1 BTCUSDT was closed at 111.00, PnL +11.00 USDT.',
    },
  ]);
});

test('A21: the stop loss of a short', async () => {
  const { id } = await floor.open(trader, { p_side: 'SELL', p_stop_loss_price: 105 });
  await floor.tick('106', closed(id));
  expect(await positionOf(id)).toMatchObject({
    close_price: 106,
    close_reason: 'stop_loss',
    realized_pnl: -6,
  });
  expect(await floor.notices(trader)).toEqual([
    { kind: 'stop_loss', message: 'Stop loss: SELL 1 BTCUSDT was closed at 106.00, PnL -6.00 USDT.' },
  ]);
});

test('A05, A104: one warning at 80 % of the way, then the liquidation, which takes the margin at most', async () => {
  const { id } = await floor.open(trader);
  await floor.tick('92.4', async () => expect(await floor.notices(trader)).toHaveLength(1));
  await floor.tick('80', closed(id));
  expect(await positionOf(id)).toMatchObject({ close_reason: 'liquidation', realized_pnl: -10 });
  expect(await floor.wallet(trader)).toEqual({ balance: 9_990, available: 9_990 });
  expect(await floor.notices(trader)).toEqual([
    {
      kind: 'margin_warning',
      message: 'Margin warning: BUY 1 BTCUSDT is marked at 92.40 and is liquidated at 90.50.',
    },
    { kind: 'liquidation', message: 'Liquidation: BUY 1 BTCUSDT was closed at 80.00, PnL -10.00 USDT.' },
  ]);
});

test('A104: the trader marks a notice as read and changes nothing else of it', async () => {
  const { id } = await floor.open(trader, { p_take_profit_price: 110 });
  await floor.tick('110', closed(id));
  const notices = trader.client.from('notifications');
  const { data: read } = await notices
    .update({ read_at: '2026-11-21T12:00:00Z' })
    .eq('kind', 'take_profit')
    .select('read_at');
  expect(read).toEqual([{ read_at: '2026-11-21T12:00:00+00:00' }]);
  expect((await notices.update({ message: 'x' }).eq('kind', 'take_profit')).status).toBe(403);
});
