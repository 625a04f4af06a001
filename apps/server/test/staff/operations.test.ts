/** The platform in the hands of admins: how it is, halting and resuming trading, a held price that is rejected. */
import { getPlatform, texts } from '@fulcrum/contract';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { floor, shareTradingServer, type TestUser } from '../trading/trading-server.ts';

let trader: TestUser;
shareTradingServer();
beforeAll(async () => {
  trader = await floor.addUser('trader');
});

const platform = async () => {
  const { data } = await floor.call(floor.admin, 'get_platform', {});
  return getPlatform.result.parse(data);
};
const halt = (reason: string | null, by = floor.admin) =>
  floor.call(by, 'halt_trading', { p_reason: reason });
const resume = (reason: string | null, by = floor.admin) =>
  floor.call(by, 'resume_trading', { p_reason: reason });
const tryToOpen = (by = trader) =>
  floor.call(by, 'open_position', { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.1, p_leverage: 10 });
const refused = { status: 503, code: 'trading_halted', message: texts.tradingHalted };

async function asOwner(statement: string, parameters: readonly unknown[] = []): Promise<void> {
  const owner = new pg.Client({ connectionString: floor.databaseUrl });
  await owner.connect();
  try {
    await owner.query(statement, [...parameters]);
  } finally {
    await owner.end();
  }
}

test('an admin halts trading for a reason: no opening, closing or fill, over a restart too, until it is resumed', async () => {
  const { id } = await floor.open(trader, { p_take_profit_price: 110 });
  const position = async () =>
    (await floor.rowsOf<{ id: string; status: string }>('positions', trader)).find((row) => row.id === id);

  expect(await halt(' ')).toMatchObject({ status: 400, message: 'Please give a reason.' });
  const manager = await floor.addUser('manager');
  expect(await halt('Because', manager)).toMatchObject({ status: 403 });
  expect(await tryToOpen()).toMatchObject({ status: 200 });

  expect(await halt('Prices look wrong')).toMatchObject({ status: 200, data: { halted: true } });
  expect(await tryToOpen()).toMatchObject({ ...refused, details: null });
  expect(await floor.call(trader, 'close_position', { p_position_id: id })).toMatchObject(refused);
  expect(await halt('Again')).toMatchObject({ status: 409, message: texts.alreadyHalted });
  // Staff commands too, and their preview states it.
  const funds = { p_user_id: trader.id, p_amount: 5 };
  expect(await floor.call(floor.admin, 'preview_funds', funds)).toMatchObject({
    data: { before: { balance: 10_000 }, after: null, refusal: texts.tradingHalted },
  });
  expect(
    await floor.call(floor.admin, 'adjust_wallet_balance', { ...funds, p_reason: 'Bonus' }),
  ).toMatchObject(refused);
  floor.clock.advance(1_000);
  floor.feed.setPrice('BTCUSDT', '120');

  await floor.restart();
  floor.feed.setPrice('BTCUSDT', '120');
  expect(await tryToOpen()).toMatchObject(refused);
  expect(await position()).toMatchObject({ status: 'open' });
  expect((await platform()).engine).toMatchObject({
    state: 'halted',
    halt: { reason: 'Prices look wrong', by: floor.admin.username },
  });

  expect(await resume('')).toMatchObject({ status: 400 });
  expect(await resume('They are right')).toMatchObject({ status: 200, data: { halted: false } });
  // What its price had reached meanwhile.
  await expect.poll(position).toMatchObject({ status: 'closed', close_reason: 'take_profit' });
  expect(await tryToOpen()).toMatchObject({ status: 200 });
  expect(await resume('Again')).toMatchObject({ status: 409, message: texts.notHalted });
  expect((await platform()).engine).toMatchObject({ state: 'trading', halt: null, open_positions: 2 });
  expect(await floor.platformAudit()).toMatchObject([
    { action: 'trading.halt', reason: 'Prices look wrong', actor_id: floor.admin.id },
    { action: 'trading.resume', reason: 'They are right', detail: { halted_by: 'staff' } },
  ]);
  await floor.restart();
  floor.feed.setPrice('BTCUSDT', '120');
  expect(await tryToOpen()).toMatchObject({ status: 200 });
});

test('of two admins who halt at once one succeeds', async () => {
  const answers = await Promise.all([halt('One'), halt('Two'), halt('Three')]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await resume('Enough')).toMatchObject({ status: 200 });
});

test('a halt whose response was lost is in force: the next order meets it, and a repeat is a conflict', async () => {
  await asOwner(`insert into app.halts (at, halted_by, reason) values (now(), $1, 'Lost')`, [floor.admin.id]);
  expect(await tryToOpen()).toMatchObject(refused);
  expect((await platform()).engine).toMatchObject({ state: 'halted', halt: { reason: 'Lost' } });
  expect(await halt('Once more')).toMatchObject({ status: 409, message: texts.alreadyHalted });
  expect(await tryToOpen()).toMatchObject(refused);
  expect((await platform()).engine.halt).toMatchObject({ reason: 'Lost', by: floor.admin.username });
  expect(await resume('Enough')).toMatchObject({ status: 200 });
  expect(await tryToOpen()).toMatchObject({ status: 200 });
});

test('after a violation resuming runs a full pass and is refused while it finds anything', async () => {
  const shift = (amount: number) =>
    asOwner('update app.wallets set available_balance = available_balance + $1 where user_id = $2', [
      amount,
      trader.id,
    ]);
  await shift(1);
  await floor.restart();
  floor.feed.setPrice('BTCUSDT', '120');
  await expect.poll(async () => (await platform()).engine.state).toBe('halted');
  const { engine, invariants } = await platform();
  const title = 'a wallet is the sum of its ledger entries';
  expect(engine.halt).toMatchObject({ by: null, reason: expect.stringContaining(title) });
  expect(invariants.find(({ name }) => name === title)).toMatchObject({
    ok: false,
    detail: `wallet of ${trader.id}`,
  });
  // Who it is about is for admins only.
  expect(await tryToOpen()).toMatchObject({ ...refused, details: null });
  expect(await resume('It will be fine')).toMatchObject({
    status: 409,
    message: texts.ledgerViolated(title),
  });
  expect((await platform()).engine.state).toBe('halted');

  // Over a restart too: nothing is traded until a verification found the ledger whole, and an admin resumed.
  await shift(-1);
  await floor.restart();
  floor.feed.setPrice('BTCUSDT', '120');
  expect((await platform()).engine).toMatchObject({ state: 'halted', halt: engine.halt });
  expect(await tryToOpen()).toMatchObject(refused);
  expect(await resume('The wallet is mended')).toMatchObject({ status: 200 });
  expect(await tryToOpen()).toMatchObject({ status: 200 });
  expect((await platform()).invariants.every(({ ok }) => ok)).toBe(true);
});

test('the panel names each source and each invariant with what proves it', async () => {
  floor.feed.setPrice('ETHUSDT', '50');
  const { feeds, invariants, simulated, full_checked_at } = await platform();
  expect(feeds).toMatchObject([{ source: 'simulated', trouble: null }]);
  const [feed] = feeds;
  expect(feed?.ticks).toHaveLength(30);
  expect(feed?.ticks.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  expect(feed?.stale_symbols).toBeGreaterThan(0);
  expect(simulated).toBe(true);
  expect(full_checked_at).not.toBeNull();
  expect(invariants.length).toBeGreaterThan(20);
  expect(invariants.find(({ name }) => name === 'a wallet is the sum of its ledger entries')).toMatchObject({
    ok: true,
    detail: expect.stringMatching(/^1 wallet\b/),
  });
  expect(await floor.call(trader, 'get_platform', {})).toMatchObject({ status: 403 });
});

test('A106: a rejected held price is removed, and the next absurd one is held again', async () => {
  const holds = async () => (await floor.call(floor.admin, 'get_market_controls', {})).data?.holds;
  const reject = (reason: string) =>
    floor.call(floor.admin, 'reject_price', { p_symbol: 'BTCUSDT', p_reason: reason });
  const ticks = (price: string) => floor.feed.setPrice('BTCUSDT', price, { breaks: false });
  ticks('1');
  expect(await holds()).toMatchObject([{ symbol: 'BTCUSDT', kind: 'jump', price: 1, last_price: 120 }]);
  expect(await reject('')).toMatchObject({ status: 400 });
  expect(await reject('A misprint')).toMatchObject({ status: 200, data: { symbol: 'BTCUSDT', price: 1 } });
  expect(await holds()).toEqual([]);
  expect(await reject('Again')).toMatchObject({ status: 404, message: texts.noPriceHeld('BTCUSDT') });

  // Two more that agree with the rejected one are not its confirmation.
  floor.clock.advance(11_000);
  ticks('1');
  ticks('1');
  expect(await holds()).toMatchObject([{ price: 1 }]);
  expect(floor.server.market.price('BTCUSDT')?.price).toBe(12_000_000_000n);
  expect(await reject('Still a misprint')).toMatchObject({ status: 200 });
  expect((await floor.platformAudit()).slice(-2)).toMatchObject([
    {
      action: 'price.reject',
      reason: 'A misprint',
      actor_id: floor.admin.id,
      detail: { symbol: 'BTCUSDT', price: 1, last_price: 120 },
    },
    { action: 'price.reject', reason: 'Still a misprint' },
  ]);
});
