/** The costs of an account with net positions (A113, A114), beside a count of its executions and its ledger by the test itself. */
import { randomUUID } from 'node:crypto';
import type { Performance } from '@fulcrum/contract';
import { hourMs, parseDecimal } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { startUserServer, type TestUser } from '../identity/user-server.ts';

let server: Awaited<ReturnType<typeof startUserServer>>;
beforeAll(async () => {
  server = await startUserServer();
  // Just before an instant of funding.
  server.clock.set((Math.floor(server.clock.now() / (8 * hourMs)) + 1) * 8 * hourMs - 60_000);
  server.feed.setPrice('BTCUSDT', '64000');
});
afterAll(() => server.close());

async function join(): Promise<{ user: TestUser; accountId: string; client: SupabaseClient }> {
  const user = await server.addUser('trader');
  const terms = { p_rules: 'perpetual', p_fill_profile: 'pro', p_start_balance: 100_000 };
  const { data } = await user.client.rpc('create_account', { p_name: randomUUID(), ...terms }).throwOnError();
  const client = await server.clientIn(user.client, data.id);
  return { user, accountId: data.id, client };
}
const order = (side: 'BUY' | 'SELL', size: number) => ({
  ...{ p_symbol: 'BTCUSDT', p_side: side, p_size: size, p_leverage: 20 },
});
const performanceOf = async (client: SupabaseClient, from: string | null = null): Promise<Performance> =>
  (await client.rpc('get_performance', { p_from: from }).throwOnError()).data;

/** In 1e-8 USDT and with whole numbers alone. */
async function countCosts(accountId: string) {
  const { rows: fills } = await server.db.query<Record<string, string>>(
    `select size::text, spread_cost::text, impact_cost::text, latency_cost::text, fee::text,
            coalesce(realized_pnl, 0)::text as realized from app.executions where user_id = $1`,
    [accountId],
  );
  const { rows: entries } = await server.db.query<{ kind: string; amount: string }>(
    `select kind, amount::text from app.ledger_entries where user_id = $1`,
    [accountId],
  );
  const of = (row: Record<string, string>, name: string): bigint => parseDecimal(row[name] ?? '0');
  const product = (name: string): number =>
    Number(fills.reduce((sum, fill) => sum + of(fill, 'size') * of(fill, name), 0n) / 10n ** 8n) / 1e8;
  const sum = (name: string): number => Number(fills.reduce((all, fill) => all + of(fill, name), 0n)) / 1e8;
  const booked = (isOf: (kind: string) => boolean): number =>
    Number(entries.reduce((all, { kind, amount }) => (isOf(kind) ? all + parseDecimal(amount) : all), 0n)) /
    1e8;
  return {
    ...{ spread: product('spread_cost'), impact: product('impact_cost'), latency: product('latency_cost') },
    ...{ fees: sum('fee'), realized: sum('realized'), fills: fills.length },
    funding: booked((kind) => kind === 'funding'),
    // All that the account has gained or lost since its opening.
    gained: booked((kind) => kind !== 'deposit'),
  };
}

test('A113, A114: gross less spread, depth, latency and fees, with funding, is what the ledger has moved', async () => {
  const { accountId, client } = await join();
  await client.rpc('open_position', order('BUY', 0.6)).throwOnError();
  server.feed.setPrice('BTCUSDT', '64100');
  await client.rpc('open_position', order('BUY', 0.2)).throwOnError();
  server.clock.advance(60_000);
  server.feed.setPrice('BTCUSDT', '64300');
  await eventually(async () => expect((await performanceOf(client)).costs?.funding).toBeLessThan(0));
  const { data: open } = await client.from('positions').select('id').eq('status', 'open').throwOnError();
  await client.rpc('close_position', { p_position_id: open?.[0]?.id }).throwOnError();

  const { costs, funding, net_pnl: net, trades } = await performanceOf(client);
  const counted = await countCosts(accountId);
  if (!costs) throw new Error('the account has no costs');
  expect(costs.fills).toBe(3);
  for (const name of ['spread', 'impact', 'latency', 'fees', 'funding'] as const)
    expect(costs[name], name).toBeCloseTo(counted[name], 7);
  expect(costs.spread).toBeGreaterThan(0);
  expect(costs.net).toBeCloseTo(counted.gained, 7);
  expect(costs.gross - costs.spread - costs.impact - costs.latency - costs.fees + costs.funding).toBeCloseTo(
    costs.net,
    7,
  );
  // Everything is closed, so the trades say the same.
  expect([trades, funding, net]).toEqual([1, costs.funding, costs.net]);
});

test('A113: a range has its own fills; an account of other rules has no such costs', async () => {
  const { client, user } = await join();
  await client.rpc('open_position', order('SELL', 0.1)).throwOnError();
  server.clock.advance(1_000);
  const later = new Date(server.clock.now()).toISOString();
  expect((await performanceOf(client, later)).costs).toMatchObject({ fills: 0, gross: 0, fees: 0, net: 0 });
  expect((await performanceOf(client)).costs).toMatchObject({ fills: 1 });
  expect((await performanceOf(user.client)).costs).toBeNull();
});
