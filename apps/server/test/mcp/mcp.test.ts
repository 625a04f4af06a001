/** A119: `/mcp` with the official client against the real server. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { texts } from '@fulcrum/contract';
import { tools } from '@fulcrum/contract/mcp';
import { dayMs, minuteMs } from '@fulcrum/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bearerOf, type MadeKey, makeKey, withKey } from '../api-keys/world.ts';
import { eventually } from '../harness/eventually.ts';
import { server, shareTestServer, type Trader } from '../harness/index.ts';
import { type Agent, connect, connectWith, revisions } from './client.ts';

let trader: Trader;
let key: MadeKey;
let agent: Agent;
const opened: Agent[] = [];

shareTestServer({ config: { metricsToken: 'a-token-for-metrics' } });
beforeEach(async () => {
  server.feed.setPrice('BTCUSDT', '60000');
  trader = await server.signUpTrader();
  key = await makeKey(trader.client, trader.userId);
  agent = await open(key);
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function open(of: MadeKey, revision: (typeof revisions)[number] = 'legacy'): Promise<Agent> {
  const one = await connect(server, of, revision);
  opened.push(one);
  return one;
}

const buy = (more: Record<string, unknown> = {}) => ({
  ...{ symbol: 'BTCUSDT', side: 'BUY', size: 0.01, leverage: 10, client_id: randomUUID() },
  ...more,
});
const reading = tools.filter(({ scope }) => scope === 'read').map(({ name }) => name);
const all = tools.map(({ name }) => name);

/** Sends a body as it is. */
const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: bearerOf(key),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });

describe.each(revisions)('in the revision %s', (revision) => {
  test('A119: a key sees the tools of its scope, each with a schema', async () => {
    const readKey = await makeKey(trader.client, trader.userId, { p_scopes: ['read'] });
    expect(await (await open(key, revision)).toolNames()).toEqual(all);
    const reader = await open(readKey, revision);
    const { tools: listed } = await reader.client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(reading);
    for (const { inputSchema, annotations } of listed) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    }
  });

  test('A119: an order is placed, and a repeat of its client id places nothing', async () => {
    const one = await open(key, revision);
    const terms = buy();
    const { order } = await one.call('place', terms);
    expect(order).toMatchObject({ status: 'FILLED', size: 0.01, client_id: terms.client_id });
    expect(await one.call('place', terms)).toMatchObject({ order: { id: order.id } });
    expect((await one.call('positions')).positions).toHaveLength(1);
  });
});

describe('each tool', () => {
  test('A119: account, quote, candles and book', async () => {
    expect(await agent.call('account')).toMatchObject({
      id: trader.userId,
      kind: 'main',
      balance: expect.any(Number),
      open_positions: 0,
      waiting_orders: 0,
    });
    // The row of the market follows a price within a second.
    await eventually(async () =>
      expect(await agent.call('quote', { symbol: 'BTCUSDT' })).toMatchObject({
        price: 60_000,
        market: { step_size: expect.any(Number), tick_size: expect.any(Number), market_open: true },
      }),
    );
    const { candles } = await agent.call('candles', { symbol: 'BTCUSDT', timeframe: '1m', limit: 5 });
    expect(Array.isArray(candles)).toBe(true);
    const book = await agent.call('book', { symbol: 'BTCUSDT' });
    expect(book.bids[0].price).toBeLessThan(book.asks[0].price);
  });

  test('A119: place, protect, close, positions and both reviews', async () => {
    const { order } = await agent.call('place', buy({ stop_loss_price: 59_000 }));
    const id = order.position_id;
    const both = { take_profit_price: 62_000, stop_loss_price: 59_500 };
    expect(await agent.call('protect', { position_id: id, client_id: randomUUID(), ...both })).toMatchObject({
      position: both,
    });
    expect((await agent.call('positions')).positions).toMatchObject([{ id, ...both }]);
    const part = { position_id: id, size: 0.004, client_id: randomUUID() };
    const { position } = await agent.call('close', part);
    expect(position).toMatchObject({ status: 'closed', size: 0.004, split_from: id });
    expect(await agent.call('close', part)).toEqual({ position });
    await agent.call('close', { position_id: id, client_id: randomUUID() });
    const { positions } = await agent.call('positions', { status: 'closed', limit: 1 });
    expect(positions).toMatchObject([{ id, status: 'closed' }]);
    const review = await agent.call('review_trade', { position_id: id });
    expect(review).toMatchObject({ position_id: id, findings: expect.any(Array) });
    const now = Date.now();
    const [from, to] = [now - dayMs, now + minuteMs].map((at) => new Date(at).toISOString());
    expect(await agent.call('review_period', { from, to })).toMatchObject({ trades: 2 });
  });

  test('A119: an order that waits is listed, and cancelled', async () => {
    const { order } = await agent.call('place', buy({ type: 'LIMIT', price: 50_000 }));
    expect(await agent.call('positions')).toMatchObject({
      positions: [],
      waiting_orders: [{ id: order.id }],
    });
    expect(await agent.call('cancel', { order_id: order.id })).toMatchObject({
      order: { status: 'CANCELED' },
    });
    expect((await agent.call('positions')).waiting_orders).toEqual([]);
  });

  test('A119: an account with net positions takes conditional orders that close it', async () => {
    const { data: practice } = await trader.client
      .rpc('create_account', { p_name: randomUUID(), p_rules: 'perpetual' })
      .throwOnError();
    const bot = await open(await makeKey(trader.client, practice.id));
    // After its latency.
    expect(await bot.call('place', buy())).toMatchObject({ order: { status: 'FILLED' } });
    const { size: _, ...stop } = buy({
      ...{ side: 'SELL', type: 'STOP_MARKET', trigger_price: 55_000, close_position: true },
    });
    const { order } = await bot.call('place', stop);
    expect(order).toMatchObject({ status: 'NEW', close_position: true, trigger_price: 55_000 });
    expect(await agent.call('positions')).toEqual({ positions: [], waiting_orders: [] });
  });

  test('A119: what a tool writes is what a request to /rest/v1 with that key writes', async () => {
    const written = async (orderId: string) => {
      const { rows } = await server.db.query(
        `select o.type, o.side, o.size, o.status, o.user_id,
                (select count(*)::int from app.audit_log a where a.object_id = o.id) as audited
         from app.orders o where o.id = $1`,
        [orderId],
      );
      return rows;
    };
    const { order } = await agent.call('place', buy());
    const { client_id, ...terms } = buy();
    const direct = await withKey(server, key, 'orders', {
      body: { ...terms, type: 'MARKET', client_id },
      headers: { prefer: 'return=representation' },
    });
    expect(await written(order.id)).toEqual(await written(direct.body[0].id));
  });
});

describe('refusals', () => {
  test('A119: a read key cannot trade, in the words of the product', async () => {
    const reader = await open(await makeKey(trader.client, trader.userId, { p_scopes: ['read'] }));
    for (const { name } of tools.filter(({ scope }) => scope === 'trade')) {
      expect(await reader.refusal(name, buy())).toMatchObject({
        code: 'not_allowed',
        message: texts.apiKeyScope('trade'),
      });
    }
    expect((await agent.call('positions')).positions).toEqual([]);
  });

  test('A119: no key, a wrong one, a session and another address open nothing', async () => {
    const { data } = await trader.client.auth.getSession();
    const elsewhere = await makeKey(trader.client, trader.userId, { p_addresses: ['192.0.2.1'] });
    const refused: Record<string, Record<string, string>> = {
      'no key': {},
      'a wrong secret': { authorization: `Bearer ${key.api_key}.wrong` },
      'an unknown key': { authorization: `Bearer paper_${'x'.repeat(43)}.${key.secret}` },
      'a session': { authorization: `Bearer ${data.session?.access_token}` },
    };
    for (const [name, headers] of Object.entries(refused)) {
      await expect(connectWith(server, headers), name).rejects.toThrow(/API key is not valid|401/);
      const answer = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: '{}' });
      expect([name, answer.status, answer.headers.get('www-authenticate')]).toEqual([name, 401, 'Bearer']);
      expect(await answer.json()).toMatchObject({ error: { message: texts.apiKeyInvalid } });
    }
    await expect(connect(server, elsewhere)).rejects.toThrow(/does not work from/);
  });

  test('A119: a revoked key is refused at once, also in the middle of a conversation', async () => {
    await agent.call('account');
    await trader.client.rpc('revoke_api_key', { p_key_id: key.id }).throwOnError();
    await expect(agent.call('account')).rejects.toThrow();
  });

  test('A119: wrong input is refused by the name of the argument', async () => {
    expect(await agent.refusal('quote')).toMatchObject({
      code: 'invalid_argument',
      message: 'Missing argument: symbol',
    });
    expect(await agent.refusal('quote', { symbol: 'NOPE' })).toMatchObject({ code: 'unknown_symbol' });
    expect(await agent.refusal('candles', { symbol: 'BTCUSDT', timeframe: '7m' })).toMatchObject({
      message: expect.stringContaining('Invalid argument timeframe'),
    });
    expect(await agent.refusal('place', buy({ user_id: randomUUID() }))).toMatchObject({
      message: 'Unknown argument: user_id',
    });
    const { client_id: _, ...without } = buy();
    expect(await agent.refusal('place', without)).toMatchObject({ message: 'Missing argument: client_id' });
    expect(await agent.refusal('place', buy({ size: 1e9 }))).toMatchObject({ code: expect.any(String) });
    await expect(agent.client.callTool({ name: 'withdraw', arguments: {} })).rejects.toThrow(
      'There is no tool withdraw.',
    );
  });

  test('A119: a client id with other terms is a conflict', async () => {
    const terms = buy();
    await agent.call('place', terms);
    expect(await agent.refusal('place', { ...terms, size: 0.02 })).toMatchObject({
      code: 'idempotency_conflict',
    });
  });

  test('A119: positions and orders of another account do not exist', async () => {
    const { order } = await agent.call('place', buy());
    const { order: waiting } = await agent.call('place', buy({ type: 'LIMIT', price: 50_000 }));
    const other = await server.signUpTrader();
    const foreign = await open(await makeKey(other.client, other.userId));
    const position_id = order.position_id;
    const unknown = { code: 'position_not_found', message: texts.positionNotFound };
    expect(await foreign.refusal('close', { position_id, client_id: randomUUID() })).toMatchObject(unknown);
    const bounds = { take_profit_price: null, stop_loss_price: null, client_id: randomUUID() };
    expect(await foreign.refusal('protect', { position_id, ...bounds })).toMatchObject(unknown);
    expect(await foreign.refusal('review_trade', { position_id })).toMatchObject(unknown);
    expect(await foreign.refusal('cancel', { order_id: waiting.id })).toMatchObject({
      code: 'order_not_found',
      message: texts.orderNotFound,
    });
    expect(await foreign.call('positions')).toEqual({ positions: [], waiting_orders: [] });
    expect((await agent.call('positions')).positions).toHaveLength(1);
  });

  test('A119: a body that is too large, no JSON or of another type is refused', async () => {
    const large = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(70_000) }));
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ error: { message: 'A request has at most 64 KiB.' } });
    expect((await post('{')).status).toBe(400);
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('A119: several messages in one request are refused: one that cancels another would never be answered', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'account', arguments: {} } };
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const answer = await post(JSON.stringify([call, cancelled]));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { message: 'Send one message in a request.' } });
  });

  test('A119: a page of another origin is refused, whatever key it has, and so is a foreign name of the server', async () => {
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect((await post(ping, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(ping, { origin: server.url })).status).toBe(200);
    const rebound = await new Promise((resolve, reject) => {
      const headers = { host: 'evil.example', authorization: bearerOf(key) };
      const sent = request(`${server.url}/mcp`, { method: 'POST', headers }, ({ statusCode }) =>
        resolve(statusCode),
      );
      sent.on('error', reject).end(ping);
    });
    expect(rebound).toBe(421);
  });

  test('A119: only POST; there is no stream, no subscription and no session to end', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${server.url}/mcp`, { method, headers: { authorization: bearerOf(key) } });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
    const { client } = await open(key, '2026-07-28');
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow();
  });
});

test('A118: a key has a number of calls; another key of the account has its own', async () => {
  const calls = Array.from({ length: 130 }, () => agent.client.callTool({ name: 'cancel', arguments: {} }));
  const codes = (await Promise.all(calls)).map(
    ({ structuredContent }) => (structuredContent as { code: string }).code,
  );
  expect(new Set(codes)).toEqual(new Set(['invalid_argument', 'too_many_attempts']));
  expect(codes.filter((code) => code === 'invalid_argument').length).toBeGreaterThanOrEqual(120);
  const other = await open(await makeKey(trader.client, trader.userId));
  expect(await other.call('account')).toMatchObject({ id: trader.userId });
});

test('metrics: calls are counted by tool and outcome', async () => {
  await agent.call('account');
  await agent.refusal('quote');
  const answer = await fetch(`${server.url}/metrics`, {
    headers: { authorization: 'Bearer a-token-for-metrics' },
  });
  const text = await answer.text();
  expect(text).toMatch(/fulcrum_mcp_calls_total\{tool="account",outcome="done"\} \d+/);
  expect(text).toMatch(/fulcrum_mcp_calls_total\{tool="quote",outcome="refused"\} \d+/);
});
