/** The websocket of the exchange: requests and parsed messages. */
import { dayMs, minuteMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { listed, pricesOf, setUpBinance, startedAt } from './binance-setup.ts';

const second = 1_000;

test('FEED-11, FEED-14: every listed USDT pair is subscribed in one message, in lower case, with an id', async () => {
  const { exchange, market, start } = await setUpBinance(['BTCUSDT', 'ETHUSDT', 'SOLUSDT']);
  market.pairs = [...market.pairs, { symbol: 'AAPL', type: 'stock' }, { symbol: 'ETHBTC', type: 'crypto' }];

  await start();

  expect(exchange.frames).toEqual([
    {
      method: 'SUBSCRIBE',
      params: ['btcusdt@ticker', 'ethusdt@ticker', 'solusdt@ticker'],
      id: 1,
      connection: 0,
      at: startedAt,
    },
  ]);
});

test('FEED-12: a pair that leaves the list is unsubscribed, one that joins is subscribed', async () => {
  const { exchange, market, timers, start } = await setUpBinance();
  await start();
  exchange.set('SOLUSDT', '20.00000000');

  market.pairs = listed('BTCUSDT', 'SOLUSDT');
  await timers.advance(2 * second);

  const requests = exchange.frames.slice(1).map(({ method, params, id }) => ({ method, params, id }));
  expect(requests).toEqual([
    { method: 'UNSUBSCRIBE', params: ['ethusdt@ticker'], id: 2 },
    { method: 'SUBSCRIBE', params: ['solusdt@ticker'], id: 3 },
  ]);
});

test('FEED-13: an event is read through s and c, with the figures of the day where it has them', async () => {
  const { exchange, ticks, timers, start } = await setUpBinance();
  await start();
  ticks.length = 0;
  await timers.advance(second);

  exchange.report('BTCUSDT', '47174.97000000');
  exchange.send(JSON.stringify({ s: 'ETHUSDT', c: '3990.10' }));
  await exchange.settled();

  expect(ticks).toEqual([
    {
      symbol: 'BTCUSDT',
      source: 'binance',
      price: '47174.97000000',
      marketTime: startedAt + second,
      day: {
        priceChangePercent: -3.531,
        volume: 33136.69765,
        quoteVolume: 1592599905.8036079,
        high: 49436.43,
        low: 46749.55,
      },
    },
    { symbol: 'ETHUSDT', source: 'binance', price: '3990.10', marketTime: startedAt + second },
  ]);
});

test('FEED-13: events in the wrapper of combined streams are read too', async () => {
  const { exchange, ticks, start } = await setUpBinance();
  await start();
  ticks.length = 0;
  exchange.switches.isCombined = true;

  exchange.report('BTCUSDT', '101.00000000', startedAt + 1);
  await exchange.settled();

  expect(pricesOf(ticks)).toEqual(['101.00000000']);
});

test('FEED-35, FEED-37, A36: prices that are no positive number are dropped with one warning a minute', async () => {
  const { exchange, ticks, log, timers, start } = await setUpBinance();
  await start();
  ticks.length = 0;
  const bad = [
    '-1',
    '0',
    '0.00000000',
    'NaN',
    'Infinity',
    '1e5',
    '12abc',
    '',
    ' 7',
    '0x10',
    '1e999',
    null,
    true,
    {},
  ];
  const absurd = ['99999999999999999999', -5, 0, [1], undefined];

  const sendBad = () => {
    for (const [index, c] of [...bad, ...absurd].entries()) {
      exchange.send(JSON.stringify({ ...exchange.event('BTCUSDT', timers.now() + index + 1), c: c ?? null }));
    }
  };
  sendBad();
  await exchange.settled();
  const warnings = () => log.filter(({ msg }) => msg === 'an unacceptable price of the exchange was dropped');
  expect(ticks).toEqual([]);
  expect(warnings()).toHaveLength(1);

  exchange.send(JSON.stringify({ ...exchange.event('BTCUSDT', timers.now() + 50), c: 102.5 }));
  await exchange.settled();
  expect(pricesOf(ticks)).toEqual([102.5]);

  await timers.advance(minuteMs);
  sendBad();
  await exchange.settled();
  expect(warnings()).toHaveLength(2);
  expect(warnings()[1]).toMatchObject({
    level: 'warn',
    symbol: 'BTCUSDT',
    suppressed: bad.length + absurd.length - 1,
  });
});

test('frames that are no event do no harm: malformed, binary, oversized, foreign', async () => {
  const { exchange, ticks, log, start } = await setUpBinance();
  await start();
  ticks.length = 0;

  for (const frame of [
    '{',
    'null',
    '[]',
    '7',
    '""',
    '<html>blocked</html>',
    '{"e":"kline","s":"BTCUSDT","k":{}}',
  ])
    exchange.send(frame);
  exchange.send(JSON.stringify({ e: 'aggTrade', s: 'BTCUSDT', c: '1', p: '1' }));
  exchange.send(JSON.stringify({ ...exchange.event('BTCUSDT', startedAt + 1), E: 'soon' }));
  exchange.send(JSON.stringify({ s: { toString: 1 }, c: '5' }));
  exchange.send(JSON.stringify({ stream: 'x', data: null }));
  exchange.send(JSON.stringify({ ...exchange.event('BTCUSDT', startedAt + 1), x: 'x'.repeat(70_000) }));
  exchange.send(new TextEncoder().encode(JSON.stringify(exchange.event('BTCUSDT', startedAt + 1))));
  exchange.send(JSON.stringify({ result: null, id: 4711 }));
  await exchange.settled();
  expect(ticks).toEqual([]);
  expect(exchange.open).toBe(1);
  expect(log.filter(({ level }) => level === 'warn').map(({ msg }) => msg)).toEqual([
    'a frame of the exchange was ignored',
    'a binary frame of the exchange was ignored',
    'an answer of the exchange matches no request',
  ]);

  exchange.report('BTCUSDT', '103.00000000', startedAt + 1);
  await exchange.settled();
  expect(pricesOf(ticks)).toEqual(['103.00000000']);
});

const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
test.for([
  `{"e":${nested}}`,
  '{"e":{"toString":1,"valueOf":1}}',
  '{"id":1,"error":{"code":{"toString":1},"msg":{"toString":1}}}',
  `{"id":1,"error":{"code":${nested}}}`,
  '{"id":1,"error":[{"toString":1}]}',
  '{"s":"BTCUSDT","c":"1","e":{"toString":1}}',
  `{"e":"24hrTicker","E":1,"s":"BTCUSDT","c":${nested}}`,
  `{"id":${nested},"result":null}`,
  '{"__proto__":{"s":"BTCUSDT","c":"1"}}',
])('a frame that cannot be turned into text ends nothing', async (frame) => {
  const { exchange, ticks, log, start } = await setUpBinance();
  await start();
  ticks.length = 0;
  exchange.send(frame);
  await exchange.settled();
  expect(ticks).toEqual([]);
  expect(log.some(({ level }) => level === 'warn')).toBe(true);
  exchange.report('BTCUSDT', '103.00000000', startedAt + 1);
  await exchange.settled();
  expect(pricesOf(ticks)).toEqual(['103.00000000']);
});

test('events that arrive out of order or twice never take the price back', async () => {
  const { exchange, ticks, start } = await setUpBinance();
  await start();
  ticks.length = 0;

  exchange.report('BTCUSDT', '105.00000000', startedAt + 3_000);
  exchange.report('BTCUSDT', '104.00000000', startedAt + 2_000);
  exchange.report('BTCUSDT', '105.00000000', startedAt + 3_000);
  exchange.report('BTCUSDT', '106.00000000', startedAt + 4_000);
  await exchange.settled();

  expect(pricesOf(ticks)).toEqual(['105.00000000', '106.00000000']);
});

test('an event from far in the future does not silence the ones after it for longer than a minute', async () => {
  const { exchange, ticks, timers, start } = await setUpBinance();
  await start();

  exchange.report('BTCUSDT', '105.00000000', startedAt + 400 * dayMs);
  await exchange.settled();
  expect(ticks.at(-1)).toMatchObject({ price: '105.00000000', marketTime: startedAt + minuteMs });
  await timers.advance(minuteMs + second);
  exchange.report('BTCUSDT', '106.00000000');
  await exchange.settled();

  expect(pricesOf(ticks).at(-1)).toBe('106.00000000');
});

test('an error answer: the batch is halved until the refused symbol is alone, logged and polled', async () => {
  const symbols = ['BTCUSDT', 'ETHUSDT', 'BADUSDT', 'SOLUSDT', 'XRPUSDT'];
  const { exchange, log, ticks, timers, start } = await setUpBinance(symbols);
  exchange.refusedStreams.add('badusdt@ticker');
  await start();
  await timers.advance(3 * second);

  expect(exchange.streams).toHaveLength(4);
  expect(new Set(exchange.streams)).toEqual(
    new Set(['btcusdt@ticker', 'ethusdt@ticker', 'solusdt@ticker', 'xrpusdt@ticker']),
  );
  expect(log).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      stream: 'badusdt@ticker',
      error: '2: Invalid request: invalid stream',
    }),
  );
  exchange.requests.length = 0;
  for (let elapsed = 0; elapsed < 8; elapsed += 1) {
    for (const symbol of symbols) if (symbol !== 'BADUSDT') exchange.report(symbol, '110.00000000');
    exchange.set('BADUSDT', '9.00000000');
    await timers.advance(second);
  }
  expect(exchange.requests).toEqual([
    `/api/v3/ticker/24hr?${new URLSearchParams({ symbols: '["BADUSDT"]' })}`,
  ]);
  expect(pricesOf(ticks, 'BADUSDT').at(-1)).toBe('9.00000000');

  // Not requested again when the connection is renewed.
  const before = exchange.frames.length;
  exchange.cut();
  await exchange.settled();
  expect(exchange.open).toBe(0);
  await timers.advance(second);
  expect(exchange.frames.slice(before).flatMap(({ params }) => params)).not.toContain('badusdt@ticker');
});

test('never more than five messages a second reach the exchange, however often the list changes', async () => {
  const symbols = Array.from({ length: 900 }, (_, index) => `C${index}USDT`);
  const { exchange, market, timers, start } = await setUpBinance(symbols);
  market.pairs = listed(...symbols.slice(0, 450));
  await start();
  for (let round = 0; round < 11; round += 1) {
    const from = round % 2 ? 0 : 450;
    market.pairs = listed(...symbols.slice(from, from + 450));
    await timers.advance(second);
  }
  await timers.advance(5 * second);

  const sentAt = exchange.frames.map(({ at }) => at);
  for (const at of sentAt)
    expect(sentAt.filter((one) => one >= at && one < at + second).length).toBeLessThan(5);
  expect(exchange.streams).toHaveLength(450);
  expect(exchange.streams).toContain('c899usdt@ticker');
});
