/** A source that changes while a position is open: the old price stays, aged, until an admin accepts the new one. */
import { beforeEach, expect, test } from 'vitest';
import { floor, shareTradingServer, type TestUser } from '../trading/trading-server.ts';

let trader: TestUser;
shareTradingServer();

/** A trader with an open position in BTCUSDT, bought for 100 from a simulated market; ETHUSDT is not in use. */
beforeEach(async () => {
  floor.feed.changeSource('simulated');
  floor.feed.setPrice('BTCUSDT', '100');
  floor.feed.setPrice('ETHUSDT', '50');
  // What an earlier test left held back.
  await accept();
  trader = await floor.addUser('trader');
  await floor.open(trader);
});

const accept = (reason = 'The exchange answers again') =>
  floor.call(floor.admin, 'accept_price', { p_symbol: 'BTCUSDT', p_reason: reason });
const price = async (symbol: string) => {
  const { data, error } = await trader.client
    .from('trading_pairs')
    .select('price, source, state')
    .eq('symbol', symbol)
    .single();
  if (error) throw error;
  return data;
};
const holds = async () => (await floor.call(floor.admin, 'get_market_controls', {})).data?.holds;
const position = async () =>
  (await floor.rowsOf<Record<string, unknown>>('positions', trader)).map(
    ({ status, close_price, close_price_source, realized_pnl, close_reason }) => ({
      ...{ status, close_price, close_price_source, realized_pnl, close_reason },
    }),
  );

/** The server restarts on prices of another source, of which BTCUSDT has lost a half. */
async function startOn(source: 'binance' | 'replay') {
  floor.feed.changeSource(source);
  await floor.restart();
  floor.feed.setPrice('BTCUSDT', '50');
  floor.feed.setPrice('ETHUSDT', '49');
}

test('a symbol in use keeps its last price, stale, and an unused one takes the new source at once', async () => {
  await startOn('binance');
  expect(await price('BTCUSDT')).toEqual({ price: 100, source: 'simulated', state: 'stale' });
  await expect.poll(() => price('ETHUSDT')).toEqual({ price: 49, source: 'binance', state: 'live' });
  expect(await holds()).toMatchObject([
    {
      ...{ symbol: 'BTCUSDT', kind: 'source', price: 50, source: 'binance' },
      ...{ last_price: 100, last_source: 'simulated' },
    },
  ]);
  // Liquidated at 90 otherwise.
  expect(await position()).toMatchObject([{ status: 'open' }]);
  const opened = await trader.client.rpc('open_position', {
    ...{ p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 1, p_leverage: 10 },
  });
  expect(opened.error?.message).toBe('Price is stale. Trading resumes with the next price.');
});

test('A110, ENG-3: during a hold nothing closes at the old source’s price; a requested close takes the price that an admin accepts', async () => {
  floor.feed.setPrice('BTCUSDT', '104');
  await startOn('replay');
  floor.feed.setPrice('BTCUSDT', '101');
  const [{ id }] = (await floor.rowsOf<{ id: string }>('positions', trader)) as [{ id: string }];
  const { error } = await trader.client.rpc('close_position', { p_position_id: id });
  expect(error?.message).toBe('Price is stale. Trading resumes with the next price.');
  const requested = await trader.client.rpc('close_at_reopen', { p_position_id: id, p_wanted: true });
  expect(requested.error).toBeNull();
  expect(await position()).toMatchObject([{ status: 'open' }]);
  expect(await accept()).toMatchObject({ status: 200 });
  await expect.poll(position).toEqual([
    {
      status: 'closed',
      close_price: 101,
      close_price_source: 'live',
      realized_pnl: 1,
      close_reason: 'manual',
    },
  ]);
});

test('the hold survives a restart, and ends when the old source is back', async () => {
  await startOn('binance');
  await floor.restart();
  floor.feed.setPrice('BTCUSDT', '51');
  expect(await holds()).toMatchObject([{ price: 51, last_price: 100, last_source: 'simulated' }]);
  floor.feed.changeSource('simulated');
  await floor.restart();
  expect(await holds()).toEqual([]);
  floor.feed.setPrice('BTCUSDT', '101');
  await expect.poll(() => price('BTCUSDT')).toEqual({ price: 101, source: 'simulated', state: 'simulated' });
  expect(await position()).toMatchObject([{ status: 'open' }]);
});

test('A106: an admin accepts the new source’s price, with an audited reason; the triggers that it crosses fire then', async () => {
  await startOn('binance');
  expect(await accept(' ')).toMatchObject({ status: 400, message: 'Please give a reason.' });
  expect(await position()).toMatchObject([{ status: 'open' }]);
  floor.feed.setPrice('BTCUSDT', '60');
  // What the admin saw is not what waits by now.
  const seen = { p_symbol: 'BTCUSDT', p_reason: 'As shown', p_price: 61 };
  for (const command of ['accept_price', 'reject_price']) {
    expect(await floor.call(floor.admin, command, seen)).toMatchObject({ status: 409, code: 'conflict' });
  }
  expect(await accept()).toMatchObject({ status: 200, data: { symbol: 'BTCUSDT', price: 60 } });
  await expect.poll(position).toMatchObject([{ close_reason: 'liquidation' }]);
  expect(await holds()).toEqual([]);
  expect((await floor.platformAudit()).at(-1)).toMatchObject({
    action: 'price.accept',
    detail: { symbol: 'BTCUSDT', price: 60, source: 'binance', last_source: 'simulated' },
  });
});

test('A106: of acceptances at the same time one counts, and the audit log has the price that it let through', async () => {
  await startOn('binance');
  floor.feed.setPrice('BTCUSDT', '120');
  const before = (await floor.platformAudit()).length;
  const answers = await Promise.all(Array.from({ length: 5 }, () => accept()));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  const audited = (await floor.platformAudit()).slice(before);
  expect(audited).toMatchObject([{ action: 'price.accept', detail: { price: 120 } }]);
  await expect.poll(() => price('BTCUSDT')).toMatchObject({ price: 120, state: 'live' });
});

test('once the symbol is no longer in use, its price is released by itself', async () => {
  for (const { user_id, id } of await openPositions()) await closeFor(user_id, id);
  const order = { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', price: 40, size: 1, leverage: 10 };
  const placed = await trader.client.from('orders').insert(order).select('id').single();
  expect(placed.error).toBeNull();
  await startOn('binance');
  expect(await price('BTCUSDT')).toMatchObject({ price: 100, state: 'stale' });
  const canceled = await trader.client
    .from('orders')
    .update({ status: 'CANCELED' })
    .eq('id', placed.data?.id);
  expect(canceled.error).toBeNull();
  await expect
    .poll(() => price('BTCUSDT'), { timeout: 15_000, interval: 200 })
    .toEqual({ price: 50, source: 'binance', state: 'live' });
  expect(await holds()).toEqual([]);
}, 30_000);

async function openPositions() {
  const { rows } = await floor.db.query<{ user_id: string; id: string }>(
    `select user_id, id from app.positions where status = 'open'`,
  );
  return rows;
}

/** As the trader's own click; those of earlier tests are signed out by now. */
async function closeFor(userId: string, positionId: string) {
  const { close_position } = floor.server.trading.procedures;
  const session = {
    role: 'trader',
    userId,
    accountId: userId,
    actorId: userId,
    sessionId: userId,
    impersonationId: null,
  } as const;
  await close_position(session, { p_position_id: positionId });
}
