/** Books and trades of the exchange, over the websocket of combined streams, in its real wire format (A114). */
import { asPrice, asSize, minuteMs, parseDecimal } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { bookedSymbolsMax } from '../../src/features/market/feeds/live/order-books.ts';
import { type BinanceSetup, listed, setUpBinance, startedAt } from './binance-setup.ts';
import type { RawLevel } from './exchange-payloads.ts';

const symbol = 'BTCUSDT';
const second = 1_000;
const [bid, ask]: [RawLevel, RawLevel] = [
  ['64000.00000000', '1.50000000'],
  ['64000.01000000', '0.25000000'],
];
const deeper: readonly [RawLevel[], RawLevel[]] = [
  [bid, ['63999.50000000', '2.00000000']],
  [ask, ['64000.75000000', '3.00000000']],
];
const levels = (...raw: readonly RawLevel[]) =>
  raw.map(([price, size]) => ({ price: asPrice(parseDecimal(price)), size: asSize(parseDecimal(size)) }));
const bookOf = ({ feed, timers }: BinanceSetup, of = symbol) => feed.book(of, timers.now());

/** A feed whose symbols have levels and trades. */
async function startBooked(...booked: string[]): Promise<BinanceSetup> {
  const setup = await setUpBinance();
  setup.market.booked = new Set(booked);
  await setup.start();
  return setup;
}

test('A114: the best prices of all pairs are streamed, levels and trades of those in use alone', async () => {
  const setup = await startBooked(symbol);
  const { exchange } = setup;
  expect(new Set(exchange.bookStreams)).toEqual(
    new Set(['btcusdt@bookTicker', 'ethusdt@bookTicker', 'btcusdt@depth20@100ms', 'btcusdt@aggTrade']),
  );
  expect(exchange.streams.every((stream) => stream.endsWith('@ticker'))).toBe(true);

  exchange.reportBest('ETHUSDT', ['3200.10000000', '7.00000000'], ['3200.11000000', '8.00000000']);
  exchange.reportDepth(symbol, ...deeper);
  await exchange.settled();
  expect(bookOf(setup, 'ETHUSDT')).toEqual({
    bids: levels(['3200.10', '7']),
    asks: levels(['3200.11', '8']),
    isBestOnly: true,
    receivedAt: startedAt,
  });
  expect(bookOf(setup)).toEqual({
    bids: levels(...deeper[0]),
    asks: levels(...deeper[1]),
    isBestOnly: false,
    receivedAt: startedAt,
  });
});

test('A114: levels older than two seconds give way to best prices, and those to none', async () => {
  const setup = await startBooked(symbol);
  const { exchange, timers } = setup;
  exchange.reportDepth(symbol, ...deeper);
  await exchange.settled();
  await timers.advance(second);
  exchange.reportBest(symbol, bid, ask);
  await exchange.settled();
  await timers.advance(second);
  expect(bookOf(setup)).toMatchObject({ isBestOnly: false });
  await timers.advance(1);
  expect(bookOf(setup)).toMatchObject({ isBestOnly: true, receivedAt: startedAt + second });
  await timers.advance(second);
  expect(bookOf(setup)).toBeUndefined();
});

test('A114: a stream of books that is cut is none after two seconds, and is opened again by itself', async () => {
  const setup = await startBooked(symbol);
  const { exchange, timers, feed } = setup;
  exchange.reportDepth(symbol, ...deeper);
  await exchange.settled();
  exchange.cutOrderBooks();
  await exchange.settled();
  expect(bookOf(setup)).toBeDefined();
  exchange.reportAll();
  expect(exchange.open).toBe(1);
  await timers.advance(2 * second + 1);
  expect(bookOf(setup)).toBeUndefined();

  expect(exchange.orderBooks.attempts).toBe(2);
  exchange.reportDepth(symbol, ...deeper);
  await exchange.settled();
  expect(bookOf(setup)).toMatchObject({ isBestOnly: false });
  expect(feed.providers?.()[0]).toMatchObject({ ok: true, fault: null });
});

test('a silent stream of books is given up, and tried again while prices come; prices go on meanwhile', async () => {
  const setup = await startBooked(symbol);
  const { exchange, timers, feed, log } = setup;
  for (let elapsed = 0; elapsed < 8 * 60; elapsed += 1) {
    exchange.reportAll();
    await timers.advance(second);
  }
  expect(exchange.attempts).toBe(1);
  expect(log.some(({ msg }) => msg.endsWith('given up; books are modelled'))).toBe(true);
  const given = exchange.orderBooks.attempts;
  expect(given).toBeGreaterThan(6);
  expect(given).toBeLessThan(16);
  expect(feed.providers?.()[0]).toMatchObject({
    ok: true,
    fault: expect.stringContaining('books are modelled'),
  });

  for (let elapsed = 0; elapsed < 5 * 60; elapsed += 1) {
    exchange.reportAll();
    exchange.reportBest(symbol, bid, ask);
    await timers.advance(second);
  }
  expect(bookOf(setup)).toMatchObject({ isBestOnly: true });
  expect(feed.providers?.()[0]).toMatchObject({ ok: true, fault: null });
});

describe('frames that are no book leave the last one as it is', () => {
  const depth = 'btcusdt@depth20@100ms';
  test.each<[string, string, unknown]>([
    ['levels in the wrong order', depth, { bids: [deeper[0][1], bid], asks: deeper[1] }],
    ['a level twice', depth, { bids: [bid, bid], asks: deeper[1] }],
    ['a side without levels', depth, { bids: [], asks: deeper[1] }],
    ['a side that is no list', depth, { bids: 'all', asks: deeper[1] }],
    ['a level that is no list', depth, { bids: [bid[0]], asks: deeper[1] }],
    ['numbers in place of texts', depth, { bids: [[64_000, 1]], asks: deeper[1] }],
    ['a size of nothing', depth, { bids: [[bid[0], '0.00000000']], asks: deeper[1] }],
    ['a price below zero', depth, { bids: [['-1.00000000', '1.0']], asks: deeper[1] }],
    ['a price beyond all plausible ones', depth, { bids: [['40000000.01', '1.0']], asks: deeper[1] }],
    ['an exponent', depth, { bids: [['6.4e4', '1.0']], asks: deeper[1] }],
    ['more places than a price has', depth, { bids: [['64000.000000001', '1.0']], asks: deeper[1] }],
    [
      'more levels than were requested',
      depth,
      { bids: Array.from({ length: 21 }, (_, i) => [`${64_000 - i}`, '1']), asks: deeper[1] },
    ],
    ['best prices without a symbol', 'btcusdt@bookTicker', { u: 1, b: '1', B: '1', a: '2', A: '1' }],
    ['best prices without a size', 'btcusdt@bookTicker', { u: 1, s: symbol, b: '1', a: '2', A: '1' }],
    [
      'a trade without a side',
      'btcusdt@aggTrade',
      { e: 'aggTrade', s: symbol, p: '1', q: '1', T: startedAt },
    ],
    ['a trade without a time', 'btcusdt@aggTrade', { e: 'aggTrade', s: symbol, p: '1', q: '1', m: true }],
  ])('%s', async (_, stream, data) => {
    const setup = await startBooked(symbol);
    const { exchange, log } = setup;
    exchange.reportDepth(symbol, ...deeper);
    exchange.broadcast(stream, data);
    await exchange.settled();
    expect(bookOf(setup)).toMatchObject({ bids: levels(...deeper[0]), asks: levels(...deeper[1]) });
    expect(setup.feed.trades(symbol)).toEqual([]);
    expect(log.map(({ msg }) => msg)).toContain('a frame of the exchange was ignored');
    expect(exchange.bookStreams.length).toBeGreaterThan(0);
  });

  test('and of a symbol that was not requested, nothing is kept', async () => {
    const setup = await startBooked();
    setup.exchange.broadcast('ethusdt@bookTicker', { u: 1, s: 'XRPUSDT', b: '1', B: '1', a: '2', A: '1' });
    await setup.exchange.settled();
    expect(bookOf(setup, 'XRPUSDT')).toBeUndefined();
  });
});

test('A114: a symbol that comes into use is subscribed within a second, one of no use any more is ended', async () => {
  const setup = await startBooked();
  const { exchange, market, timers } = setup;
  expect(exchange.bookStreams).not.toContain('btcusdt@depth20@100ms');
  market.booked = new Set([symbol]);
  await timers.advance(second);
  expect(exchange.bookStreams).toEqual(expect.arrayContaining(['btcusdt@depth20@100ms', 'btcusdt@aggTrade']));
  exchange.reportDepth(symbol, ...deeper);
  exchange.reportTrade(symbol, '64000.01', '0.5', false);
  await exchange.settled();
  market.booked = new Set();
  await timers.advance(second);
  expect(exchange.bookStreams).toEqual(['btcusdt@bookTicker', 'ethusdt@bookTicker']);
  expect([bookOf(setup), setup.feed.trades(symbol)]).toEqual([undefined, []]);
  const { frames } = exchange.orderBooks;
  expect(frames.at(-1)).toMatchObject({
    method: 'UNSUBSCRIBE',
    params: ['btcusdt@depth20@100ms', 'btcusdt@aggTrade'],
  });
});

test('A114: of many symbols in use, the first thirty have levels and trades', async () => {
  const symbols = Array.from({ length: 45 }, (_, i) => `A${i}USDT`);
  const setup = await setUpBinance(symbols);
  const { exchange, market, timers } = setup;
  market.pairs = listed(...symbols);
  market.booked = new Set([...symbols].reverse());
  await setup.start();
  await timers.advance(second);
  const of = (kind: string) => exchange.bookStreams.filter((stream) => stream.includes(kind));
  expect(of('@bookTicker')).toHaveLength(45);
  expect(of('@depth20')).toHaveLength(bookedSymbolsMax);
  expect(of('@aggTrade')).toHaveLength(bookedSymbolsMax);
  expect(of('@depth20')).toContain('a44usdt@depth20@100ms');
  expect(of('@depth20')).not.toContain('a0usdt@depth20@100ms');
  // The exchange ends a connection that sends more than five messages a second.
  for (const { at } of exchange.orderBooks.frames) {
    const within = exchange.orderBooks.frames.filter((frame) => frame.at >= at && frame.at < at + second);
    expect(within.length).toBeLessThanOrEqual(5);
  }
});

test('A114: the last fifty trades are kept, the newest first, with the side that took', async () => {
  const setup = await startBooked(symbol);
  const { exchange, timers, feed } = setup;
  for (let i = 0; i < 60; i += 1) exchange.reportTrade(symbol, `${64_000 + i}.00`, '0.50000000', i % 2 === 0);
  await timers.advance(minuteMs);
  const trades = feed.trades(symbol);
  expect(trades).toHaveLength(50);
  expect(trades[0]).toEqual({
    price: parseDecimal('64059'),
    size: parseDecimal('0.5'),
    side: 'BUY',
    at: startedAt,
  });
  expect(trades[1]?.side).toBe('SELL');
});
