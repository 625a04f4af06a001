/**
 * Accounts with net positions on the exchange's own books (A114), through the official client: the exchange speaks its real wire
 * format, and what it does not say is modelled and labelled so.
 */
import { randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/platform/config/index.ts';
import { eventually } from '../harness/eventually.ts';
import { startTestServer, type TestServer } from '../harness/index.ts';
import type { RawLevel } from '../market/exchange-payloads.ts';
import { type ExchangeServer, startExchange } from '../market/exchange-server.ts';
import { type QuoteServer, startQuoteServer } from '../market/quote-server.ts';

const symbol = 'BTCUSDT';
const level = (price: number, size: number): RawLevel => [price.toFixed(8), size.toFixed(8)];
const bids = [level(63_999.99, 0.5), level(63_999.5, 1), level(63_998, 4)];
const asks = [level(64_000.01, 0.4), level(64_000.5, 0.5), level(64_002.25, 6)];
const shown = (levels: readonly RawLevel[]) =>
  levels.map(([price, size]) => ({ price: Number(price), size: Number(size) }));

let [exchange, quotes, server]: [ExchangeServer, QuoteServer, TestServer] = [] as never;
/** What the exchange sends four times a second. */
let sent: { price: string; best: boolean; depth: boolean; asks: readonly RawLevel[] };
let sending: NodeJS.Timeout;

beforeAll(async () => {
  exchange = await startExchange({ now: Date.now });
  quotes = await startQuoteServer(Date.now);
  exchange.set(symbol, '64000.00000000');
  exchange.set('ETHUSDT', '3000.00000000');
  const { priceFeed, providers } = loadConfig({
    PRICE_FEED: 'live',
    BINANCE_URL: exchange.url,
    BINANCE_STREAM_URL: exchange.streamUrl,
    YAHOO_URL: quotes.url,
    ALLOW_PRIVATE_PROVIDERS: 'true',
  });
  server = await startTestServer({ feed: null, config: { priceFeed, providers } });
  sending = setInterval(() => {
    exchange.report(symbol, sent.price);
    if (sent.best) exchange.reportBest(symbol, bids[0]!, sent.asks[0]!);
    if (sent.depth) exchange.reportDepth(symbol, bids, sent.asks);
  }, 250);
  reset();
});
afterEach(reset);
afterAll(async () => {
  clearInterval(sending);
  await server.close();
  await exchange.close();
  await quotes.stop();
});

function reset(): void {
  sent = { price: '64000.00000000', best: true, depth: true, asks };
}

interface Book {
  readonly quote_id: string;
  readonly source: string;
  readonly mid: number;
  readonly bids: readonly { price: number; size: number }[];
  readonly asks: readonly { price: number; size: number }[];
  readonly trades: readonly { price: number; size: number; side: string; traded_at: string }[];
  readonly trades_source: string;
}

async function join(profile = 'pro') {
  const { client: main } = await server.signUpTrader();
  const terms = { p_rules: 'perpetual', p_fill_profile: profile, p_start_balance: 1_000_000 };
  const { data } = await main.rpc('create_account', { p_name: randomUUID(), ...terms }).throwOnError();
  return { main, accountId: data.id as string, client: await server.clientIn(main, data.id) };
}

const bookOf = async (client: SupabaseClient, quoteId: string | null = null): Promise<Book> =>
  (await client.rpc('get_book', { p_symbol: symbol, p_quote_id: quoteId }).throwOnError()).data;
const whenBook = async (client: SupabaseClient, source: string): Promise<Book> => {
  let book: Book | undefined;
  await eventually(async () => {
    book = await bookOf(client);
    expect(book.source).toBe(source);
  }, 8);
  return book!;
};
const order = (p_side: string, p_size: number) => ({ p_symbol: symbol, p_side, p_size, p_leverage: 10 });

test('A114: an order fills on the exchange’s levels to the last digit, and its quote has them after a restart', async () => {
  const { client, main, accountId } = await join();
  const book = await whenBook(client, 'live');
  expect(book).toMatchObject({ mid: 64_000, bids: shown(bids), asks: shown(asks) });

  await client.rpc('open_position', order('BUY', 1.5)).throwOnError();
  const { data: executions } = await client.from('executions').select().throwOnError();
  // 0.4 at 64000.01, 0.5 at 64000.5 and 0.6 at 64002.25.
  const value = 0.4 * 64_000.01 + 0.5 * 64_000.5 + 0.6 * 64_002.25;
  expect(executions[0]).toMatchObject({
    ...{ size: 1.5, value: Number(value.toFixed(8)), price: 64_001.06933333, mid: 64_000 },
    ...{ spread_cost: 0.01, impact_cost: 1.05933333, liquidity: 'taker' },
  });
  const { quote_id: quoteId } = executions[0]!;
  expect(await bookOf(client, quoteId)).toMatchObject({ source: 'live', mid: 64_000, asks: shown(asks) });

  await server.restart();
  // The exchange has moved on.
  sent = { ...sent, asks: [level(64_000.03, 9)] };
  const again = await server.clientIn(main, accountId);
  await eventually(async () => expect((await bookOf(again)).asks[0]?.price).toBe(64_000.03), 8);
  const stored = await bookOf(again, quoteId);
  expect(stored).toEqual({
    ...{ symbol, quote_id: quoteId, source: 'live', mid: 64_000 },
    ...{ priced_at: expect.any(String), bids: shown(bids), asks: shown(asks) },
    ...{ trades: [], trades_source: 'modelled' },
  });
  const { data } = await again.from('executions').select().throwOnError();
  expect(data[0]).toEqual(executions[0]);
});

test('A114: what the account used up is missing from the live levels, in the stored quote too', async () => {
  const { client } = await join();
  await whenBook(client, 'live');
  await client.rpc('open_position', order('BUY', 0.4)).throwOnError();
  await client.rpc('open_position', order('BUY', 0.4)).throwOnError();
  const { data } = await client.from('executions').select().order('created_at').throwOnError();
  const { quote_id: quoteId, price } = data[1]!;
  expect(quoteId).toMatch(/~0~\d+$/);
  expect(price).toBeGreaterThan(64_000.01);
  const stored = await bookOf(client, quoteId);
  const used = Number(quoteId.split('~')[2]) / 1e8;
  const sum = stored.asks.reduce((all, { size }) => all + size, 0);
  expect(sum).toBeGreaterThan(6.9 - used - 0.00002);
  expect(sum).toBeLessThan(6.9 - used + 0.00001);
  expect(stored.bids).toEqual(shown(bids));
});

test('A114: of a live book only what was traded on can be read again, and by its whole name alone', async () => {
  const { client } = await join();
  const { quote_id: unused } = await whenBook(client, 'live');
  await client.rpc('open_position', order('SELL', 0.1)).throwOnError();
  const { data } = await client.from('executions').select().throwOnError();
  const { quote_id: used } = data[0]!;
  for (const id of [`${used}x`, used.slice(0, -1), `${used}~1`, unused.replace(/^l./, 'l0')]) {
    const { error } = await client.rpc('get_book', { p_symbol: symbol, p_quote_id: id });
    expect(error?.code).toBe('not_found');
  }
  // Another user does not learn whether anybody traded on it.
  const { client: stranger } = await join();
  const foreign = await stranger.rpc('get_book', { p_symbol: symbol, p_quote_id: used });
  expect(foreign.error?.code).toBe('not_found');
  expect((await client.rpc('get_book', { p_symbol: symbol, p_quote_id: used })).error).toBeNull();
  const { error } = await client.rpc('get_book', { p_symbol: 'ETHUSDT', p_quote_id: used });
  expect(error?.code).toBe('not_found');
  const { error: hidden } = await client.from('quoted_books' as never).select();
  expect(hidden).not.toBeNull();
});

test('A114: a profile stretches the exchange’s levels, and `ideal` trades at the middle', async () => {
  const [stress, ideal] = [await join('stress'), await join('ideal')];
  const book = await whenBook(stress.client, 'live');
  expect(book.asks.map(({ price }) => price)).toEqual([64_000.04, 64_001.51, 64_006.76]);
  expect(await whenBook(ideal.client, 'live')).toMatchObject({
    mid: 64_000,
    bids: [{ price: 64_000 }],
    asks: [{ price: 64_000 }],
  });
});

test('A114: with latency an order fills on the exchange’s levels of then, explained from the middle at its arrival', async () => {
  const { client } = await join('retail');
  await whenBook(client, 'live');
  sent = { ...sent, asks: [level(64_000.11, 9)] };
  await eventually(async () => expect((await bookOf(client)).mid).toBe(64_000.05), 8);
  const arrived = { type: 'MARKET', symbol, side: 'BUY', size: 0.5, leverage: 10 };
  await client.from('orders').insert(arrived).throwOnError();
  sent = { ...sent, asks: [level(64_000.31, 9)] };
  await eventually(async () => {
    const { data } = await client.from('orders').select('status').single().throwOnError();
    expect(data.status).toBe('FILLED');
  }, 8);
  const { data } = await client.from('executions').select().single().throwOnError();
  const { mid, price, spread_cost, impact_cost, latency_cost, quote_id: quoteId } = data;
  expect(mid).toBe(64_000.05);
  expect(mid + spread_cost + impact_cost + latency_cost).toBeCloseTo(price, 8);
  const quote = await bookOf(client, quoteId);
  expect(quote.source).toBe('live');
  expect(quote.mid).toBeCloseTo(mid + latency_cost, 8);
  expect(quote.asks[0]).toMatchObject({ price });
});

test('A114: without levels the best prices are the exchange’s, without any book all is modelled, and both are labelled', async () => {
  const { client } = await join();
  sent = { ...sent, depth: false };
  const best = await whenBook(client, 'live_best');
  expect([best.bids[0], best.asks[0]]).toEqual([shown(bids)[0], shown(asks)[0]]);
  expect([best.bids.length, best.asks.length]).toEqual([20, 20]);
  sent = { ...sent, best: false };
  const from = performance.now();
  const modelled = await whenBook(client, 'modelled');
  expect(performance.now() - from).toBeLessThan(4_000);
  expect(modelled.mid).toBe(64_000);
  expect(modelled.asks[0]?.price).not.toBe(64_000.01);
  await client.rpc('open_position', order('BUY', 0.1)).throwOnError();
  const { data } = await client.from('executions').select().throwOnError();
  const { quote_id: quoteId } = data[0]!;
  expect(await bookOf(client, quoteId)).toMatchObject({ source: 'modelled' });
  const stored = await server.db.query('select from app.quoted_books where quote_id = $1', [quoteId]);
  expect(stored.rows).toEqual([]);
});

test('A106, A114: no book of the exchange trades while the price is held, nor one beyond what a price may jump', async () => {
  const { client } = await join();
  await whenBook(client, 'live');
  // The book crashes, and no price has.
  sent = { ...sent, asks: [level(90_000, 5)] };
  const far = await whenBook(client, 'modelled');
  expect(far.mid).toBe(64_000);
  reset();
  await whenBook(client, 'live');
  sent = { ...sent, price: '30000.00000000' };
  await whenBook(client, 'modelled');
  const { error } = await client.rpc('open_position', order('BUY', 0.1));
  expect(error?.code).toBe('price_stale');
  reset();
  await whenBook(client, 'live');
  await client.rpc('open_position', order('BUY', 0.1)).throwOnError();
});

test('A114: trades are those that the exchange streams, and modelled ones before', async () => {
  await server.restart();
  const { client } = await join();
  await eventually(async () => {
    const modelled = await bookOf(client);
    expect(modelled.trades_source).toBe('modelled');
    expect(modelled.trades[0]).toMatchObject({ price: 64_000, side: expect.stringMatching(/^(BUY|SELL)$/) });
  }, 8);
  await whenBook(client, 'live');
  exchange.reportTrade(symbol, '64000.01000000', '0.12500000', false);
  exchange.reportTrade(symbol, '63999.99000000', '2.00000000', true);
  await eventually(async () => {
    const live = await bookOf(client);
    expect(live.trades_source).toBe('live');
    expect(live.trades).toEqual([
      { price: 63_999.99, size: 2, side: 'SELL', traded_at: expect.any(String) },
      { price: 64_000.01, size: 0.125, side: 'BUY', traded_at: expect.any(String) },
    ]);
  }, 8);
});

test('A114: a net position keeps its symbol on the exchange’s levels after everybody has stopped looking', async () => {
  const { client } = await join();
  await whenBook(client, 'live');
  await client.rpc('open_position', order('BUY', 0.1)).throwOnError();
  await server.restart();
  await eventually(async () => expect(exchange.bookStreams).toContain('btcusdt@depth20@100ms'), 8);
});
