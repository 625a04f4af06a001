/** The poller of missing prices, and an exchange that is dead, slow, or wrong for hours. */
import { hourMs, minuteMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { setUpBinance, startedAt } from './binance-setup.ts';

const second = 1_000;

const dayPath = (...symbols: string[]) =>
  `/api/v3/ticker/24hr?${new URLSearchParams({ symbols: JSON.stringify(symbols) })}`;

test('FEED-15, FEED-16: silent for over 5 s, all stale symbols are fetched together in one request', async () => {
  const { exchange, ticks, timers, start } = await setUpBinance();
  exchange.switches.isMute = true;
  await start();
  expect(exchange.requests).toEqual([dayPath('BTCUSDT', 'ETHUSDT')]);
  exchange.requests.length = 0;
  ticks.length = 0;
  exchange.set('BTCUSDT', '101.00000000');

  await timers.advance(5 * second);
  expect(exchange.requests).toEqual([]);
  await timers.advance(second);

  expect(exchange.requests).toEqual([dayPath('BTCUSDT', 'ETHUSDT')]);
  expect(ticks.map(({ symbol, price, marketTime }) => [symbol, price, marketTime])).toEqual([
    ['BTCUSDT', '101.00000000', startedAt + 6 * second],
    ['ETHUSDT', '100.00000000', startedAt + 6 * second],
  ]);
});

test('FEED-16: a stream that is silent for one symbol only has that one fetched', async () => {
  const { exchange, timers, start } = await setUpBinance(['BTCUSDT', 'ETHUSDT', 'SOLUSDT']);
  await start();
  exchange.requests.length = 0;

  for (let elapsed = 0; elapsed < 13; elapsed += 1) {
    exchange.report('BTCUSDT', '101.00000000');
    exchange.report('SOLUSDT', '20.00000000');
    await timers.advance(second);
  }

  expect(exchange.requests).toEqual([dayPath('ETHUSDT'), dayPath('ETHUSDT')]);
});

test('FEED-16: while an answer is slow there is no second request', async () => {
  const { exchange, ticks, timers, start } = await setUpBinance();
  exchange.switches.isMute = true;
  await start();
  exchange.requests.length = 0;
  exchange.hold();

  await timers.advance(14 * second);
  expect(exchange.requests).toHaveLength(1);
  exchange.set('BTCUSDT', '102.00000000');
  exchange.release();
  await exchange.settled();

  expect(ticks.filter(({ symbol }) => symbol === 'BTCUSDT').at(-1)?.price).toBe('102.00000000');
});

test('a slow answer never takes back the newer price that the stream brought meanwhile', async () => {
  const { exchange, ticks, timers, start } = await setUpBinance(['BTCUSDT']);
  await start();
  await timers.advance(5 * second);
  const old = { symbol: 'BTCUSDT', lastPrice: '90.00000000', closeTime: startedAt + 5_500 };
  exchange.switches.answer = { status: 200, body: JSON.stringify([old]) };
  exchange.hold();
  await timers.advance(second);
  exchange.report('BTCUSDT', '103.00000000', startedAt + 5_900);
  await exchange.settled();
  exchange.release();
  await exchange.settled();

  expect(ticks.at(-1)?.price).toBe('103.00000000');
});

test('an answer from a cache, older than what is known, is not taken for news', async () => {
  const { exchange, ticks, timers, log, start } = await setUpBinance(['BTCUSDT']);
  await start();
  await timers.advance(4 * second);
  exchange.report('BTCUSDT', '103.00000000');
  const cached = { symbol: 'BTCUSDT', lastPrice: '90.00000000', closeTime: startedAt - minuteMs };
  exchange.switches.answer = { status: 200, body: JSON.stringify([cached]) };
  await timers.advance(10 * second);

  expect(ticks.at(-1)?.price).toBe('103.00000000');
  expect(log).toContainEqual(
    expect.objectContaining({ msg: 'an answer of the exchange is older than what is known' }),
  );
});

test('ENG-9: one event that is dated an hour ahead counts as of its arrival, and blocks no later one', async () => {
  const { exchange, ticks, timers, log, start } = await setUpBinance(['BTCUSDT']);
  await start();
  await timers.advance(4 * second);
  exchange.report('BTCUSDT', '101.00000000', timers.now() + hourMs);
  await timers.advance(second);
  expect(ticks.at(-1)?.price).toBe('101.00000000');
  // The exchange's clock is a little behind ours, as well.
  exchange.report('BTCUSDT', '102.00000000', timers.now() - 2 * second);
  await timers.advance(second);
  expect(ticks.at(-1)?.price).toBe('102.00000000');
  // Of right times none runs back.
  exchange.report('BTCUSDT', '99.00000000', timers.now() - 30 * second);
  await timers.advance(second);
  expect(ticks.at(-1)?.price).toBe('102.00000000');

  exchange.report('BTCUSDT', '103.00000000', timers.now() + hourMs);
  await timers.advance(second);
  exchange.switches.isMute = true;
  exchange.set('BTCUSDT', '104.00000000');
  await timers.advance(8 * second);
  expect(ticks.at(-1)?.price).toBe('104.00000000');
  expect(log.map(({ msg }) => msg)).not.toContain('an answer of the exchange is older than what is known');
});

test('ENG-9: prices of an exchange whose clock stays ahead of ours are accepted, none twice or backwards', async () => {
  const { exchange, ticks, timers, start } = await setUpBinance(['BTCUSDT']);
  await start();
  ticks.length = 0;
  const sent: string[] = [];
  for (let i = 0; i < 20; i += 1) {
    const price = `${200 + i}.00000000`;
    sent.push(price);
    const at = timers.now() + 30 * second;
    exchange.report('BTCUSDT', price, at);
    exchange.report('BTCUSDT', '1.00000000', at - 5 * second);
    exchange.report('BTCUSDT', price, at);
    await timers.advance(second);
  }
  expect(ticks.map(({ price }) => price)).toEqual(sent);
});

test('FEED-37: polled prices that are none are dropped with a warning, and the others of the answer count', async () => {
  const { exchange, ticks, timers, log, start } = await setUpBinance([
    'BTCUSDT',
    'ETHUSDT',
    'SOLUSDT',
    'XRPUSDT',
  ]);
  const row = (symbol: string, lastPrice: unknown) => ({ symbol, lastPrice, closeTime: startedAt });
  const rows = [row('BTCUSDT', '-1'), row('ETHUSDT', null), row('SOLUSDT', '1e9'), row('XRPUSDT', '0.5')];
  exchange.switches.answer = { status: 200, body: JSON.stringify(rows) };
  exchange.switches.isMute = true;

  await start();

  expect(ticks.map(({ symbol, price }) => [symbol, price])).toEqual([['XRPUSDT', '0.5']]);
  const warnings = log.filter(({ msg }) => msg === 'an unacceptable price of the exchange was dropped');
  expect(warnings).toEqual([expect.objectContaining({ level: 'warn', symbol: 'BTCUSDT', price: '-1' })]);
  // The feed does not repeat its request for symbols that the exchange does not have either.
  await timers.advance(19 * second);
  expect(exchange.requests).toHaveLength(4);
});

test('a row of an answer that names no symbol costs only itself', async () => {
  const { exchange, ticks, start } = await setUpBinance();
  const rows = [null, { lastPrice: '7' }, { symbol: 'ETHUSDT', lastPrice: '0.5', closeTime: startedAt }];
  exchange.switches.answer = { status: 200, body: JSON.stringify(rows) };
  exchange.switches.isMute = true;
  await start();
  expect(ticks.map(({ symbol, price }) => [symbol, price])).toEqual([['ETHUSDT', '0.5']]);
});

test('after the clock was set back by an hour, silent symbols are requested within seconds', async () => {
  const { exchange, feed, ticks, timers, start } = await setUpBinance();
  await start();
  await timers.advance(3 * second);
  exchange.switches.isMute = true;
  timers.skip(-60 * minuteMs);
  exchange.requests.length = 0;
  ticks.length = 0;
  expect(feed.providers?.()).toMatchObject([{ ok: false }]);
  await timers.advance(8 * second);
  expect(exchange.requests).toContain(dayPath('BTCUSDT', 'ETHUSDT'));
  expect(new Set(ticks.map(({ symbol }) => symbol))).toEqual(new Set(['BTCUSDT', 'ETHUSDT']));
  expect(feed.providers?.()).toMatchObject([{ ok: true }]);
});

test('with the budget nearly used up the poll is limited to the most needed: positions and orders, then displayed symbols', async () => {
  const symbols = Array.from({ length: 30 }, (_, index) => `C${index}USDT`);
  const { exchange, market, timers, start } = await setUpBinance(symbols);
  exchange.switches.isMute = true;
  await start();
  market.inUse = new Set(['C29USDT']);
  market.shown = new Set(['C28USDT']);
  exchange.switches.usedWeight = 4_790;
  await timers.advance(5 * second);
  expect(exchange.requests).toHaveLength(1);
  // The first answer states the used weight, the second request adapts to it.
  await timers.advance(second);
  await timers.advance(6 * second);

  const requested: string[] = JSON.parse(
    new URLSearchParams(exchange.requests.at(-1)?.split('?')[1]).get('symbols')!,
  );
  expect(requested).toHaveLength(20);
  expect(requested.slice(0, 3)).toEqual(['C29USDT', 'C28USDT', 'C0USDT']);
});

test('a symbol that the exchange delisted does not spoil the poll of the others', async () => {
  const { exchange, ticks, timers, start } = await setUpBinance(['BTCUSDT', 'ETHUSDT', 'LUNAUSDT']);
  exchange.switches.isMute = true;
  exchange.delist('LUNAUSDT');
  await start();
  expect(ticks.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);

  await timers.advance(6 * second);
  expect(exchange.requests).toEqual([
    dayPath('BTCUSDT', 'ETHUSDT', 'LUNAUSDT'),
    '/api/v3/ticker/24hr',
    dayPath('BTCUSDT', 'ETHUSDT'),
  ]);
});

test('an exchange with invalid answers gets ever fewer requests', async () => {
  const { exchange, feed, ticks, timers, start } = await setUpBinance();
  exchange.switches.isMute = true;
  for (const body of ['<html>', 'null', '{}', '[null]', '[{"lastPrice":"1"}]']) {
    exchange.switches.answer = { status: 200, body };
    if (ticks.length === 0 && exchange.requests.length === 0) await start();
    await timers.advance(minuteMs);
    expect(feed.providers?.()[0]).toMatchObject({
      ok: false,
      fault: expect.stringContaining('Invalid response'),
    });
  }
  expect(exchange.requests.length).toBeLessThan(15);
  expect(ticks).toEqual([]);
});

test('an exchange that is dead for an hour costs little and is taken up again by itself', async () => {
  const { exchange, feed, ticks, log, timers, start } = await setUpBinance();
  await start();
  exchange.reportAll();
  await exchange.settled();
  ticks.length = 0;
  log.length = 0;
  const connections = { before: 0 };
  exchange.refuse(true);
  await exchange.settled();
  expect(exchange.open).toBe(0);
  connections.before = exchange.calls;

  await timers.advance(hourMs);
  expect(ticks).toEqual([]);
  expect(exchange.calls - connections.before).toBeLessThan(150);
  expect(log.filter(({ level }) => level !== 'debug').length).toBeLessThan(80);
  expect(feed.providers?.()[0]).toMatchObject({ ok: false });

  exchange.refuse(false);
  exchange.set('BTCUSDT', '111.00000000');
  await timers.advance(31 * second);
  expect(ticks.find(({ symbol }) => symbol === 'BTCUSDT')?.price).toBe('111.00000000');
  exchange.report('BTCUSDT', '112.00000000');
  await exchange.settled();
  expect(ticks.at(-1)?.price).toBe('112.00000000');
  expect(exchange.open).toBe(1);
  expect(feed.providers?.()[0]).toMatchObject({ ok: true, fault: null });
});

test('a start that finds the exchange dead waits no longer than 5 s, and prices come when it lives', async () => {
  const { exchange, feed, ticks, timers } = await setUpBinance();
  exchange.hold();
  let hasStarted = false;
  const starting = feed
    .start((tick) => ticks.push(tick))
    .then(() => {
      hasStarted = true;
    });
  await timers.advance(4 * second);
  expect(hasStarted).toBe(false);
  await timers.advance(second);
  await starting;
  expect(ticks).toEqual([]);

  exchange.release();
  await exchange.settled();
  expect(ticks.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
});

test('a start emits every price that the exchange knows before it resolves', async () => {
  const { feed, ticks } = await setUpBinance();
  await feed.start((tick) => ticks.push(tick));
  expect(ticks.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
});
