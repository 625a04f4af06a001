/** Staff actions on the market, and the limits of requests for a price, through the whole server. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tick } from '@fulcrum/contract';
import type { RealtimeChannel } from '@supabase/supabase-js';
import { expect, onTestFinished, test } from 'vitest';
import { PriceError } from '../../src/features/market/price-error.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import { OutboundError } from '../../src/platform/outbound/index.ts';
import { createManualFeed, type TestServerOptions } from '../harness/index.ts';
import { startUserServer, type TestUser, type UserServer } from '../identity/user-server.ts';

async function start(options: Omit<TestServerOptions, 'clock'> = {}): Promise<UserServer> {
  const server = await startUserServer(options);
  onTestFinished(() => server.close());
  return server;
}

async function call(by: TestUser, procedure: string, args: Record<string, unknown> = {}) {
  const { data, error, status } = await by.client.rpc(procedure, args);
  return { data, code: error?.code, message: error?.message, details: error?.details, status };
}

const lastPrice = async (server: UserServer, symbol: string) =>
  server.server.market.ticks().find((tick) => tick.symbol === symbol)?.price ?? 0;

test('a shock moves a simulated price at once, is audited, and is part of the path after a restart', async () => {
  const server = await start({ feed: null });
  const admin = await server.addUser('admin');
  const before = await lastPrice(server, 'BTCUSDT');
  const shock = (more: Record<string, unknown> = {}) =>
    call(admin, 'shock_price', { p_symbol: 'BTCUSDT', p_percent: 40, p_reason: 'A lesson', ...more });

  expect(await shock({ p_reason: '' })).toMatchObject({ status: 400, message: 'Please give a reason.' });
  expect(await shock({ p_symbol: 'NOPE' })).toMatchObject({ status: 400, code: 'unknown_symbol' });
  expect(await shock({ p_percent: 101 })).toMatchObject({ status: 400 });
  expect(await shock({ p_percent: 0 })).toMatchObject({ status: 400 });
  expect(await lastPrice(server, 'BTCUSDT')).toBe(before);

  const moved = await shock({ p_client_id: 'once' });
  expect(moved).toMatchObject({ status: 200, data: { symbol: 'BTCUSDT', percent: 40 } });
  // As if its answer was lost: repeated under its id it moves nothing; another move under that id is refused.
  expect(await shock({ p_client_id: 'once' })).toEqual(moved);
  expect(await shock({ p_client_id: 'once', p_percent: 41 })).toMatchObject({
    status: 409,
    code: 'idempotency_conflict',
  });
  // It takes effect with the path's next step, and passes the jump guard (30 %).
  server.clock.advance(1_000);
  await expect.poll(() => lastPrice(server, 'BTCUSDT')).toBeGreaterThan(before * 1.35);
  expect((await server.platformAudit()).at(-1)).toMatchObject({
    action: 'price.shock',
    reason: 'A lesson',
    detail: { symbol: 'BTCUSDT', percent: 40, half_life_minutes: null },
  });
  const { data } = await call(admin, 'get_market_controls');
  expect(data).toMatchObject({
    holds: [],
    replay: null,
    shocks: [{ symbol: 'BTCUSDT', percent: 40, half_life_minutes: null }],
  });

  await server.restart();
  expect(await lastPrice(server, 'BTCUSDT')).toBeGreaterThan(before * 1.35);
});

test('a shock that fades is no longer listed once it has no effect', async () => {
  const server = await start({ feed: null });
  const admin = await server.addUser('admin');
  await call(admin, 'shock_price', {
    ...{ p_symbol: 'EUR/USD', p_percent: -5, p_half_life_minutes: 0.5, p_reason: 'A lesson' },
  });
  const shocks = async () => (await call(admin, 'get_market_controls')).data.shocks;
  server.clock.advance(4 * 60_000);
  await expect.poll(shocks).toMatchObject([{ symbol: 'EUR/USD', percent: -5, half_life_minutes: 0.5 }]);
  server.clock.advance(2 * 60_000);
  expect(await shocks()).toEqual([]);
});

test('a recording is paused and speeded up, audited; what is not simulated takes no shock', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fulcrum-controls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const minutes = Array.from({ length: 10 }, (_, minute) => {
    const at = Date.UTC(2022, 11, 13, 0, minute);
    return `BTCUSDT,${at},17200,17210,17190,17205,1.5`;
  });
  await writeFile(
    join(folder, 'btc.csv'),
    ['symbol,open_time,open,high,low,close,volume', ...minutes, ''].join('\n'),
  );
  const server = await start({
    feed: null,
    config: {
      priceFeed: { kind: 'replay', folder, speed: 1, loop: false, onJump: 'pause', historyMinutes: 0 },
    },
  });
  const admin = await server.addUser('admin');
  const set = (args: Record<string, unknown>) => call(admin, 'set_replay', args);

  expect(await set({ p_paused: true })).toMatchObject({ status: 400, message: 'Please give a reason.' });
  expect(await set({ p_speed: 0, p_reason: 'Too slow' })).toMatchObject({ status: 400 });
  expect(await set({ p_paused: true, p_reason: 'A break' })).toMatchObject({
    status: 200,
    data: { paused: true, speed: 1 },
  });
  expect(await set({ p_speed: 60, p_reason: 'On with it' })).toMatchObject({
    data: { paused: true, speed: 60 },
  });
  expect((await call(admin, 'get_market_controls')).data.replay).toMatchObject({
    paused: true,
    speed: 60,
    loop: false,
  });
  expect((await server.platformAudit()).slice(-2)).toMatchObject([
    {
      action: 'replay.set',
      reason: 'A break',
      detail: { before: { paused: false }, after: { paused: true } },
    },
    {
      action: 'replay.set',
      reason: 'On with it',
      detail: { before: { paused: true }, after: { speed: 60 } },
    },
  ]);
  const shock = { p_symbol: 'BTCUSDT', p_percent: 5, p_reason: 'A lesson' };
  expect(await call(admin, 'shock_price', shock)).toMatchObject({
    ...{ status: 403, code: 'not_allowed', message: 'BTCUSDT is not simulated.' },
  });
  const { rows } = await server.db.query('select * from app.price_shocks');
  expect(rows).toEqual([]);
});

test('UX-10: the browser gets the symbols of the recording before they have a price', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fulcrum-recorded-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const at = Date.UTC(2022, 11, 13);
  const rows = [`BTCUSDT,${at},17200,17210,17190,17205,1`, `AAPL,${at + 480 * 60_000},140,140,140,140,1`];
  await writeFile(
    join(folder, 'two.csv'),
    ['symbol,open_time,open,high,low,close,volume', ...rows, ''].join('\n'),
  );
  const server = await start({
    feed: null,
    config: {
      priceFeed: { kind: 'replay', folder, speed: 1, loop: false, onJump: 'pause', historyMinutes: 0 },
    },
  });
  const { feed } = (await (await fetch(`${server.url}/config.json`)).json()) as {
    feed: { recorded: unknown };
  };
  expect(feed.recorded).toEqual(['BTCUSDT', 'AAPL']);
  // The API answers for all others as ever.
  const trader = await server.addUser('trader');
  const { data } = await trader.client.from('trading_pairs').select('symbol').eq('symbol', 'EUR/USD');
  expect(data).toHaveLength(1);
});

test('without a recording, nothing can be paused', async () => {
  const server = await start({ feed: null });
  const admin = await server.addUser('admin');
  expect(await call(admin, 'set_replay', { p_paused: true, p_reason: 'A break' })).toMatchObject({
    ...{ status: 403, code: 'not_allowed', message: 'No replay is running.' },
  });
});

test('FEED-67: fetch_price requests the price at once; a failure has its cause', async () => {
  const feed = createManualFeed();
  let requestCount = 0;
  let fault: Error | null = null;
  feed.changeSource('yahoo');
  feed.fetch = async (symbol) => {
    requestCount += 1;
    if (fault) throw fault;
    feed.setPrice(symbol, 100 + requestCount);
  };
  const server = await start({ feed });
  const trader = await server.addUser('trader');
  const fetched = await call(trader, 'fetch_price', { p_symbol: 'BTCUSDT' });
  expect(fetched).toMatchObject({
    status: 200,
    data: { symbol: 'BTCUSDT', price: 101, source: 'yahoo', state: 'live' } satisfies Partial<Tick>,
  });
  expect(await call(trader, 'fetch_price', { p_symbol: 'NOPE' })).toMatchObject({
    ...{ status: 400, code: 'unknown_symbol', message: 'Unknown symbol: NOPE' },
  });
  expect(requestCount).toBe(1);
  // Each text for users once, and no address that was requested.
  const host = new OutboundError('network', 'quotes.example: connect ECONNREFUSED 192.0.2.1:443');
  const twice = new PriceError('HTTP error! status: 503', { cause: host });
  const cause = new PriceError('HTTP error! status: 503', { cause: twice });
  fault = new PriceError('Failed to fetch price for BTCUSDT', { cause });
  expect(await call(trader, 'fetch_price', { p_symbol: 'BTCUSDT' })).toMatchObject({
    status: 503,
    code: 'source_unavailable',
    message: 'Failed to fetch price for BTCUSDT',
    details: 'HTTP error! status: 503',
  });
});

test.for([
  ['FEED-65, ERR-34', 'DJI', 'Unsupported index symbol: DJI'],
  ['FEED-64, ERR-33', 'NGG', 'Unsupported commodity symbol: NGG'],
  ['FEED-66, ERR-38', 'A/B/C', 'Unsupported market type'],
  ['FEED-69, ERR-35', 'NOPEUSDT', 'No price data available for NOPEUSDT'],
  ['FEED-69, ERR-35', 'NOPE', 'No price data available for NOPE'],
] as const)(
  '%s: who requests the price of %s, which is not listed, reads %s',
  async ([, symbol, details]) => {
    const feed = createManualFeed();
    feed.fetch = async () => expect.unreachable('a request reached a provider');
    const server = await start({ feed });
    const trader = await server.addUser('trader');
    expect(await call(trader, 'fetch_price', { p_symbol: symbol })).toMatchObject({
      status: 400,
      code: 'unknown_symbol',
      message: `Unknown symbol: ${symbol}`,
      details,
    });
  },
);

test('one user waits for eight prices at once, and for no more', async () => {
  const feed = createManualFeed();
  const answers: (() => void)[] = [];
  feed.changeSource('yahoo');
  feed.fetch = () => new Promise((resolve) => answers.push(resolve));
  const server = await start({ feed });
  const trader = await server.addUser('trader');
  const other = await server.addUser('trader');
  feed.setPrice('AAPL', 100);
  const ask = (by: TestUser) => call(by, 'fetch_price', { p_symbol: 'AAPL' });
  const pending = Array.from({ length: 10 }, () => ask(trader));
  await expect.poll(() => answers.length).toBe(8);
  const ofOther = ask(other);
  await expect.poll(() => answers.length).toBe(9);
  for (const answer of answers.splice(0)) answer();
  const statuses = (await Promise.all(pending)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([...Array.from({ length: 8 }, () => 200), 503, 503]);
  expect(await ofOther).toMatchObject({ status: 200 });
  const again = ask(trader);
  await expect.poll(() => answers.length).toBe(1);
  answers[0]?.();
  expect(await again).toMatchObject({ status: 200 });
});

test('A37: a polled price is fetched before a position opens on it, and a silent provider delays no order for long', async () => {
  const feed = createManualFeed();
  const requested: string[] = [];
  let answer: (symbol: string) => Promise<void> = async (symbol) => feed.setPrice(symbol, 120);
  feed.changeSource('yahoo');
  feed.fetch = (symbol) => {
    requested.push(symbol);
    return answer(symbol);
  };
  const server = await start({ feed });
  feed.setPrice('BTCUSDT', 100, { receivedAt: server.clock.now() - 3_000, marketTime: server.clock.now() });
  const trader = await server.addUser('trader');
  const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.1, p_leverage: 10 };
  expect(await call(trader, 'open_position', order)).toMatchObject({ data: { entry_price: 120 } });
  // Just fetched: as fresh as can be.
  expect(await call(trader, 'open_position', order)).toMatchObject({ data: { entry_price: 120 } });
  expect(requested).toEqual(['BTCUSDT']);
  server.clock.advance(3_000);
  answer = () => new Promise(() => {});
  expect(await call(trader, 'open_position', order)).toMatchObject({ data: { entry_price: 120 } });
  answer = () => Promise.reject(new PriceError('no'));
  const limit = { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', price: 90, size: 0.1, leverage: 10 };
  expect((await trader.client.from('orders').insert(limit)).error).toBeNull();
  expect(requested).toEqual(['BTCUSDT', 'BTCUSDT', 'BTCUSDT']);
});

test('the browser learns the source of the prices, and operators which provider is dead', async () => {
  // No client is connected.
  const nowhere = 'http://127.0.0.1:9';
  const { providers } = loadConfig({
    ...{ BINANCE_URL: nowhere, BINANCE_STREAM_URL: 'ws://127.0.0.1:9', YAHOO_URL: nowhere },
    ALLOW_PRIVATE_PROVIDERS: 'true',
  });
  const ask = async <Answer>(server: UserServer, path: string) =>
    (await (await fetch(`${server.url}${path}`)).json()) as Answer;

  const live = await start({ feed: null, config: { priceFeed: { kind: 'live' }, providers } });
  expect(await ask(live, '/config.json')).toMatchObject({
    feed: { kind: 'live', source: 'binance', simulated: false },
  });
  expect(await ask(live, '/health')).toMatchObject({
    status: 'degraded',
    feed: {
      ok: false,
      reason: 'no prices come from binance and yahoo',
      providers: [
        { source: 'binance', ok: false, fault: expect.any(String) },
        { source: 'yahoo', ok: false, fault: expect.any(String) },
      ],
    },
  });

  const auto = await start({ feed: null, config: { priceFeed: { kind: 'auto', seed: 'one' }, providers } });
  await expect
    .poll(() => ask(auto, '/health'))
    .toMatchObject({
      status: 'ready',
      feed: {
        ...{ ok: true, source: 'simulated', configured: 'auto', held: 0 },
        providers: [
          { source: 'binance', ok: false, symbols: 0, fault: expect.stringContaining('simulated') },
          { source: 'yahoo', ok: false, symbols: 0, fault: expect.stringContaining('simulated') },
        ],
      },
    });
  expect(await ask(auto, '/config.json')).toMatchObject({
    feed: { kind: 'auto', source: 'simulated', simulated: true },
  });
});

test('A37: a symbol counts as displayed as long as a client has joined its topic', async () => {
  const server = await start();
  const trader = await server.addUser('trader');
  const shown = () => server.server.market.state().symbols.shown;
  const join = (topic: string) =>
    new Promise<RealtimeChannel>((resolve) => {
      const channel = trader.client.channel(topic).subscribe((status) => {
        if (status === 'SUBSCRIBED') resolve(channel);
      });
    });
  const [bitcoin] = [await join('prices:BTCUSDT'), await join('prices'), await join('prices:NOPE')];
  expect(shown()).toBe(1);
  await trader.client.removeChannel(bitcoin);
  await expect.poll(shown).toBe(0);
});
