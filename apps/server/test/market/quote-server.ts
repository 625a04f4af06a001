/**
 * The quote provider for tests, on loopback: `GET /v8/finance/chart/{ticker}` in the recorded shapes of Yahoo's chart
 * service. A test lists tickers with prices, sessions and bars; `mode` (of all tickers, or of one) makes it misbehave from
 * the next request on. Times follow the test's clock.
 *
 *     const server = await startQuoteServer(timers.now);
 *     server.list('AAPL', { price: 244.87, previousClose: 244.47 });
 *     server.list('GC=F', { price: 2952.5 });
 *     listPairs(server, catalogue);             // every pair at its typical price
 *     server.mode = 'too-many';                 // everything is refused
 *     server.list('GC=F', { mode: 'not-found' }); // one ticker is unknown for a while; the rest of it stays
 *     server.requests.map(({ ticker }) => ticker)
 *     await server.stop();
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ListedPair } from '../../src/features/market/catalogue/index.ts';
import type { Outbound } from '../../src/platform/outbound/index.ts';

/**
 * - `ok`: as it should be
 * - `too-many`: 429 as plain text; `prose`: the same text with status 200; `page`: a consent page with status 200;
 *   `forbidden`: a page with 403; `redirect`: to the consent page; `crumb`: 401 with `finance.error`
 * - `not-found`: 404 with the recorded body; `not-found-200`: the same with status 200; `no-result`: `result: null` alone
 * - `bad-request`: 400; `too-wide`: 422, a JSON string; `bad-gateway`: 502
 * - `cut`: half of the JSON; `empty`: nothing; `huge`: more than 8 MB; `bare`: JSON of something else
 * - `reset`: the line is cut; `hang`: no answer; `slow`: no answer until `letGo`
 * - `other-symbol`: a proper answer about another ticker
 */
export type QuoteMode =
  | 'ok'
  | 'too-many'
  | 'prose'
  | 'page'
  | 'forbidden'
  | 'redirect'
  | 'crumb'
  | 'not-found'
  | 'not-found-200'
  | 'no-result'
  | 'bad-request'
  | 'too-wide'
  | 'bad-gateway'
  | 'cut'
  | 'empty'
  | 'huge'
  | 'bare'
  | 'reset'
  | 'hang'
  | 'slow'
  | 'other-symbol';

/** `[seconds since the epoch, open, high, low, close, volume]`; null where the provider has nothing. */
export type ListedBar = readonly [number, ...(number | null)[]];

export interface Listed {
  /** The value of `regularMarketPrice`; undefined leaves it out. */
  price?: unknown;
  /** Seconds since the epoch; the present when left out. */
  time?: number;
  currency?: string;
  previousClose?: number;
  chartPreviousClose?: number;
  high?: number;
  low?: number;
  volume?: number;
  /** The regular session, ms since the epoch; left out: a period of no length, as of forex. */
  session?: { readonly from: number; readonly to: number };
  /** By interval. */
  bars?: Partial<Record<string, readonly ListedBar[]>>;
  /** Whether it answers with all of them, whatever the requested range. */
  ignoresRange?: boolean;
  /** Further fields of `meta`, recorded or invented. */
  meta?: Readonly<Record<string, unknown>>;
  mode?: QuoteMode;
}

export interface QuoteRequest {
  /** Decoded. */
  readonly ticker: string;
  /** As it came: path and query, still encoded. */
  readonly target: string;
  readonly query: URLSearchParams;
  readonly userAgent: string | undefined;
  /** By the test's clock, ms since the epoch. */
  readonly at: number;
}

export interface QuoteServer {
  /** For YAHOO_URL. */
  readonly url: string;
  readonly requests: QuoteRequest[];
  /** Of all tickers that have none of their own. */
  mode: QuoteMode;
  /** Sent with every answer; the provider's own is 'public, max-age=10, stale-while-revalidate=20'. */
  cacheControl: string | null;
  /** Lists a ticker or changes what it answers; what is not listed is not found. */
  list(ticker: string, listed: Listed): void;
  unlist(ticker: string): void;
  /** Requests that are held back (`hang`, `slow`). */
  held(): number;
  /** Answers what `slow` holds back. */
  letGo(): void;
  stop(): Promise<void>;
}

const providersCacheControl = 'public, max-age=10, stale-while-revalidate=20';
const consentPage =
  '<!DOCTYPE html><html lang="en"><head><title>Yahoo is part of the Yahoo family</title></head></html>';
const json = { 'content-type': 'application/json;charset=utf-8' };
const pageType = { 'content-type': 'text/html; charset=utf-8' };
const hugeBytes = 9 * 1024 * 1024;

export async function startQuoteServer(now: () => number): Promise<QuoteServer> {
  const listed = new Map<string, Listed>();
  const held = new Set<() => void>();
  const server = createServer((request, response) => {
    const target = request.url ?? '/';
    const { pathname, searchParams } = new URL(target, 'http://provider');
    const path = /^\/v8\/finance\/chart\/([^/]+)$/.exec(pathname);
    if (!path?.[1]) {
      response.writeHead(404).end();
      return;
    }
    const ticker = decodeURIComponent(path[1]);
    const userAgent = request.headers['user-agent'];
    quotes.requests.push({ ticker, target, query: searchParams, userAgent, at: now() });
    answer(ticker, searchParams, request, response);
  });
  const quotes: QuoteServer = {
    url: '',
    requests: [],
    mode: 'ok',
    cacheControl: providersCacheControl,
    list: (ticker, more) => void listed.set(ticker, { ...listed.get(ticker), ...more }),
    unlist: (ticker) => void listed.delete(ticker),
    held: () => held.size,
    letGo() {
      for (const release of held) release();
      held.clear();
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };

  function answer(
    ticker: string,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    const one = listed.get(ticker);
    const mode = one?.mode ?? quotes.mode;
    const headers = { ...(quotes.cacheControl !== null && { 'cache-control': quotes.cacheControl }) };
    const end = (status: number, more: Record<string, string>, body: string) =>
      response.writeHead(status, { ...headers, ...more }).end(body);
    const chart = () => JSON.stringify(one ? chartOf(ticker, one, query, now()) : notFound);
    switch (mode) {
      case 'too-many':
        return end(429, { 'content-type': 'text/plain' }, 'Too Many Requests\r\n');
      case 'prose':
        return end(200, { 'content-type': 'text/plain' }, 'Edge: Too Many Requests');
      case 'page':
        return end(200, pageType, consentPage);
      case 'forbidden':
        return end(403, pageType, consentPage);
      case 'redirect':
        return end(302, { location: 'https://consent.invalid/' }, '');
      case 'crumb':
        return end(401, json, JSON.stringify(invalidCrumb));
      case 'not-found':
        return end(404, json, JSON.stringify(notFound));
      case 'not-found-200':
        return end(200, json, JSON.stringify(notFound));
      case 'no-result':
        return end(200, json, JSON.stringify({ chart: { result: null, error: null } }));
      case 'bad-request':
        return end(400, json, JSON.stringify(badRequest));
      case 'too-wide':
        return end(422, json, JSON.stringify('1m data not available for startTime=1 and endTime=2.'));
      case 'bad-gateway':
        return end(502, pageType, '<html><body>502 Bad Gateway</body></html>');
      case 'cut':
        return end(200, json, chart().slice(0, 200));
      case 'empty':
        return end(200, json, '');
      case 'bare':
        return end(200, json, '{"quoteResponse":{"result":[]}}');
      case 'huge':
        return end(200, json, `{"padding":"${'x'.repeat(hugeBytes)}"}`);
      case 'reset':
        return void request.socket.resetAndDestroy();
      case 'hang':
      case 'slow': {
        const release = () => {
          if (mode === 'slow') end(200, json, chart());
        };
        held.add(release);
        response.once('close', () => held.delete(release));
        return;
      }
      case 'other-symbol':
        return end(200, json, chart().replace(`"symbol":"${ticker}"`, '"symbol":"OTHER"'));
      case 'ok':
        return end(one ? 200 : 404, json, chart());
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(quotes, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** Lists all of these pairs that have a ticker, in the units that the catalogue expects, at their typical price or another. */
export function listPairs(
  server: QuoteServer,
  pairs: readonly ListedPair[],
  priceOf: (pair: ListedPair) => number = ({ typical }) => typical?.price ?? 100,
): void {
  for (const pair of pairs) {
    const currency = pair.name.includes('US¢') ? 'USX' : pair.quoteAsset;
    if (pair.yahoo) server.list(pair.yahoo, { price: priceOf(pair), currency });
  }
}

const notFound = {
  chart: {
    result: null,
    error: { code: 'Not Found', description: 'No data found, symbol may be delisted' },
  },
};
const badRequest = {
  chart: {
    result: null,
    error: { code: 'Bad Request', description: 'Invalid input - interval=1s is not supported.' },
  },
};
const invalidCrumb = {
  finance: { result: null, error: { code: 'Unauthorized', description: 'Invalid Crumb' } },
};

function chartOf(ticker: string, listed: Listed, query: URLSearchParams, now: number): unknown {
  const interval = query.get('interval') ?? '1d';
  const all = listed.bars?.[interval] ?? [];
  const bars = listed.ignoresRange ? all : barsWithin(all, query);
  const at = (index: number) => bars.map((bar) => bar[index] ?? null);
  const { session } = listed;
  const today = Math.floor(now / 1000);
  const period = session
    ? { timezone: 'EST', start: session.from / 1000, end: session.to / 1000, gmtoffset: -18_000 }
    : { timezone: 'GMT', start: today, end: today, gmtoffset: 0 };
  const quote = { open: at(1), volume: at(5), close: at(4), low: at(3), high: at(2) };
  return {
    chart: {
      result: [
        {
          meta: {
            currency: listed.currency ?? 'USD',
            symbol: ticker,
            exchangeName: 'NMS',
            regularMarketTime: listed.time ?? today,
            hasPrePostMarketData: true,
            gmtoffset: -18_000,
            regularMarketPrice: listed.price,
            regularMarketDayHigh: listed.high,
            regularMarketDayLow: listed.low,
            regularMarketVolume: listed.volume,
            chartPreviousClose: listed.chartPreviousClose,
            previousClose: listed.previousClose,
            scale: 3,
            priceHint: 2,
            currentTradingPeriod: { pre: period, regular: period, post: period },
            ...(interval === '1m' && { tradingPeriods: [[period]] }),
            dataGranularity: interval,
            range: query.get('range') ?? '',
            validRanges: ['1d', '5d', '1mo', '3mo', '6mo', '1y', '2y', '5y', '10y', 'ytd', 'max'],
            ...listed.meta,
          },
          // A shut market's minutes: recorded without `timestamp`, with one empty quote.
          ...(bars.length > 0 && { timestamp: at(0) }),
          indicators: { quote: [bars.length > 0 ? quote : {}] },
        },
      ],
      error: null,
    },
  };
}

function barsWithin(bars: readonly ListedBar[], query: URLSearchParams): readonly ListedBar[] {
  const from = Number(query.get('period1') ?? Number.NEGATIVE_INFINITY);
  const to = Number(query.get('period2') ?? Number.POSITIVE_INFINITY);
  return bars.filter(([time]) => time >= from && time < to);
}

/** For what never comes, as `eventually` has it. */
const patienceMs = 60_000;

/**
 * Outbound connections with a `settle` for manual timers: it waits until only held answers are under way.
 * Bounded, so that a lost answer fails the test instead of hanging it.
 */
export function withSettling(
  outbound: Outbound,
  held: () => number,
): { readonly outbound: Outbound; settle(): Promise<void> } {
  let underWay = 0;
  return {
    outbound: {
      ...outbound,
      async get(url, options) {
        underWay += 1;
        try {
          return await outbound.get(url, options);
        } finally {
          underWay -= 1;
        }
      },
    },
    async settle() {
      const giveUpAt = performance.now() + patienceMs;
      for (let quiet = 0; quiet < 3; ) {
        if (performance.now() > giveUpAt) throw new Error(`${underWay} requests are still under way`);
        await new Promise((resolve) => setImmediate(resolve));
        quiet = underWay <= held() ? quiet + 1 : 0;
      }
    },
  };
}
