/** The request budget of the exchange, and what stops requests. */
import { minuteMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { reasons, setUpBinance, startedAt } from './binance-setup.ts';
import type { ExchangeAnswer } from './exchange-server.ts';

const second = 1_000;

const refusals: readonly (readonly [string, ExchangeAnswer, number])[] = [
  ['429 with Retry-After', { status: 429, body: '{}', headers: { 'retry-after': '37' } }, 37],
  ['429 without', { status: 429, body: 'Too many requests' }, 60],
  ['429 with nonsense', { status: 429, body: '{}', headers: { 'retry-after': 'later' } }, 60],
  [
    '429 with Retry-After as a date (ENG-11)',
    { status: 429, body: '{}', headers: { 'retry-after': new Date(startedAt + 90_000).toUTCString() } },
    90,
  ],
  [
    '429 with a date that has passed (ENG-11)',
    { status: 429, body: '{}', headers: { 'retry-after': new Date(startedAt - 90_000).toUTCString() } },
    60,
  ],
  [
    '418 with Retry-After as a date (ENG-11)',
    { status: 418, body: '{}', headers: { 'retry-after': new Date(startedAt + 240_000).toUTCString() } },
    240,
  ],
  ['418 with Retry-After', { status: 418, body: '{}', headers: { 'retry-after': '200' } }, 200],
  [
    '418 that names the end of the ban',
    {
      status: 418,
      body: JSON.stringify({
        code: -1003,
        msg: `Way too much request weight used; IP banned until ${startedAt + 300_000}. Please use WebSocket Streams.`,
      }),
      headers: { 'retry-after': '10' },
    },
    300,
  ],
  [
    '418 for a thousand years',
    { status: 418, body: '{}', headers: { 'retry-after': '999999999' } },
    3 * 24 * 3600,
  ],
];
test.for(refusals)(
  'HTTP %s stops every request until then, and nothing is tried again before',
  async ([, answer, seconds]) => {
    const { exchange, feed, timers, log, start } = await setUpBinance();
    exchange.switches.answer = answer;
    exchange.switches.isMute = true;
    await start();
    expect(exchange.requests).toHaveLength(1);
    exchange.switches.answer = null;

    const almostMs = (seconds - 1) * second;
    if (almostMs > 10 * minuteMs) timers.skip(almostMs - minuteMs);
    await timers.advance(Math.min(almostMs, minuteMs));
    if (almostMs <= 10 * minuteMs) await timers.advance(Math.max(almostMs - minuteMs, 0));
    const status = `HTTP error! status: ${answer.status}`;
    const refusal = [status, expect.stringContaining(`The exchange refuses requests until`)];
    expect(await reasons(feed.fetch('BTCUSDT'))).toEqual(['Failed to fetch price for BTCUSDT', ...refusal]);
    expect(await reasons(feed.candles('BTCUSDT', '1m', { limit: 1, before: null }))).toEqual(refusal);
    expect(await reasons(feed.probe())).toEqual(refusal);
    expect(exchange.requests).toHaveLength(1);
    expect(feed.providers?.()[0]?.fault).toContain(`HTTP ${answer.status}`);
    expect(log.filter(({ level }) => level === 'error').length).toBeLessThanOrEqual(2);

    await timers.advance(31 * second);
    expect(exchange.requests.length).toBeGreaterThan(1);
    expect(feed.providers?.()[0]?.ok).toBe(true);
  },
);

test('HTTP 451 ends REST for good and is reported; the websocket goes on', async () => {
  const { exchange, feed, timers, start } = await setUpBinance();
  exchange.switches.answer = {
    status: 451,
    body: '{"code":0,"msg":"Service unavailable from a restricted location"}',
  };
  await start();
  exchange.switches.answer = null;
  await timers.advance(25 * second);
  expect(exchange.requests).toHaveLength(1);
  expect(feed.providers?.()).toEqual([
    {
      source: 'binance',
      ok: false,
      fault: 'The exchange does not serve this location (HTTP 451).',
      receivedAt: null,
      symbols: 2,
    },
  ]);
  exchange.reportAll();
  await exchange.settled();
  expect(feed.providers?.()[0]).toMatchObject({ ok: true, receivedAt: timers.now() });

  // With nothing left to poll, a websocket that was given up is tried again now and then.
  exchange.refuse(true);
  await timers.advance(30 * minuteMs);
  exchange.refuse(false);
  await timers.advance(2 * minuteMs);
  exchange.reportAll();
  await exchange.settled();
  expect(feed.providers?.()[0]).toMatchObject({ ok: true, receivedAt: timers.now() });
  expect(exchange.requests).toHaveLength(1);
});

test('the weight of a minute stays below the limit: history waits for the next one before prices are refused', async () => {
  const { exchange, feed, timers, start } = await setUpBinance();
  await start();
  await timers.advance(3 * second);
  exchange.switches.usedWeight = 2_999;
  await feed.fetch('BTCUSDT');
  exchange.requests.length = 0;

  const bars = feed.candles('BTCUSDT', '1m', { limit: 1, before: null });
  await timers.advance(2 * second);
  expect(exchange.requests).toEqual([]);
  exchange.switches.usedWeight = 4_799;
  await feed.fetch('BTCUSDT');
  expect(exchange.requests).toEqual(['/api/v3/ticker/price?symbol=BTCUSDT']);
  await timers.advance(2 * second);
  expect(await reasons(feed.fetch('BTCUSDT'))).toEqual([
    'Failed to fetch price for BTCUSDT',
    'The service is busy. Please try again shortly.',
  ]);
  expect(exchange.requests).toHaveLength(1);

  exchange.switches.usedWeight = null;
  await timers.advance(minuteMs);
  expect(await bars).toHaveLength(1);
  await feed.fetch('BTCUSDT');
});

test('a thousand calls for history in one minute stay within the weight, and only so many wait', async () => {
  const { exchange, feed, timers } = await setUpBinance();
  exchange.switches.usedWeight = 2_990;
  await feed.probe();
  const pending = Array.from({ length: 1000 }, () =>
    feed.candles('BTCUSDT', '1m', { limit: 1, before: null }).then(
      () => 'answered',
      (error: Error) => error.message,
    ),
  );
  await timers.advance(second);
  expect(exchange.requests.length).toBeLessThanOrEqual(6);
  exchange.switches.usedWeight = null;
  await timers.advance(minuteMs);
  const outcomes = await Promise.all(pending);
  expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(5 + 32);
  expect(new Set(outcomes)).toEqual(new Set(['answered', 'The service is busy. Please try again shortly.']));
});

test('repeated requests for a price that cannot be fetched do not use up the budget of the others', async () => {
  const { exchange, feed, timers, start } = await setUpBinance();
  await start();
  await timers.advance(3 * second);
  exchange.delist('ETHUSDT');
  exchange.requests.length = 0;
  const texts = new Set<string>();
  for (let loop = 0; loop < 200; loop += 1) texts.add((await reasons(feed.fetch('ETHUSDT'))).join(': '));
  expect(exchange.requests).toEqual(['/api/v3/ticker/price?symbol=ETHUSDT']);
  expect([...texts]).toEqual([
    'Failed to fetch price for ETHUSDT: HTTP error! status: 400: -1121: Invalid symbol.',
  ]);
  exchange.set('ETHUSDT', '101.00000000');
  await timers.advance(2 * second);
  await feed.fetch('ETHUSDT');
});
