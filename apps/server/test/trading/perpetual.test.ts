/** Accounts with net positions (A113, A114), through the official client and over restarts of the server. */
import { randomUUID } from 'node:crypto';
import { texts } from '@fulcrum/contract';
import type { SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { server, shareTestServer } from '../harness/index.ts';

shareTestServer();

interface Trader {
  readonly accountId: string;
  readonly client: SupabaseClient;
  /** Of the user's main account. */
  readonly main: SupabaseClient;
}

async function join(more: Record<string, unknown> = {}): Promise<Trader> {
  const { client: main } = await server.signUpTrader();
  const terms = { p_rules: 'perpetual', p_fill_profile: 'pro', p_start_balance: 100_000 };
  const { data } = await main
    .rpc('create_account', { p_name: randomUUID(), ...terms, ...more })
    .throwOnError();
  return { accountId: data.id, client: await server.clientIn(main, data.id), main };
}

interface Level {
  readonly price: number;
  readonly size: number;
}
interface Quote {
  readonly quote_id: string;
  readonly mid: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}
const quoteOf = async (client: SupabaseClient, quoteId: string | null = null): Promise<Quote> =>
  (await client.rpc('get_book', { p_symbol: 'BTCUSDT', p_quote_id: quoteId }).throwOnError()).data;
const buy = (size: number, more: Record<string, unknown> = {}) => ({
  ...{ p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: size, p_leverage: 20 },
  ...more,
});
const executionsOf = async (client: SupabaseClient) =>
  (await client.from('executions').select().order('created_at').throwOnError()).data;

/** What the levels cost, in hundredths of a cent to stay exact: prices have two decimals, sizes five. */
function costOf(levels: readonly Level[], size: number): bigint {
  let left = Math.round(size * 1e5);
  let cost = 0n;
  for (const level of levels) {
    const taken = Math.min(left, Math.round(level.size * 1e5));
    cost += BigInt(Math.round(level.price * 100)) * BigInt(taken);
    left -= taken;
  }
  if (left > 0) throw new RangeError('the levels do not hold that much');
  return cost;
}
const costToNumber = (cost: bigint): number => Number(cost) / 1e7;

test('A114: what the levels show is what fills, to the last digit, and any execution’s quote is rebuilt', async () => {
  server.feed.setPrice('BTCUSDT', '64000');
  const { client } = await join();
  const shown = await quoteOf(client);
  expect(shown.mid).toBe(64_000);
  const size = 0.9;
  const { data: position } = await client
    .rpc('open_position', buy(size, { p_quote_id: shown.quote_id }))
    .throwOnError();
  const cost = costOf(shown.asks, size);
  expect(position).toMatchObject({ size, entry_value: costToNumber(cost), rules: 'perpetual' });
  const [execution] = await executionsOf(client);
  expect(execution).toMatchObject({
    ...{ size, value: costToNumber(cost), mid: 64_000, liquidity: 'taker', quote_id: shown.quote_id },
    ...{ position_id: position.id, latency_cost: 0, realized_pnl: null },
    fee: Number((costToNumber(cost) * 0.0005).toFixed(8)),
  });
  expect(execution.spread_cost).toBeCloseTo((shown.asks[0]?.price ?? 0) - 64_000, 8);
  expect(execution.mid + execution.spread_cost + execution.impact_cost).toBeCloseTo(execution.price, 8);

  // The account has used up what it took, and no other one has.
  const after = await quoteOf(client);
  expect(costOf(after.asks, 0.001)).toBeGreaterThan(costOf(shown.asks, 0.001));
  expect(after.bids).toEqual(shown.bids);
  const other = await join();
  expect((await quoteOf(other.client)).asks).toEqual(shown.asks);

  server.feed.setPrice('BTCUSDT', '65000');
  for (const quoteId of [shown.quote_id, after.quote_id]) {
    const { mid, bids, asks } = await quoteOf(client, quoteId);
    expect({ mid, bids, asks }).toEqual({
      ...{ mid: 64_000, bids: shown.bids },
      asks: (quoteId === shown.quote_id ? shown : after).asks,
    });
  }
});

test('A114: no user reads a quote that was never there, or that of another symbol', async () => {
  server.feed.setPrice('BTCUSDT', '64000');
  server.feed.setPrice('ETHUSDT', '3000');
  const { client } = await join();
  const { quote_id: id } = await quoteOf(client);
  const parts = id.split('.');
  const later = [...parts.slice(0, 1), 'zzzzzzzz', ...parts.slice(2)].join('.');
  for (const [symbol, quoteId] of [
    ['BTCUSDT', later],
    ['BTCUSDT', `${id}x`],
    ['BTCUSDT', 'no quote'],
    ['BTCUSDT', ''],
    ['BTCUSDT', `${id}~1`],
    ['BTCUSDT', `${id}~-1~0`],
    ['BTCUSDT', `${id}~1~1~1`],
    ['ETHUSDT', id],
  ] as const) {
    const { error } = await client.rpc('get_book', { p_symbol: symbol, p_quote_id: quoteId });
    expect([quoteId, error?.message]).toEqual([quoteId, texts.quoteUnknown(symbol)]);
  }
  const moved = await client.rpc('open_position', buy(0.1, { p_quote_id: `${later}` }));
  expect(moved.error).toMatchObject({ code: 'quote_changed', message: texts.quoteChanged });
});

test('A113: increases, reduces and flips; the results are what was received less what was paid', async () => {
  server.feed.setPrice('BTCUSDT', '64000');
  const { client } = await join({ p_fill_profile: 'ideal' });
  await client.rpc('open_position', buy(0.1)).throwOnError();
  server.feed.setPrice('BTCUSDT', '64000.03');
  const { data: whole } = await client.rpc('open_position', buy(0.2)).throwOnError();
  expect(whole).toMatchObject({ size: 0.3, entry_value: 19_200.006, leverage: 20, margin: 960.0003 });
  server.feed.setPrice('BTCUSDT', '65000');
  const { data: part } = await client
    .rpc('close_position', { p_position_id: whole.id, p_size: 0.1 })
    .throwOnError();
  expect(part).toMatchObject({ size: 0.1, split_from: whole.id, realized_pnl: 99.998 });
  const { data: flipped } = await client.rpc('open_position', buy(0.5, { p_side: 'SELL' })).throwOnError();
  expect(flipped).toMatchObject({ side: 'SELL', size: 0.3, entry_value: 19_500, status: 'open' });
  const executions = await executionsOf(client);
  expect(executions.at(-1)).toMatchObject({
    ...{ size: 0.5, position_id: flipped.id, flipped_from: whole.id, realized_pnl: 199.996 },
  });
  const { data: open } = await client.from('positions').select('id').eq('status', 'open').throwOnError();
  expect(open).toEqual([{ id: flipped.id }]);
});

test('A113: orders wait, fill as makers in parts, and keep what they filled over a restart', async () => {
  server.feed.setPrice('BTCUSDT', '64000');
  const trader = await join();
  let { client } = trader;
  const placeOrder = (row: Record<string, unknown>) =>
    client
      .from('orders')
      .insert({ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', leverage: 20, ...row })
      .select()
      .single();
  const post = await placeOrder({ size: 0.5, price: 64_100, time_in_force: 'GTX' });
  expect(post.error).toMatchObject({ code: 'order_would_take' });
  const foundless = await placeOrder({ size: 900, price: 64_010, time_in_force: 'FOK' });
  expect(foundless.error).toMatchObject({ code: 'order_not_fillable' });
  const { data: ioc } = await placeOrder({ size: 0.5, price: 64_000, time_in_force: 'IOC' });
  expect(ioc).toMatchObject({ status: 'EXPIRED', filled_size: 0 });

  const { data: waiting } = await placeOrder({ size: 20, price: 63_000, leverage: 20 }).throwOnError();
  expect(waiting).toMatchObject({ status: 'NEW', filled_size: 0, time_in_force: 'GTC', reserved: 63_630 });
  // The ask is half a spread above it, and has to pass the order as well.
  server.feed.setPrice('BTCUSDT', '62990');
  const read = async () =>
    (await client.from('orders').select().eq('id', waiting.id).single().throwOnError()).data;
  await eventually(async () => expect((await read()).status).toBe('PARTIALLY_FILLED'));
  const partly = await read();
  const [maker] = await executionsOf(client);
  expect(maker).toMatchObject({
    liquidity: 'maker',
    price: 63_000,
    size: partly.filled_size,
    order_id: waiting.id,
  });
  expect(maker.fee).toBeCloseTo(maker.value * 0.0002, 8);

  // So that nothing more fills.
  server.feed.setPrice('BTCUSDT', '64000');
  await server.restart();
  client = await server.clientIn(trader.main, trader.accountId);
  expect(await read()).toMatchObject({ status: 'PARTIALLY_FILLED', filled_size: partly.filled_size });
  const { data: amended } = await client
    .rpc('amend_order', { p_order_id: waiting.id, p_price: 61_000, p_size: 10 })
    .throwOnError();
  expect(amended).toMatchObject({ price: 61_000, size: 10, filled_size: partly.filled_size });
  await client.from('orders').update({ status: 'CANCELED' }).eq('id', waiting.id).throwOnError();
  expect(await read()).toMatchObject({ status: 'CANCELED', reserved: 0, filled_size: partly.filled_size });
});

test('A113: leverage and margin belong to the symbol’s position, and outlive a restart', async () => {
  server.feed.setPrice('BTCUSDT', '64000');
  const trader = await join({ p_fill_profile: 'ideal' });
  let { client } = trader;
  await client.rpc('set_leverage', { p_symbol: 'BTCUSDT', p_leverage: 50 }).throwOnError();
  await server.restart();
  server.feed.setPrice('BTCUSDT', '64000');
  client = await server.clientIn(trader.main, trader.accountId);
  expect((await client.from('symbol_leverages').select('symbol, leverage').throwOnError()).data).toEqual([
    { symbol: 'BTCUSDT', leverage: 50 },
  ]);
  const { data: position } = await client.rpc('open_position', buy(0.1, { p_leverage: 50 })).throwOnError();
  expect(position.margin).toBe(128);
  const lower = await client.rpc('set_leverage', { p_symbol: 'BTCUSDT', p_leverage: 10 });
  expect(lower.error).toMatchObject({ code: 'leverage_in_use', message: texts.leverageInUse('BTCUSDT', 50) });
  const { data: safer } = await client
    .rpc('adjust_margin', { p_position_id: position.id, p_amount: 100 })
    .throwOnError();
  expect(safer.margin).toBe(228);
  expect(safer.liquidation_price).toBeLessThan(position.liquidation_price);
  const beyond = await client.rpc('adjust_margin', { p_position_id: position.id, p_amount: -101 });
  expect(beyond.error).toMatchObject({
    code: 'margin_beyond_free',
    message: texts.marginBeyondFree('100.00'),
  });
});

test('A112: the main account is as stated: no book, no net positions, an execution for each fill', async () => {
  server.feed.setPrice('BTCUSDT', '64000');
  const { main } = await join();
  const { data: first } = await main.rpc('open_position', buy(0.01)).throwOnError();
  const { data: second } = await main.rpc('open_position', buy(0.01)).throwOnError();
  expect(second.id).not.toBe(first.id);
  expect(second).toMatchObject({ entry_price: 64_000, entry_value: null, rules: 'standard' });
  await main.rpc('close_position', { p_position_id: first.id }).throwOnError();
  expect(await executionsOf(main)).toMatchObject([
    { position_id: first.id, side: 'BUY', price: 64_000, mid: 64_000, spread_cost: 0, quote_id: null },
    { position_id: second.id, side: 'BUY' },
    { position_id: first.id, side: 'SELL', realized_pnl: 0 },
  ]);
  const { error } = await main.rpc('set_leverage', { p_symbol: 'BTCUSDT', p_leverage: 5 });
  expect(error).toMatchObject({ code: 'not_perpetual' });
});

test('bad terms of an account are refused in full', async () => {
  const { client } = await server.signUpTrader();
  const create = async (terms: Record<string, unknown>) =>
    (await client.rpc('create_account', { p_name: randomUUID(), ...terms })).error?.message;
  expect(await create({ p_fill_profile: 'pro' })).toBe(
    'Only an account with perpetual rules has a fill profile.',
  );
  expect(await create({ p_rules: 'perpetual', p_fee_rate: 0.001 })).toContain('those of its fill profile');
  expect(await create({ p_rules: 'hedge' })).toBeDefined();
  expect(await create({ p_rules: 'perpetual', p_fill_profile: 'exact' })).toBeDefined();
});
