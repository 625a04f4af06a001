/** A source that changes under somebody's money: the old price stays, aged, until an admin accepts the new one. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Floor, type Person, startFloor } from '../trading/floor.ts';

let floor: Floor;
let trader: Person;
beforeAll(async () => {
  floor = await startFloor();
});
afterAll(() => floor.close());

/** A trader with an open position in BTCUSDT, bought for 100 from a simulated market; nobody has anything of ETHUSDT. */
beforeEach(async () => {
  floor.feed.changeSource('simulated');
  floor.feed.setPrice('BTCUSDT', '100');
  floor.feed.setPrice('ETHUSDT', '50');
  // What an earlier test left held back.
  await accept();
  trader = await floor.person('trader');
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

/** The server starts anew on prices of another source, of which BTCUSDT has lost a half. */
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

test('A24: a close while it is held is a close at the mark, which is the last price of the old source and not the entry', async () => {
  floor.feed.setPrice('BTCUSDT', '104');
  await startOn('replay');
  const [{ id }] = (await floor.rowsOf<{ id: string }>('positions', trader)) as [{ id: string }];
  const { error } = await trader.client.rpc('close_position', { p_position_id: id });
  expect(error).toBeNull();
  expect(await position()).toEqual([
    {
      status: 'closed',
      close_price: 104,
      close_price_source: 'mark',
      realized_pnl: 4,
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

test('A106: an admin lets the new source through, with a reason that is audited; what it crosses acts then', async () => {
  await startOn('binance');
  expect(await accept(' ')).toMatchObject({ status: 400, message: 'Please give a reason.' });
  expect(await position()).toMatchObject([{ status: 'open' }]);
  floor.feed.setPrice('BTCUSDT', '60');
  // What the admin saw is not what waits by now.
  const seen = { p_symbol: 'BTCUSDT', p_reason: 'As shown', p_price: 61 };
  for (const act of ['accept_price', 'reject_price']) {
    expect(await floor.call(floor.admin, act, seen)).toMatchObject({ status: 409, code: 'conflict' });
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
  const acts = (await floor.platformAudit()).slice(before);
  expect(acts).toMatchObject([{ action: 'price.accept', detail: { price: 120 } }]);
  await expect.poll(() => price('BTCUSDT')).toMatchObject({ price: 120, state: 'live' });
});

test('once nobody’s money hangs on the symbol any more, it is released by itself', async () => {
  await startOn('binance');
  expect(await price('BTCUSDT')).toMatchObject({ price: 100, state: 'stale' });
  for (const { user_id, id } of await openPositions()) await closeFor(user_id, id);
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
  const session = { role: 'trader', userId, actorId: userId, sessionId: userId, actingId: null } as const;
  await close_position(session, { p_position_id: positionId });
}
