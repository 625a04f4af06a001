/** A112: limits that a trader sets for an account, through the official client, and what the engine makes of them. */
import { dayMs, minuteMs } from '@fulcrum/domain';
import { beforeEach, expect, test } from 'vitest';
import { done, edit, floor, shareTradingServer, type TestUser } from '../trading/trading-server.ts';

shareTradingServer();
beforeEach(() => floor.feed.setPrice('BTCUSDT', '100'));
/** A minute after the sign-up, whose rows have the time of the database. */
const addTrader = async (): Promise<TestUser> => {
  const trader = await floor.addUser('trader');
  floor.clock.advance(minuteMs);
  floor.feed.setPrice('BTCUSDT', '100');
  return trader;
};

const set = async (trader: TestUser, limits: Record<string, unknown>) =>
  (await trader.client.rpc('set_own_limits', limits).throwOnError()).data;
const read = async (trader: TestUser) => (await trader.client.rpc('get_own_limits').throwOnError()).data;
const refusal = async (trader: TestUser) => {
  const { code, message } = await floor.call(trader, 'open_position', {
    ...{ p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 1, p_leverage: 10 },
  });
  return code === undefined ? null : [code, message];
};
const isoDay = (now: number) => `${new Date(now).toISOString().slice(0, 10)} 00:00 UTC`;
const none = { daily_loss: null, daily_loss_percent: null, trades_max: null, cool_down_minutes: null };

test('without limits there is no day; the first ones hold at once, with an audit entry', async () => {
  const trader = await addTrader();
  expect(await read(trader)).toEqual({ ...none, waiting: null, day: null });
  const limits = await set(trader, { p_daily_loss: '50', p_trades_max: 3 });
  expect(limits).toMatchObject({ ...none, daily_loss: 50, trades_max: 3, waiting: null });
  expect(limits.day).toMatchObject({ loss: 0, loss_max: 50, trades: 0, cool_down_until: null });
  expect((await floor.audit(trader.id)).map(({ action }) => action)).toEqual(['account.set_own_limits']);
});

test('a limit that makes no sense is refused in words', async () => {
  const trader = await addTrader();
  for (const wrong of [{ p_daily_loss: 0 }, { p_daily_loss: '-1' }, { p_daily_loss_percent: 101 }]) {
    const { code } = await floor.call(trader, 'set_own_limits', wrong);
    expect(code).toBe('invalid_argument');
  }
});

test('the daily loss refuses what opens, in words, and lets through what closes; the day is the same when it is read again', async () => {
  const trader = await addTrader();
  const { id } = await floor.open(trader);
  await set(trader, { p_daily_loss: 5 });
  floor.feed.setPrice('BTCUSDT', '95.5');
  const second = await floor.open(trader);
  floor.feed.setPrice('BTCUSDT', '95');
  const text = `Your own daily loss limit of 5.00 USDT is reached until ${isoDay(floor.clock.now() + dayMs)}: 5.50 USDT so far. You can close positions, and open nothing before.`;
  expect(await refusal(trader)).toEqual(['own_limit_reached', text]);
  expect((await read(trader)).day).toMatchObject({ loss: 5.5, loss_max: 5, trades: 2 });
  for (const position of [id, second.id])
    expect((await floor.call(trader, 'close_position', { p_position_id: position })).code).toBeUndefined();
  expect((await read(trader)).day).toMatchObject({ loss: 5.5, trades: 2 });
  // A deposit is no gain.
  floor.clock.advance(minuteMs);
  floor.feed.setPrice('BTCUSDT', '95');
  const deposit = { user_id: trader.id, type: 'deposit', amount: 100, description: 'A test' };
  await floor.admin.client.from('transactions').insert(deposit).throwOnError();
  expect((await read(trader)).day).toMatchObject({ loss: 5.5 });
  expect((await refusal(trader))?.[0]).toBe('own_limit_reached');
});

test('a waiting order that is reached after the limit is rejected, and the trader is notified why', async () => {
  const trader = await addTrader();
  await floor.open(trader);
  await set(trader, { p_trades_max: 2 });
  const order = { type: 'LIMIT', side: 'BUY', symbol: 'BTCUSDT', size: 1, price: 99, leverage: 10 };
  await trader.client
    .from('orders')
    .insert({ ...order, user_id: trader.id })
    .throwOnError();
  await floor.open(trader);
  await floor.tick('98', async () => {
    const notices = await floor.notices(trader);
    expect(notices.map(({ kind }) => kind)).toContain('order_rejected');
    expect(notices.map(({ message }) => message).join()).toContain('Your own limit of 2 trades a day');
  });
});

test('what is loosened waits for the next day, which begins with no trades', async () => {
  const trader = await addTrader();
  await set(trader, { p_trades_max: 1, p_cool_down_minutes: 30 });
  await floor.open(trader);
  const next = isoDay(floor.clock.now() + dayMs);
  expect(await refusal(trader)).toEqual([
    'own_limit_reached',
    `Your own limit of 1 trade a day is reached until ${next}. You can close positions, and open nothing before.`,
  ]);
  expect(await set(trader, { p_trades_max: 2 })).toMatchObject({
    ...{ trades_max: 1, cool_down_minutes: 30 },
    waiting: { ...none, trades_max: 2 },
  });
  expect((await refusal(trader))?.[0]).toBe('own_limit_reached');
  floor.clock.advance(dayMs);
  floor.feed.setPrice('BTCUSDT', '100');
  await trader.client.auth.refreshSession();
  expect(await read(trader)).toMatchObject({ ...none, trades_max: 2, waiting: null, day: { trades: 0 } });
  expect(await refusal(trader)).toBeNull();
  expect(await refusal(trader)).toBeNull();
  expect((await refusal(trader))?.[0]).toBe('own_limit_reached');
  expect((await read(trader)).day).toMatchObject({ trades: 2 });
});

test('the cool-down runs from the close with a loss, and ends by itself', async () => {
  const trader = await addTrader();
  await set(trader, { p_cool_down_minutes: 10 });
  await floor.closedAt(trader, '99');
  const until = (await read(trader)).day?.cool_down_until as string;
  expect(Date.parse(until) - floor.clock.now()).toBe(10 * minuteMs);
  expect(await refusal(trader)).toEqual([
    'own_limit_reached',
    `Your own cool-down after a loss lasts until ${until.slice(0, 16).replace('T', ' ')} UTC. You can close positions, and open nothing before.`,
  ]);
  floor.clock.advance(10 * minuteMs);
  floor.feed.setPrice('BTCUSDT', '99');
  expect(await refusal(trader)).toBeNull();
});

test('A09: a loss that staff correct ends its cool-down', async () => {
  const trader = await addTrader();
  await set(trader, { p_cool_down_minutes: 10 });
  const lost = await floor.closedAt(trader, '99');
  expect((await refusal(trader))?.[0]).toBe('own_limit_reached');
  // A day has passed since the admin signed in.
  await floor.admin.client.auth.refreshSession();
  done(await edit(floor.admin, lost, { realized_pnl: 1, close_price: 101 }));
  expect(await refusal(trader)).toBeNull();
});

test('they are of one account: another one of the trader is free, and an archived one takes none', async () => {
  const trader = await addTrader();
  await set(trader, { p_trades_max: 1 });
  await floor.open(trader);
  expect((await refusal(trader))?.[0]).toBe('own_limit_reached');
  const { data: account } = await trader.client.rpc('create_account', { p_name: 'Free' }).throwOnError();
  const client = await floor.clientIn(trader.client, account.id);
  const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 1, p_leverage: 10 };
  const { data: position } = await client.rpc('open_position', order).throwOnError();
  await client.rpc('close_position', { p_position_id: position.id }).throwOnError();
  await trader.client.rpc('archive_account', { p_account_id: account.id }).throwOnError();
  const { error } = await client.rpc('set_own_limits', { p_trades_max: 1 });
  expect(error?.code).toBe('account_archived');
});

test('a limit that is set while orders arrive holds from its answer on, and each of them is carried out or refused', async () => {
  const outcomes = new Set<string | undefined>();
  for (let round = 0; round < 8; round += 1) {
    const trader = await addTrader();
    await floor.open(trader);
    const opens = Array.from({ length: 4 }, () => refusal(trader));
    await set(trader, { p_trades_max: 1 });
    expect((await refusal(trader))?.[0]).toBe('own_limit_reached');
    for (const opened of await Promise.all(opens)) outcomes.add(opened?.[0]);
    const { rows } = await floor.db.query<{ open: number }>(
      `select count(*)::int as open from app.positions where user_id = $1 and status = 'open'`,
      [trader.id],
    );
    expect((await read(trader)).day?.trades).toBe(rows[0]?.open);
  }
  for (const outcome of outcomes) expect([undefined, 'own_limit_reached', 'busy']).toContain(outcome);
});
