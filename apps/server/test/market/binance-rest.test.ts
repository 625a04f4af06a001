/** The exchange's REST interface: prices, bars and pairs, and the texts of its failures. */
import type { Timeframe } from '@fulcrum/contract';
import { hourMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { listed, reasons, setUpBinance, startedAt } from './binance-setup.ts';
import type { ExchangeAnswer } from './exchange-server.ts';

const second = 1_000;

test('FEED-08: one price is read from ticker/price, and emitted', async () => {
  const { exchange, feed, ticks, timers, start } = await setUpBinance();
  await start();
  await timers.advance(3 * second);
  exchange.set('BTCUSDT', '47174.97000000');
  exchange.requests.length = 0;
  ticks.length = 0;

  await feed.fetch('BTCUSDT');

  expect(exchange.requests).toEqual(['/api/v3/ticker/price?symbol=BTCUSDT']);
  expect(ticks).toEqual([
    { symbol: 'BTCUSDT', source: 'binance', price: '47174.97000000', marketTime: startedAt + 3 * second },
  ]);
});

test('FEED-07: a price of the last 2 s is used as it is; calls that arrive together share one request', async () => {
  const { exchange, feed, timers, start } = await setUpBinance();
  await start();
  exchange.requests.length = 0;
  await feed.fetch('BTCUSDT');
  expect(exchange.requests).toEqual([]);

  await timers.advance(2 * second);
  exchange.hold();
  const calls = Promise.all([feed.fetch('BTCUSDT'), feed.fetch('BTCUSDT'), feed.fetch('BTCUSDT')]);
  await exchange.settled();
  exchange.release();
  await calls;
  expect(exchange.requests).toEqual(['/api/v3/ticker/price?symbol=BTCUSDT']);
});

test('fetch joins the poll that is under way', async () => {
  const { exchange, feed, ticks, timers, start } = await setUpBinance();
  await start();
  exchange.hold();
  await timers.advance(6 * second);
  exchange.requests.length = 0;
  exchange.set('BTCUSDT', '101.00000000');

  const call = feed.fetch('BTCUSDT');
  await exchange.settled();
  exchange.release();
  await call;

  expect(exchange.requests).toEqual([]);
  expect(ticks.filter(({ symbol }) => symbol === 'BTCUSDT').at(-1)?.price).toBe('101.00000000');
});

test('FEED-09, FEED-10, A34: the 24 h figures are read; symbols that do not end in USDT are skipped', async () => {
  const { exchange, ticks, start } = await setUpBinance(['BTCUSDT', 'ETHUSDT']);
  exchange.set('BTCUSDT', '47174.97000000');
  exchange.switches.answer = (path) => {
    if (!path.startsWith('/api/v3/ticker/24hr')) return null;
    const btc = { symbol: 'BTCUSDT', lastPrice: '47174.97000000', closeTime: startedAt };
    const rows = [
      { ...btc, priceChangePercent: '-3.531', quoteVolume: '1592599905.80360790', volume: '33136.69765000' },
      {
        symbol: 'ETHUSDT',
        lastPrice: '3990.10',
        closeTime: startedAt,
        priceChangePercent: null,
        volume: '-4',
      },
      { symbol: 'LTCBTC', lastPrice: '0.004', closeTime: startedAt },
    ];
    return { status: 200, body: JSON.stringify(rows) };
  };

  await start();

  const noExtremes = { high: null, low: null };
  expect(ticks).toEqual([
    {
      symbol: 'BTCUSDT',
      source: 'binance',
      price: '47174.97000000',
      marketTime: startedAt,
      day: {
        priceChangePercent: -3.531,
        volume: 33136.69765,
        quoteVolume: 1592599905.8036079,
        ...noExtremes,
      },
    },
    {
      symbol: 'ETHUSDT',
      source: 'binance',
      price: '3990.10',
      marketTime: startedAt,
      day: { priceChangePercent: null, volume: 0, quoteVolume: 0, ...noExtremes },
    },
  ]);
});

const failures: readonly (readonly [string, ExchangeAnswer, string])[] = [
  ['FEED-70: a status that is not OK', { status: 404, body: '{}' }, 'HTTP error! status: 404'],
  ['FEED-70: 403 of the firewall', { status: 403, body: '<html></html>' }, 'HTTP error! status: 403'],
  ['FEED-68: HTML', { status: 200, body: '<!doctype html><p>Hello' }, 'Invalid response format'],
  ['FEED-68: null', { status: 200, body: 'null' }, 'Invalid response format'],
  ['FEED-68: an empty answer', { status: 200, body: '' }, 'Invalid response format'],
  ['FEED-68: a list', { status: 200, body: '[]' }, 'Invalid response format'],
  [
    'FEED-68: another symbol',
    { status: 200, body: '{"symbol":"LTCBTC","price":"4"}' },
    'Invalid response format',
  ],
  ['FEED-69: no price', { status: 200, body: '{"symbol":"BTCUSDT"}' }, 'No price data available for BTCUSDT'],
  [
    'FEED-69: a price of null',
    { status: 200, body: '{"symbol":"BTCUSDT","price":null}' },
    'No price data available for BTCUSDT',
  ],
  ...['-5.00', '0.00000000', 'NaN', '1e3', '12abc', ''].map(
    (price) =>
      [
        `FEED-36, A36: a price of '${price}'`,
        { status: 200, body: JSON.stringify({ symbol: 'BTCUSDT', price }) },
        `Invalid price received for BTCUSDT: ${price}`,
      ] as const,
  ),
  [
    'FEED-36: a price of false',
    { status: 200, body: '{"symbol":"BTCUSDT","price":false}' },
    'Invalid price received for BTCUSDT: false',
  ],
];
test.for(failures)('%s is reported under FEED-67 with its cause', async ([, answer, cause]) => {
  const { exchange, feed, ticks, timers, start } = await setUpBinance(['BTCUSDT']);
  await start();
  await timers.advance(3 * second);
  exchange.switches.answer = answer;
  ticks.length = 0;

  const texts = await reasons(feed.fetch('BTCUSDT'));

  expect(texts.slice(0, 2)).toEqual(['Failed to fetch price for BTCUSDT', cause]);
  expect(ticks).toEqual([]);
});

test('FEED-67, ERR-30, ERR-35, ERR-37: a 5xx is an HTTP error, a dead exchange fails all routes, an unlisted symbol has no price', async () => {
  const { exchange, feed, timers, start } = await setUpBinance(['BTCUSDT']);
  await start();
  await timers.advance(3 * second);
  exchange.switches.answer = { status: 503, body: '<html>unavailable</html>' };
  expect((await reasons(feed.fetch('BTCUSDT'))).slice(0, 2)).toEqual([
    'Failed to fetch price for BTCUSDT',
    'HTTP error! status: 503',
  ]);
  exchange.refuse(true);
  await timers.advance(2 * second);
  expect((await reasons(feed.fetch('BTCUSDT'))).slice(0, 2)).toEqual([
    'Failed to fetch price for BTCUSDT',
    'Failed to fetch data: All proxies failed',
  ]);

  expect(await reasons(feed.fetch('NOPEUSDT'))).toEqual([
    'Failed to fetch price for NOPEUSDT',
    'No price data available for NOPEUSDT',
  ]);
});

test('the probe is one cheap request, and fails when the exchange refuses or another program answers', async () => {
  const { exchange, feed } = await setUpBinance();
  await feed.probe();
  expect(exchange.requests).toEqual(['/api/v3/ping']);

  exchange.switches.answer = { status: 200, body: '<html>Sign in to the hotel network</html>' };
  expect(await reasons(feed.probe())).toContain('Invalid response format');
  exchange.switches.answer = { status: 451, body: '{"code":0,"msg":"Service unavailable"}' };
  expect(await reasons(feed.probe())).toEqual(['HTTP error! status: 451', '0: Service unavailable']);
});

const timeframes: readonly (readonly [Timeframe, string, string])[] = [
  ['1m', '2026-11-21T11:59:00.000Z', '2026-11-21T12:00:00.000Z'],
  ['5m', '2026-11-21T11:55:00.000Z', '2026-11-21T12:00:00.000Z'],
  ['15m', '2026-11-21T11:45:00.000Z', '2026-11-21T12:00:00.000Z'],
  ['30m', '2026-11-21T11:30:00.000Z', '2026-11-21T12:00:00.000Z'],
  ['1h', '2026-11-21T11:00:00.000Z', '2026-11-21T12:00:00.000Z'],
  ['4h', '2026-11-21T08:00:00.000Z', '2026-11-21T12:00:00.000Z'],
  ['1d', '2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'],
  ['1w', '2026-11-09T00:00:00.000Z', '2026-11-16T00:00:00.000Z'],
  ['1M', '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
];
test.for(timeframes)(
  'klines of %s have their exact open times, and their volume in the quote',
  async ([timeframe, last, running]) => {
    const { exchange, feed } = await setUpBinance();

    const bars = await feed.candles('BTCUSDT', timeframe, { limit: 2, before: null });

    expect(bars.map(({ open_time }) => open_time)).toEqual([last, running]);
    const [bar] = bars;
    expect(bar).toMatchObject({ volume: 148.97611427, quote_volume: 2434.19055334 });
    expect([bar!.high - bar!.open, bar!.open - bar!.low, bar!.close - bar!.open]).toEqual([2, 2, 1]);
    expect(exchange.requests).toEqual([`/api/v3/klines?symbol=BTCUSDT&interval=${timeframe}&limit=2`]);
  },
);

test('a thousand klines come in one request, and those before an instant exclude it', async () => {
  const { exchange, feed } = await setUpBinance();
  const before = Date.UTC(2026, 10, 20, 6);

  const bars = await feed.candles('BTCUSDT', '1h', { limit: 1000, before });

  expect(exchange.requests).toHaveLength(1);
  expect(bars).toHaveLength(1000);
  expect(bars.at(-1)?.open_time).toBe('2026-11-20T05:00:00.000Z');
  expect(Date.parse(bars.at(-1)!.open_time) - Date.parse(bars[0]!.open_time)).toBe(999 * hourMs);
});

test('FEED-68: klines that are no bars are dropped with a warning; an answer that is no list is refused', async () => {
  const { exchange, feed, log } = await setUpBinance();
  const at = (hours: number) => Date.UTC(2026, 10, 21, hours);
  const row = (openTime: unknown, ...prices: unknown[]) => [
    openTime,
    ...prices,
    '5',
    0,
    '500',
    1,
    '1',
    '1',
    '0',
  ];
  const rows = [
    row(at(9), '10', '12', '9', '11'),
    row(at(7), '10', '12', '9', '11'),
    row(at(8), '-10', '12', '9', '11'),
    row(at(8), '10', '9', '12', '11'),
    row(at(8) + 1, '10', '12', '9', '11'),
    row(at(8), '10', null, '9', '11'),
    row('soon', '10', '12', '9', '11'),
    row(at(9), '10', '12', '9', '11.5'),
  ];
  exchange.switches.answer = { status: 200, body: JSON.stringify(rows) };

  const bars = await feed.candles('BTCUSDT', '1h', { limit: 10, before: null });

  expect(bars.map(({ open_time, close }) => [open_time, close])).toEqual([
    ['2026-11-21T07:00:00.000Z', 11],
    ['2026-11-21T09:00:00.000Z', 11.5],
  ]);
  expect(log).toContainEqual(
    expect.objectContaining({ level: 'warn', msg: 'bars that are none were dropped' }),
  );
  for (const body of ['{}', 'null', '[7]', '<html>']) {
    exchange.switches.answer = { status: 200, body };
    const candles = feed.candles('BTCUSDT', '1h', { limit: 10, before: null });
    expect(await reasons(candles)).toContain('Invalid response format');
  }
});

test('FEED-48, FEED-49: the pairs of the exchange come ranked from exchange info and the 24 h figures', async () => {
  const { exchange, feed } = await setUpBinance();
  exchange.set('BTCUSDT', '47174.97', { quoteVolume: '100.0' });
  exchange.set('ETHUSDT', '3990.10', { quoteVolume: '200.0' });
  exchange.set('ETHBTC', '0.05');

  const pairs = await feed.exchangePairs();

  expect(pairs.map(({ symbol }) => symbol)).toEqual(['ETHUSDT', 'BTCUSDT']);
  expect(exchange.requests).toEqual([
    '/api/v3/exchangeInfo?symbolStatus=TRADING&showPermissionSets=false',
    '/api/v3/ticker/24hr',
  ]);
});

test('sourceOf: the exchange for listed crypto, nothing for the rest', async () => {
  const { feed, market } = await setUpBinance(['BTCUSDT']);
  market.pairs = [...listed('BTCUSDT'), { symbol: 'AAPL', type: 'stock' }];
  expect([feed.sourceOf('BTCUSDT'), feed.sourceOf('AAPL'), feed.sourceOf('NOPEUSDT')]).toEqual([
    'binance',
    null,
    null,
  ]);
});
