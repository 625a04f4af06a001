import { texts } from '@fulcrum/contract';
import type { MarketType } from '@fulcrum/domain';
import { dayMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { catalogue } from '../../catalogue/index.ts';
import { isProvidersOwn, quoteUrl, readChart } from './chart.ts';
import { ChartError } from './chart-error.ts';
import { isShutByProvider, readQuote, tickOfQuote } from './quote.ts';
import { type ExpectedTicker, type QuotedPair, toExpectedTicker } from './tickers.ts';

/** Recorded on 2025-02-20, minutes of a shut market: no `timestamp`, an empty quote, no range. */
const apple = `{"chart":{"result":[{"meta":{"currency":"USD","symbol":"AAPL","exchangeName":"NMS","fullExchangeName":"NasdaqGS",
"instrumentType":"EQUITY","firstTradeDate":345479400,"regularMarketTime":1739998801,"hasPrePostMarketData":true,
"gmtoffset":-18000,"timezone":"EST","exchangeTimezoneName":"America/New_York","regularMarketPrice":244.87,
"fiftyTwoWeekHigh":260.1,"fiftyTwoWeekLow":164.08,"regularMarketDayHigh":246.01,"regularMarketDayLow":243.16,
"regularMarketVolume":32129951,"longName":"Apple Inc.","shortName":"Apple Inc.","chartPreviousClose":236,
"previousClose":244.47,"scale":3,"priceHint":2,"currentTradingPeriod":{"pre":{"timezone":"EST","start":1740042000,
"end":1740061800,"gmtoffset":-18000},"regular":{"timezone":"EST","start":1740061800,"end":1740085200,"gmtoffset":-18000},
"post":{"timezone":"EST","start":1740085200,"end":1740099600,"gmtoffset":-18000}},"dataGranularity":"1m","range":"",
"validRanges":["1d","5d","1mo","3mo","6mo","1y","2y","5y","10y","ytd","max"]},"indicators":{"quote":[{}]}}],"error":null}}`;

/** Recorded on 2025-02-20, daily bars: no `previousClose`, binary fractions, a period that is no session. */
const euro = `{"chart":{"result":[{"meta":{"currency":"USD","symbol":"EURUSD=X","exchangeName":"CCY","fullExchangeName":"CCY",
"instrumentType":"CURRENCY","firstTradeDate":1070236800,"regularMarketTime":1740052002,"hasPrePostMarketData":false,
"gmtoffset":0,"timezone":"GMT","exchangeTimezoneName":"Europe/London","regularMarketPrice":1.0436,
"fiftyTwoWeekHigh":1.1212,"fiftyTwoWeekLow":1.0184,"regularMarketDayHigh":1.0449,"regularMarketDayLow":1.0422,
"regularMarketVolume":0,"longName":"EUR/USD","shortName":"EUR/USD","chartPreviousClose":1.1221,"priceHint":4,
"currentTradingPeriod":{"pre":{"timezone":"GMT","start":1740009600,"end":1740009600,"gmtoffset":0},"regular":{"timezone":"GMT",
"start":1740009600,"end":1740095940,"gmtoffset":0},"post":{"timezone":"GMT","start":1740095940,"end":1740095940,"gmtoffset":0}},
"dataGranularity":"1d","range":"","validRanges":["1d","5d","1mo","3mo","6mo","1y","2y","5y","10y","ytd","max"]},
"timestamp":[1577836800,1577923200,1578009600],"indicators":{"quote":[{"open":[1.1220825910568237,1.1218937635421753,1.1170812845230103],
"volume":[0,0,0],"close":[1.1220825910568237,1.1220825910568237,1.1171437501907349],"low":[1.115946888923645,1.1166820526123047,1.112569808959961],
"high":[1.1228384971618652,1.12271249294281,1.118067979812622]}],"adjclose":[{"adjclose":[1.1220825910568237,1.1220825910568237,1.1171437501907349]}]}}],"error":null}}`;

const now = Date.UTC(2025, 1, 20, 12, 0);
const answer = (text: string, status = 200, headers: Record<string, string> = {}) => ({
  status,
  text,
  headers,
});

function listed(symbol: string): QuotedPair {
  const pair = catalogue.find((one) => one.symbol === symbol);
  if (!pair) throw new Error(`${symbol} is not listed`);
  return pair;
}
function expectedTicker(symbol: string): ExpectedTicker {
  const pair = listed(symbol);
  return toExpectedTicker(pair, pair.yahoo ?? '');
}
const quoteOf = (symbol: string, text: string, at = now) =>
  readQuote(readChart(answer(text), expectedTicker(symbol)), listed(symbol), at);
/** A small chart with this `meta` beside symbol, currency and time. */
const chartWith = (meta: Record<string, unknown>) =>
  JSON.stringify({
    chart: {
      result: [
        {
          meta: {
            symbol: 'AAPL',
            currency: 'USD',
            regularMarketTime: now / 1000,
            regularMarketPrice: 200,
            ...meta,
          },
          indicators: { quote: [{}] },
        },
      ],
      error: null,
    },
  });

function failureOf(run: () => unknown): Pick<ChartError, 'failure' | 'message'> {
  try {
    run();
  } catch (error) {
    if (error instanceof ChartError) return { failure: error.failure, message: error.message };
    throw error;
  }
  throw new Error('nothing was thrown');
}

test('FEED-20, FEED-22, FEED-26: the address has the ticker URL-encoded', () => {
  const provider = 'https://quotes.example';
  expect(quoteUrl(provider, 'EURUSD=X')).toBe(
    'https://quotes.example/v8/finance/chart/EURUSD%3DX?interval=1m&range=1d',
  );
  expect(quoteUrl(provider, '^GSPC')).toBe(
    'https://quotes.example/v8/finance/chart/%5EGSPC?interval=1m&range=1d',
  );
});

test('FEED-21, A34: reads a shut market without bars, its day against the previous close', () => {
  expect(quoteOf('AAPL', apple)).toEqual({
    symbol: 'AAPL',
    price: 244.87,
    marketTime: 1739998801000,
    receivedAt: now,
    session: { from: 1740061800000, to: 1740085200000 },
    day: {
      priceChangePercent: expect.closeTo(0.16362, 5),
      volume: 32129951,
      quoteVolume: expect.closeTo((32129951 * (244.87 + 246.01 + 243.16)) / 3, -3),
      high: 246.01,
      low: 243.16,
    },
  });
});

test('A34: without a previous close there is no change, unless the range is one day', () => {
  const day = (meta: Record<string, unknown>) => quoteOf('AAPL', chartWith(meta)).day;
  expect(quoteOf('EUR/USD', euro).day).toEqual({
    priceChangePercent: null,
    volume: 0,
    quoteVolume: 0,
    high: 1.0449,
    low: 1.0422,
  });
  expect(day({ chartPreviousClose: 100, range: '1d' }).priceChangePercent).toBe(100);
  expect(day({ chartPreviousClose: 100, range: '5d' }).priceChangePercent).toBeNull();
  expect(day({ previousClose: 160, chartPreviousClose: 100, range: '5d' }).priceChangePercent).toBe(25);
  expect(day({ previousClose: 0, regularMarketVolume: null, regularMarketDayHigh: 'n/a' })).toEqual({
    priceChangePercent: null,
    volume: 0,
    quoteVolume: 0,
    high: null,
    low: null,
  });
});

test('reads trading periods as an array, as an object, or none at all', () => {
  const tradingPeriods = [[{ timezone: 'EST', start: 1764945000, end: 1764968400, gmtoffset: -18000 }]];
  for (const meta of [{ tradingPeriods }, { tradingPeriods: { regular: tradingPeriods } }, {}]) {
    expect(quoteOf('AAPL', chartWith(meta))).toMatchObject({ price: 200, session: null });
  }
});

test('A98: an exchange is closed outside the session that the provider states, while that statement is recent', () => {
  const session = (at: number) => isShutByProvider(quoteOf('AAPL', apple, at), at);
  expect(session(Date.UTC(2025, 1, 20, 14, 29, 59))).toBe(true);
  expect(session(Date.UTC(2025, 1, 20, 14, 30))).toBe(false);
  expect(session(Date.UTC(2025, 1, 20, 21, 0))).toBe(true);
  const morning = quoteOf('AAPL', apple, Date.UTC(2025, 1, 20, 14, 0));
  expect(tickOfQuote(morning, morning.receivedAt).marketOpen).toBe(false);
  // A day later the statement has expired: the catalogue's hours decide.
  expect(tickOfQuote(morning, morning.receivedAt + dayMs)).not.toHaveProperty('marketOpen');
});

test('forex is never shut by a period that the provider states: it is none', () => {
  const quote = quoteOf('EUR/USD', euro);
  expect(quote.session).toBeNull();
  const period = { regular: { start: 1740009600, end: 1740009600 } };
  expect(quoteOf('AAPL', chartWith({ currentTradingPeriod: period })).session).toBeNull();
});

test('A36: takes a numeric string as a whole', () => {
  expect(quoteOf('AAPL', chartWith({ regularMarketPrice: '244.87' })).price).toBe(244.87);
});

test.for<[unknown, string]>([
  [0, '0'],
  [-37.63, '-37.63'],
  [1e15, '1000000000000000'],
  ['12,5', '12,5'],
  ['', ''],
  [true, 'true'],
  [{ raw: 244.87 }, '{"raw":244.87}'],
  [1e-9, '1e-9'],
])('FEED-34, FEED-35, FEED-36: refuses %j as a price', ([raw, shown]) => {
  expect(failureOf(() => quoteOf('AAPL', chartWith({ regularMarketPrice: raw })))).toEqual({
    failure: 'faulty',
    message: texts.invalidPrice('AAPL', shown),
  });
});

test('FEED-69, ERR-35: a chart without a price, or without a result', () => {
  const expected = { failure: 'faulty', message: 'No price data available for AAPL' };
  expect(failureOf(() => quoteOf('AAPL', chartWith({ regularMarketPrice: null })))).toEqual(expected);
  // Left out by the provider, which `undefined` is in JSON.
  expect(failureOf(() => quoteOf('AAPL', chartWith({ regularMarketPrice: undefined })))).toEqual(expected);
  expect(failureOf(() => quoteOf('AAPL', '{"chart":{"result":null,"error":null}}'))).toEqual(expected);
  expect(failureOf(() => quoteOf('AAPL', '{"chart":{"result":[],"error":null}}'))).toEqual(expected);
});

test.for([
  '{"quoteResponse":{"result":[]}}',
  '{"chart":null}',
  '{"chart":{"result":{"meta":{}}}}',
  '{"chart":{"result":[{}],"error":null}}',
  '{"chart":{"result":[null],"error":null}}',
  apple.slice(0, 300),
  '[]',
  'null',
  '',
])('FEED-68: %s is no chart', (text) => {
  expect(failureOf(() => quoteOf('AAPL', text))).toEqual({
    failure: 'faulty',
    message: 'Invalid response format',
  });
});

test.for<[Record<string, unknown>, string]>([
  [{ symbol: 'MSFT' }, 'another symbol'],
  [{ currency: 'GBp' }, 'pence'],
  [{ currency: null }, 'no unit'],
  [{ regularMarketTime: null }, 'no time'],
  [{ regularMarketTime: now }, 'milliseconds for seconds'],
])('refuses a quote with %j: %s', ([meta]) => {
  expect(failureOf(() => quoteOf('AAPL', chartWith(meta)))).toEqual({
    failure: 'faulty',
    message: 'Invalid response format',
  });
});

test('a price from the future is one of now: clocks differ', () => {
  expect(quoteOf('AAPL', chartWith({ regularMarketTime: now / 1000 + 30 })).marketTime).toBe(now);
});

test('A99: coffee is quoted in cents, as the catalogue lists it, and refused in dollars', () => {
  const coffee = (currency: string) =>
    quoteOf('COFFEEUSD', chartWith({ symbol: 'KC=F', currency, regularMarketPrice: 284.25 }));
  expect(coffee('USX').price).toBe(284.25);
  expect(failureOf(() => coffee('USD')).message).toBe('Invalid response format');
});

test('FEED-23: USD/JPY is JPY=X, also under its long name, and never the inverse', () => {
  const yen = (symbol: string, currency: string) =>
    quoteOf('USD/JPY', chartWith({ symbol, currency, regularMarketPrice: 151.9 }));
  expect(expectedTicker('USD/JPY').ticker).toBe('JPY=X');
  expect(yen('JPY=X', 'JPY').price).toBe(151.9);
  expect(yen('USDJPY=X', 'JPY').price).toBe(151.9);
  expect(failureOf(() => yen('JPY=X', 'USD')).failure).toBe('faulty');
});

test('index points are taken in any currency', () => {
  for (const currency of ['GBP', 'USD', null]) {
    expect(quoteOf('FTSE', chartWith({ symbol: '^FTSE', currency, regularMarketPrice: 9480 })).price).toBe(
      9480,
    );
  }
});

const notFound =
  '{"chart":{"result":null,"error":{"code":"Not Found","description":"No data found, symbol may be delisted"}}}';

test.for<[string, ReturnType<typeof answer>, Pick<ChartError, 'failure' | 'message'>]>([
  ['404', answer(notFound, 404), { failure: 'not-found', message: 'HTTP error! status: 404' }],
  ['404 with 200', answer(notFound), { failure: 'not-found', message: texts.noPriceData('AAPL') }],
  // A wrong address of the provider must not delist everything.
  [
    '404 of something else',
    answer('Not Found', 404),
    { failure: 'faulty', message: 'HTTP error! status: 404' },
  ],
  [
    '400',
    answer('{"chart":{"result":null,"error":{"code":"Bad Request"}}}', 400),
    { failure: 'faulty', message: 'HTTP error! status: 400' },
  ],
  ['422', answer('"1m data not available"', 422), { failure: 'faulty', message: 'HTTP error! status: 422' }],
  ['500', answer('', 500), { failure: 'unreachable', message: 'HTTP error! status: 500' }],
  ['429', answer('Too Many Requests', 429), { failure: 'refused', message: 'HTTP error! status: 429' }],
  ['429 as JSON', answer(notFound, 429), { failure: 'refused', message: 'HTTP error! status: 429' }],
  [
    'plain text',
    answer('Edge: Too Many Requests'),
    { failure: 'refused', message: 'Invalid response format' },
  ],
  [
    'a consent page',
    answer(' <!DOCTYPE html><html>'),
    { failure: 'refused', message: 'Invalid response format' },
  ],
  [
    'an empty page',
    answer('', 200, { 'content-type': 'text/html' }),
    { failure: 'refused', message: 'Invalid response format' },
  ],
  ['403', answer('<html>', 403), { failure: 'refused', message: 'HTTP error! status: 403' }],
  ['a redirect', answer('', 302), { failure: 'refused', message: 'HTTP error! status: 302' }],
  [
    'a crumb',
    answer('{"finance":{"result":null,"error":{"code":"Unauthorized","description":"Invalid Crumb"}}}', 401),
    { failure: 'refused', message: 'HTTP error! status: 401' },
  ],
  [
    'a crumb with 200',
    answer('{"finance":{"result":null,"error":{"code":"Unauthorized","description":"Invalid Crumb"}}}'),
    { failure: 'refused', message: 'Invalid response format' },
  ],
])('FEED-70: %s', ([, response, expected]) => {
  expect(failureOf(() => readChart(response, expectedTicker('AAPL')))).toEqual(expected);
});

test('an answer through a proxy counts when the provider made it', () => {
  expect(isProvidersOwn(answer(apple))).toBe(true);
  expect(isProvidersOwn(answer(notFound, 404))).toBe(true);
  for (const one of [
    answer('{"error":"quota"}'),
    answer('<html>'),
    answer('Too Many Requests', 429),
    answer(''),
  ]) {
    expect(isProvidersOwn(one)).toBe(false);
  }
});

test('every listed pair with a ticker states the unit that it is quoted in', () => {
  const polled = catalogue.filter(({ yahoo }) => yahoo !== null);
  expect(polled.length).toBeGreaterThan(100);
  const inCents = polled.filter((pair) => toExpectedTicker(pair, pair.yahoo ?? '').currency === 'USX');
  expect(inCents.map(({ name }) => name).every((name) => name.includes('US¢'))).toBe(true);
  expect(inCents.length).toBe(catalogue.filter(({ name }) => name.includes('US¢')).length);
});

test('only exchanges have sessions', () => {
  const period = { regular: { start: now / 1000, end: now / 1000 + 3600 } };
  const types: readonly MarketType[] = ['stock', 'forex', 'commodity', 'index'];
  const trusted = types.filter((type) => {
    const chart = readChart(answer(chartWith({ currentTradingPeriod: period })), expectedTicker('AAPL'));
    return readQuote(chart, { symbol: 'AAPL', type }, now).session !== null;
  });
  expect(trusted).toEqual(['stock', 'index']);
});
