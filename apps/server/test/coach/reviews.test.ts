/** A115: reviews of closed trades through the real server, with prices of a market that the test sets. */
import { randomUUID } from 'node:crypto';
import { AppError } from '@fulcrum/contract';
import { asPrice, hourMs, minuteMs, parseDecimal } from '@fulcrum/domain';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTradePrices } from '../../src/features/coach/prices.ts';
import { readTrade } from '../../src/features/coach/trades.ts';
import { createManualClock, type ManualClock } from '../../src/platform/clock/index.ts';
import { eventually } from '../harness/eventually.ts';
import { startTestServer, type TestServer, type Trader } from '../harness/index.ts';

let server: TestServer;
let clock: ManualClock;
const start = Date.parse('2026-11-23T10:00:00Z');

beforeAll(async () => {
  clock = createManualClock(start);
  server = await startTestServer({ clock });
});
afterAll(() => server.close());

const priceIs = (price: string) => server.feed.setPrice('BTCUSDT', price);

/** Opens at a price, closes at another one some minutes later. */
async function trade(
  { client }: Trader,
  { from, to, minutes, ...more }: { from: string; to: string; minutes: number } & Record<string, unknown>,
) {
  priceIs(from);
  const { data } = await client
    .rpc('open_position', { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10, ...more })
    .throwOnError();
  clock.advance(minutes * minuteMs);
  priceIs(to);
  await client.rpc('close_position', { p_position_id: data.id }).throwOnError();
  return data.id as string;
}

const review = async ({ client }: Trader, id: string) =>
  (await client.rpc('review_trade', { p_position_id: id }).throwOnError()).data;
const factOf = ({ facts }: { facts: { name: string }[] }, expected: string) =>
  facts.find(({ name }) => name === expected);
const period = async ({ client }: Trader, more: Record<string, unknown> = {}) => {
  const range = { p_from: new Date(start).toISOString(), p_to: new Date(start + 24 * hourMs).toISOString() };
  return (await client.rpc('review_period', { ...range, ...more }).throwOnError()).data;
};

test('a trade has its facts and findings, and the figures are those of its row', async () => {
  const trader = await server.signUpTrader();
  const id = await trade(trader, { from: '60000', to: '59000', minutes: 5 });
  const { rows } = await server.db.query<{ net: string }>(
    'select realized_pnl - fees as net from app.positions where id = $1',
    [id],
  );
  const found = await review(trader, id);
  expect(found).toMatchObject({ position_id: id, symbol: 'BTCUSDT', side: 'BUY', close_reason: 'manual' });
  expect(factOf(found, 'net')).toMatchObject({ unit: 'money', value: Number(rows[0]?.net) });
  expect(factOf(found, 'held')).toMatchObject({ unit: 'ms', value: 5 * minuteMs });
  expect(factOf(found, 'worstPrice')).toMatchObject({ unit: 'price', value: 59_000 });
  expect(found.findings.map((finding: { rule: string }) => finding.rule)).toEqual(['no_stop']);
});

test('a trade right after a losing one has a finding with the time between', async () => {
  const trader = await server.signUpTrader();
  await trade(trader, { from: '60000', to: '59000', minutes: 1 });
  clock.advance(2 * minuteMs);
  const second = await trade(trader, { from: '60000', to: '60500', minutes: 1, p_stop_loss_price: 58_000 });
  const found = await review(trader, second);
  expect(factOf(found, 'sinceLoss')).toMatchObject({ unit: 'ms', value: 2 * minuteMs });
  expect(found.findings).toContainEqual({
    rule: 'soon_after_loss',
    sentence: expect.stringMatching(/^The trade opened 2 min after a trade that ended at -\d+\.\d\d USDT;/),
  });
});

test('the prices of a trade become a row once the time after it is over, and the review stays the same', async () => {
  const trader = await server.signUpTrader();
  const id = await trade(trader, { from: '60000', to: '60100', minutes: 30 });
  expect((await review(trader, id)).is_final).toBe(false);
  const rowOf = async () =>
    (await server.db.query('select * from app.trade_prices where position_id = $1', [id])).rows;
  expect(await rowOf()).toEqual([]);
  clock.advance(31 * minuteMs);
  const final = await review(trader, id);
  expect(final.is_final).toBe(true);
  expect(await rowOf()).toMatchObject([{ high_during: '60100.00000000', low_during: '60000.00000000' }]);
  priceIs('90000');
  clock.advance(3 * hourMs);
  expect(await review(trader, id)).toEqual(final);
});

test('a market whose bars cannot be read costs no review: the trade keeps its own prices', async () => {
  const trader = await server.signUpTrader();
  const id = await trade(trader, { from: '60000', to: '60100', minutes: 30 });
  clock.advance(31 * minuteMs);
  const { trade: closed } = (await readTrade(server.db, trader.userId, id))!;
  const read = (error: Error) =>
    createTradePrices({
      db: server.db,
      market: { candles: () => Promise.reject(error) },
      now: () => clock.now(),
      log: pino({ enabled: false }),
    }).read(closed);
  const own = {
    during: { high: asPrice(parseDecimal('60100')), low: asPrice(parseDecimal('60000')) },
    after: null,
  };
  expect(await read(new Error('the provider does not answer'))).toEqual({
    ...own,
    ...{ isFinal: false, hasFailed: true },
  });
  // No bar will come of a market that is not listed any more.
  expect(await read(new AppError('unknown_symbol', 'Unknown symbol'))).toEqual({
    ...own,
    ...{ isFinal: true, hasFailed: false },
  });
});

test('a period has the habits with their trades, and sums by tag, symbol, side and hour', async () => {
  const trader = await server.signUpTrader();
  const ids = [];
  for (let n = 0; n < 3; n += 1) {
    ids.push(await trade(trader, { from: '60000', to: '59900', minutes: 1 }));
    clock.advance(20 * minuteMs);
  }
  await trader.client
    .from('journal_entries')
    .insert({ id: randomUUID(), title: 'a', content: 'b', tags: ['breakout'], position_id: ids[0] })
    .throwOnError();
  const found = await period(trader);
  expect(found).toMatchObject({ trades: 3, pending: 0, truncated: false });
  const [habit] = found.costliest;
  expect(habit.rule).toBe('no_stop');
  expect(habit.trades).toBe(3);
  expect(habit.listed.map((one: { position_id: string }) => one.position_id).sort()).toEqual([...ids].sort());
  expect(habit.listed[0]).toMatchObject({ symbol: 'BTCUSDT', side: 'BUY', worth: expect.any(Number) });
  expect(found.by_symbol).toEqual([{ key: 'BTCUSDT', trades: 3, net_pnl: habit.worth }]);
  expect(found.by_side).toEqual([{ key: 'BUY', trades: 3, net_pnl: habit.worth }]);
  expect(found.by_setup).toMatchObject([{ key: 'breakout', trades: 1 }]);
  expect(found.by_hour.reduce((sum: number, { trades }: { trades: number }) => sum + trades, 0)).toBe(3);
  expect(await period(trader)).toEqual(found);
});

test('another user’s trade, an open one and an unknown one answer alike; a period has bounds', async () => {
  const [owner, other] = [await server.signUpTrader(), await server.signUpTrader()];
  const id = await trade(owner, { from: '60000', to: '60100', minutes: 1 });
  priceIs('60000');
  const { data } = await other.client
    .rpc('open_position', { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10 })
    .throwOnError();
  for (const one of [id, data.id, randomUUID()]) {
    const { error, status } = await other.client.rpc('review_trade', { p_position_id: one });
    expect([status, error?.code]).toEqual([404, 'position_not_found']);
  }
  expect((await period(other)).trades).toBe(0);
  const long = await other.client.rpc('review_period', {
    p_from: '2026-01-01T00:00:00Z',
    p_to: '2026-02-02T00:00:00Z',
  });
  expect(long.error?.code).toBe('invalid_argument');
  const zone = await other.client.rpc('review_period', {
    p_from: '2026-01-01T00:00:00Z',
    p_to: '2026-01-02T00:00:00Z',
    p_time_zone: 'Nowhere/Else',
  });
  expect(zone.error?.code).toBe('invalid_argument');
});

test('own rules of the trader: a limit of the share at risk is looked at, and a rule that is off is not', async () => {
  const trader = await server.signUpTrader();
  await server.db.query(
    'insert into app.equity_snapshots (user_id, at, balance, equity) values ($1, $2, 10000, 10000)',
    [trader.userId, new Date(clock.now() - minuteMs)],
  );
  const risky = { from: '60000', to: '59900', minutes: 1, p_size: 0.1, p_stop_loss_price: 58_000 };
  const id = await trade(trader, risky);
  const rulesOf = async () => (await review(trader, id)).findings.map(({ rule }: { rule: string }) => rule);
  expect(await rulesOf()).toEqual([]);
  const store = (value: unknown) =>
    trader.client
      .from('user_settings')
      .upsert({ key: 'coach', value }, { onConflict: 'user_id,key' })
      .throwOnError();
  await store({ riskShareMax: 1, off: [] });
  expect(await rulesOf()).toEqual(['over_own_risk']);
  await store({ riskShareMax: 1, off: ['over_own_risk'] });
  expect(await rulesOf()).toEqual([]);
  await store({ riskShareMax: 'much' });
  expect(await rulesOf()).toEqual([]);
});

test('a net position has the order that closed it, and whether a stop order waited while it was open', async () => {
  const { client: main } = await server.signUpTrader();
  const terms = { p_rules: 'perpetual', p_fill_profile: 'ideal', p_start_balance: 100_000 };
  const { data: account } = await main.rpc('create_account', { p_name: 'Net', ...terms }).throwOnError();
  const client = await server.clientIn(main, account.id);
  const placeOrder = (order: Record<string, unknown>) =>
    client
      .from('orders')
      .insert({ symbol: 'BTCUSDT', side: 'SELL', leverage: 10, ...order })
      .throwOnError();
  /** Opens a trade with the order beside it; `close` ends it. */
  const tradeWith = async (order: Record<string, unknown> | null, close: (id: string) => unknown) => {
    clock.advance(minuteMs);
    priceIs('60000');
    const { data } = await client
      .rpc('open_position', { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10 })
      .throwOnError();
    if (order) await placeOrder(order);
    clock.advance(minuteMs);
    priceIs('60000');
    await close(data.id);
    const stored = await eventually(async () => {
      const found = await readTrade(server.db, account.id, data.id);
      expect(found).not.toBeNull();
      return found!;
    });
    const found = (await client.rpc('review_trade', { p_position_id: data.id }).throwOnError()).data;
    const rules = found.findings.map(({ rule }: { rule: string }) => rule);
    const { closedBy, hadStopOrder } = stored.trade;
    return { closedBy, hadStopOrder, isWithoutStop: rules.includes('no_stop') };
  };
  const byHand = (id: string) => client.rpc('close_position', { p_position_id: id }).throwOnError();
  const whole = { type: 'STOP_MARKET', trigger_price: 59_000, close_position: true };
  expect(await tradeWith(whole, () => priceIs('58990'))).toEqual({
    ...{ closedBy: 'STOP_MARKET', hadStopOrder: true, isWithoutStop: false },
  });
  // The stop order of the trade before has ended with it.
  const profit = { type: 'TAKE_PROFIT_MARKET', trigger_price: 61_000, size: 0.01, reduce_only: true };
  expect(await tradeWith(profit, () => priceIs('61010'))).toEqual({
    ...{ closedBy: 'TAKE_PROFIT_MARKET', hadStopOrder: false, isWithoutStop: true },
  });
  const flip = () => placeOrder({ type: 'MARKET', size: 0.02 });
  expect(await tradeWith(null, flip)).toMatchObject({ closedBy: 'MARKET', hadStopOrder: false });
  const { data: short } = await client.from('positions').select('id').eq('status', 'open').throwOnError();
  await byHand(short?.[0]?.id);
  const stop = { type: 'STOP_MARKET', trigger_price: 59_000, size: 0.01, reduce_only: true };
  expect(await tradeWith(stop, byHand)).toMatchObject({ closedBy: null, hadStopOrder: true });
  // It is of no position, so it waits on and protects the next one.
  expect(await tradeWith(null, byHand)).toMatchObject({ hadStopOrder: true, isWithoutStop: false });
});
