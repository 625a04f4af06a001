/** A price that is held as absurd, and an admin's actions on it (A106). */
import { expect, test } from 'vitest';
import { floor, shareTradingServer } from './trading-server.ts';

shareTradingServer();

test('A106: it liquidates nothing until an admin accepts it, with an audited reason', async () => {
  const trader = await floor.addUser('trader');
  const { id } = await floor.open(trader);
  const status = async () => (await floor.rowsOf<{ status: string }>('positions', trader))[0]?.status;
  floor.feed.setPrice('BTCUSDT', '60', { breaks: false });
  expect(await status()).toBe('open');

  const accept = (more: Record<string, unknown> = {}) =>
    floor.call(floor.admin, 'accept_price', { p_symbol: 'BTCUSDT', p_reason: 'A split', ...more });
  expect(await accept({ p_reason: ' ' })).toMatchObject({ status: 400, message: 'Please give a reason.' });
  expect(await accept({ p_symbol: 'NOPE' })).toMatchObject({ status: 400 });
  expect(await accept()).toMatchObject({ status: 200, data: { symbol: 'BTCUSDT', price: 60 } });
  await expect.poll(status).toBe('closed');
  expect(await floor.rowsOf('positions', trader)).toMatchObject([
    { id, close_reason: 'liquidation', close_price: 60, realized_pnl: -10 },
  ]);
  expect(await accept()).toMatchObject({ status: 404, message: 'No price of BTCUSDT is held back.' });
  expect(await floor.platformAudit()).toMatchObject([
    { action: 'price.accept', reason: 'A split', detail: { symbol: 'BTCUSDT', price: 60, last_price: 100 } },
  ]);
});
