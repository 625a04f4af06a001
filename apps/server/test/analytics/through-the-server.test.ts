/** Analytics behind HTTP, token and validation, through the official client. */
import { beforeAll, expect, test } from 'vitest';
import { refreshed, server, shareUserServer, type TestUser } from '../identity/user-server.ts';

let trader: TestUser;
shareUserServer();
beforeAll(async () => {
  server.feed.setPrice('BTCUSDT', '100');
  trader = await server.addUser('trader');
  const opened = await trader.client.rpc('open_position', {
    p_symbol: 'BTCUSDT',
    p_side: 'BUY',
    p_size: 1,
    p_leverage: 10,
    p_stop_loss_price: 98,
  });
  server.feed.setPrice('BTCUSDT', '104');
  const { error } = await trader.client.rpc('close_position', { p_position_id: opened.data.id });
  if (error) throw error;
});

test('A108: a trader reads how the own account did, in USDT and per cent', async () => {
  const { data, error } = await trader.client.rpc('get_performance', { p_time_zone: 'Europe/Berlin' });
  expect(error).toBeNull();
  expect(data).toMatchObject({
    time_zone: 'Europe/Berlin',
    trades: 1,
    wins: 1,
    net_pnl: 4,
    win_rate: 100,
    profit_factor: null,
    average_loss: null,
    average_r: 2,
    by_symbol: [{ symbol: 'BTCUSDT', trades: 1, wins: 1, net_pnl: 4 }],
  });
  const overview = await trader.client.rpc('get_equity_overview');
  expect(overview.data?.curve.at(-1)).toMatchObject({ equity: 10_004 });
});

test('what cannot be a zone or an instant is refused by the name of the argument', async () => {
  for (const [args, message] of [
    [{ p_time_zone: 'Mars/Olympus' }, 'Invalid argument p_time_zone: not a time zone'],
    [{ p_time_zone: '' }, 'Invalid argument p_time_zone: must not be empty'],
    [{ p_from: 'yesterday' }, 'Invalid argument p_from'],
  ] as const) {
    const { error, status } = await trader.client.rpc('get_performance', args);
    expect([status, error?.code]).toEqual([400, 'invalid_argument']);
    expect(error?.message).toContain(message);
  }
  const early = await trader.client.rpc('get_performance', { p_from: '0001-01-01T00:00:00Z' });
  expect(early.data).toMatchObject({ trades: 1 });
});

test('a range that is turned round or lies in the future has no trades and no curve', async () => {
  for (const range of [
    { p_from: '2030-01-01T00:00:00Z', p_to: '2020-01-01T00:00:00Z' },
    { p_from: '2999-01-01T00:00:00Z' },
    { p_from: '9999-12-31T23:59:59-23:59' },
  ]) {
    const { data } = await trader.client.rpc('get_performance', range);
    expect(data).toMatchObject({ trades: 0, curve: [], max_drawdown: null });
  }
});

test('staff read a trader’s analytics during an impersonation only', async () => {
  const admin = await server.addUser('admin');
  expect((await admin.client.rpc('get_performance', {})).status).toBe(403);
  await server.impersonate(admin, trader);
  await refreshed(admin.client);
  expect((await admin.client.rpc('get_performance', {})).data).toMatchObject({ trades: 1, net_pnl: 4 });
});
