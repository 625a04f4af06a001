/** The websocket of the exchange: its reaction to an end, silence or refusal. */
import { hourMs, minuteMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { listed, pricesOf, setUpBinance, startedAt } from './binance-setup.ts';

const second = 1_000;

test('a frame beyond 1 MB costs the connection, which is opened again', async () => {
  const { exchange, ticks, timers, start } = await setUpBinance();
  await start();

  exchange.send('x'.repeat(1_100_000));
  await exchange.settled();
  expect(exchange.open).toBe(0);
  await timers.advance(second);
  exchange.report('BTCUSDT', '104.00000000');
  await exchange.settled();

  expect(exchange.open).toBe(1);
  expect(pricesOf(ticks).at(-1)).toBe('104.00000000');
});

test('FEED-17, FEED-18, A31: a lost websocket is tried after 1, 2, 4, 8 and 16 s, then no more', async () => {
  const { exchange, feed, timers, start } = await setUpBinance();
  await start();
  exchange.refuse(true);
  await exchange.settled();
  expect(exchange.open).toBe(0);

  const triedAt: number[] = [];
  for (let elapsed = 1; elapsed <= 600; elapsed += 1) {
    const before = exchange.attempts;
    await timers.advance(second);
    if (exchange.attempts > before) triedAt.push(elapsed);
  }

  expect(triedAt).toEqual([1, 3, 7, 15, 31]);
  expect(feed.providers?.()[0]).toMatchObject({ ok: false, source: 'binance' });
});

test('A31: prices that flow again reset the count of tries', async () => {
  const { exchange, timers, start } = await setUpBinance();
  await start();

  for (let round = 0; round < 8; round += 1) {
    exchange.cut();
    await exchange.settled();
    expect(exchange.open).toBe(0);
    await timers.advance(second);
    expect(exchange.open).toBe(1);
    exchange.reportAll();
    await exchange.settled();
  }
});

test('A31: after the fifth try prices are polled until a client displays one, a pair is new, or REST answers again', async () => {
  const { exchange, feed, market, ticks, timers, start } = await setUpBinance();
  await start();
  const lose = async () => {
    exchange.switches.handshake = { status: 503, body: '' };
    exchange.cut();
    await exchange.settled();
    expect(exchange.open).toBe(0);
    await timers.advance(2 * minuteMs);
    exchange.switches.handshake = null;
  };

  await lose();
  ticks.length = 0;
  exchange.set('BTCUSDT', '107.00000000');
  await timers.advance(7 * second);
  expect(pricesOf(ticks)).toContain('107.00000000');
  expect(exchange.open).toBe(0);
  expect(feed.providers?.()[0]).toMatchObject({ ok: true, fault: expect.stringContaining('polled') });
  market.shown = new Set(['ETHUSDT']);
  await timers.advance(second);
  expect(exchange.open).toBe(1);
  exchange.reportAll();
  await exchange.settled();

  await lose();
  exchange.set('SOLUSDT', '20.00000000');
  market.pairs = listed('BTCUSDT', 'ETHUSDT', 'SOLUSDT');
  await timers.advance(second);
  expect(exchange.open).toBe(1);
  exchange.reportAll();
  await exchange.settled();

  await lose();
  exchange.switches.answer = { status: 503, body: '' };
  await timers.advance(minuteMs);
  expect(exchange.open).toBe(0);
  exchange.switches.answer = null;
  await timers.advance(minuteMs);
  expect(exchange.open).toBe(1);
});

test('a websocket that acknowledges and then stays silent is replaced, and in the end given up for polling', async () => {
  const { exchange, ticks, timers, start } = await setUpBinance();
  exchange.switches.isMute = true;
  await start();
  expect(exchange.open).toBe(1);

  await timers.advance(32 * second);
  expect(exchange.attempts).toBe(2);
  await timers.advance(10 * minuteMs);
  expect(exchange.attempts).toBe(6);
  await exchange.settled();
  expect(exchange.open).toBe(0);

  ticks.length = 0;
  exchange.set('BTCUSDT', '108.00000000');
  await timers.advance(7 * second);
  expect(pricesOf(ticks)).toContain('108.00000000');
});

test('a server that accepts and closes at once does not get a connection a second for ever', async () => {
  const { exchange, market, timers, start } = await setUpBinance();
  exchange.switches.isMute = true;
  await start();
  for (let elapsed = 0; elapsed < 300; elapsed += 1) {
    exchange.cut();
    market.shown = new Set(elapsed % 2 ? ['BTCUSDT'] : []);
    await timers.advance(second);
  }
  expect(exchange.attempts).toBeLessThan(40);
});

test('a server that ends every connection after its first event gets at most 100 connections in 5 minutes', async () => {
  const { exchange, timers, start } = await setUpBinance();
  await start();
  for (let elapsed = 0; elapsed < 299; elapsed += 1) {
    exchange.reportAll();
    await exchange.settled();
    exchange.cut();
    await timers.advance(second);
  }
  expect(exchange.attempts).toBe(100);
  await timers.advance(10 * second);
  expect(exchange.open).toBe(1);
});

test('the connection is renewed before its 24 hours are over: no gap, no repetition, nothing backwards', async () => {
  const { exchange, ticks, timers, start } = await setUpBinance();
  await start();
  timers.skip(23 * hourMs + 49 * minuteMs);
  exchange.reportAll();
  await timers.advance(20 * second);
  expect(exchange.attempts).toBe(1);
  ticks.length = 0;

  let overlap = 0;
  for (let elapsed = 0; elapsed < 120; elapsed += 1) {
    exchange.report('BTCUSDT', String(200 + elapsed));
    exchange.report('ETHUSDT', String(300 + elapsed));
    await timers.advance(second);
    overlap = Math.max(overlap, exchange.open);
  }

  expect(exchange.attempts).toBe(2);
  expect(overlap).toBe(2);
  expect(exchange.open).toBe(1);
  expect(pricesOf(ticks)).toEqual(Array.from({ length: 120 }, (_, index) => String(200 + index)));
  expect(pricesOf(ticks, 'ETHUSDT')).toEqual(Array.from({ length: 120 }, (_, index) => String(300 + index)));
  const times = ticks.filter(({ symbol }) => symbol === 'BTCUSDT').map(({ marketTime }) => marketTime);
  expect(times).toEqual([...times].sort((left, right) => left - right));
});

test('serverShutdown: the next connection takes over when its prices flow, and only then the old one goes', async () => {
  const { exchange, ticks, timers, start } = await setUpBinance();
  await start();
  exchange.reportAll();
  await exchange.settled();

  exchange.send(JSON.stringify({ e: 'serverShutdown', E: startedAt }));
  await exchange.settled();
  await timers.advance(second);
  expect(exchange.open).toBe(2);
  ticks.length = 0;

  exchange.report('BTCUSDT', '120.00000000');
  await exchange.settled();
  expect(exchange.open).toBe(1);
  await exchange.settled();
  expect(pricesOf(ticks)).toEqual(['120.00000000']);
  expect(exchange.frames.at(-1)).toMatchObject({
    connection: 1,
    params: ['btcusdt@ticker', 'ethusdt@ticker'],
  });
  exchange.report('BTCUSDT', '121.00000000', timers.now() + 1);
  await exchange.settled();
  expect(pricesOf(ticks)).toEqual(['120.00000000', '121.00000000']);
});

test('a takeover that fails leaves the old connection, and is tried again a minute later', async () => {
  const { exchange, ticks, timers, start } = await setUpBinance();
  await start();
  exchange.reportAll();
  await exchange.settled();
  exchange.switches.handshake = { status: 502, body: '' };

  exchange.send(JSON.stringify({ stream: '!serverShutdown', data: { e: 'serverShutdown', E: startedAt } }));
  await exchange.settled();
  expect(exchange.attempts).toBe(2);
  exchange.switches.handshake = null;
  for (let elapsed = 0; elapsed < 65; elapsed += 1) {
    exchange.report('BTCUSDT', String(130 + elapsed));
    await timers.advance(second);
  }

  expect(exchange.attempts).toBe(3);
  await exchange.settled();
  expect(exchange.open).toBe(1);
  expect(pricesOf(ticks).at(-1)).toBe('194');
});

test('HTTP 451 to the handshake ends the websocket for good; REST goes on', async () => {
  const { exchange, feed, ticks, timers, market, start } = await setUpBinance();
  exchange.switches.handshake = { status: 451, body: '' };
  await start();
  await timers.advance(2 * minuteMs);
  market.shown = new Set(['BTCUSDT']);
  ticks.length = 0;
  exchange.set('BTCUSDT', '109.00000000');
  await timers.advance(10 * second);

  expect(exchange.attempts).toBe(1);
  expect(pricesOf(ticks)).toContain('109.00000000');
  expect(feed.providers?.()[0]).toMatchObject({ ok: true, fault: expect.stringContaining('451') });
});

test('HTTP 429 to the handshake stops requests and further handshakes for the stated time', async () => {
  const { exchange, timers, start } = await setUpBinance();
  exchange.switches.handshake = { status: 429, body: '', headers: { 'retry-after': '90' } };
  await start();
  const requestCount = exchange.requests.length;
  await timers.advance(89 * second);
  expect(exchange.attempts).toBe(1);
  expect(exchange.requests).toHaveLength(requestCount);

  exchange.switches.handshake = null;
  await timers.advance(2 * second);
  expect(exchange.attempts).toBe(2);
  expect(exchange.requests.length).toBeGreaterThan(requestCount);
});

test('stop leaves no socket and no timer, also while connecting, and no tick follows', async () => {
  const { exchange, feed, ticks, timers, start } = await setUpBinance();
  await start();
  exchange.hold();
  await timers.advance(6 * second);
  exchange.send(JSON.stringify({ e: 'serverShutdown' }));
  const asking = feed.fetch('BTCUSDT').catch((error: unknown) => error);

  await feed.stop();
  const emitted = ticks.length;
  exchange.reportAll();
  exchange.release();
  await exchange.settled();
  await exchange.settled();
  expect(exchange.open).toBe(0);
  const [requests, attempts] = [exchange.requests.length, exchange.attempts];
  await timers.advance(hourMs);

  expect(await asking).toBeInstanceOf(Error);
  expect(ticks).toHaveLength(emitted);
  expect(exchange.requests).toHaveLength(requests);
  expect(exchange.attempts).toBe(attempts);
});
