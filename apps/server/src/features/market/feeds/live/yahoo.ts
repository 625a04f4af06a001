/**
 * Stocks, forex, commodities and indices from Yahoo's chart service, polled within one budget. The service is unofficial and
 * unsupported: it may refuse at any time; prices then stay as they are and age.
 * Invariant: nothing is emitted before `start` or after `stop`; a symbol that the provider does not know never ticks.
 */
import { texts } from '@fulcrum/contract';
import type { MarketType, Timeframe } from '@fulcrum/domain';
import type { Config } from '../../../../platform/config/index.ts';
import type { Services } from '../../../../platform/services.ts';
import type { Bar, Feed, FeedTick, Interest } from '../../feed.ts';
import { PriceError, toLogLine } from '../../price-error.ts';
import type { Routes } from '../../providers/routes.ts';
import { type BarRange, rangeBefore, rangeOf, readBars } from '../../providers/yahoo/bars.ts';
import { createBudget } from '../../providers/yahoo/budget.ts';
import { barsUrl, readChart } from '../../providers/yahoo/chart.ts';
import { type Quote, tickOfQuote } from '../../providers/yahoo/quote.ts';
import { createQuotes } from '../../providers/yahoo/quotes.ts';
import { createRequests } from '../../providers/yahoo/requests.ts';
import { type ExpectedTicker, probeSymbols, type QuotedPair } from '../../providers/yahoo/tickers.ts';

export interface YahooFeed extends Feed {
  fetch(symbol: string): Promise<void>;
  /**
   * One request for a well-known symbol of the market; its price is stored for `start`. Probes of all markets may run at
   * once. @throws PriceError when the provider does not answer, refuses, or sends no valid price
   */
  probe(type: PolledMarket): Promise<void>;
  /** Whether the provider has a name for the symbol. */
  hasTicker(symbol: string): boolean;
}

type PolledMarket = Exclude<MarketType, 'crypto'>;

interface YahooFeedOptions extends Pick<Services, 'timers' | 'log'> {
  /** Without a trailing slash. */
  readonly url: string;
  readonly routes: Pick<Routes, 'get'>;
  /** Those without a ticker are left out. */
  readonly pairs: readonly QuotedPair[];
  readonly interest: Pick<Interest, 'inUse' | 'shown'>;
  /** null or left out: honoured, as for all live polled sources. What is shut is looked at once a minute. */
  readonly sessions?: Config['sessions'];
  /** Requests a second, all together. */
  readonly quotesPerS: number;
  /**
   * The provider does not know this symbol and never had a price of it. Called once; this process polls the symbol no more,
   * so that another source may take it over. Left out: the feed retries the symbol every five minutes.
   */
  readonly onMissing?: ((symbol: string) => void) | undefined;
}

/** Stocks, forex and commodities poll every 2 s, indices every 5 s (FEED-27, FEED-31, FEED-32). */
const pollSchedule = [
  { everyMs: 2_000, markets: new Set<MarketType>(['stock', 'forex', 'commodity']) },
  { everyMs: 5_000, markets: new Set<MarketType>(['index']) },
] as const;

export function createYahooFeed(options: YahooFeedOptions): YahooFeed {
  const { url, routes, pairs, interest, sessions = null, quotesPerS, timers, log, onMissing } = options;
  const pairOf = new Map(pairs.map((pair) => [pair.symbol, pair]));
  const budget = createBudget({ perS: quotesPerS, clock: timers });
  const requests = createRequests({ routes, budget, timers, log });
  const quotes = createQuotes({
    url,
    requests,
    pairs,
    interest,
    sessions,
    timers,
    log,
    onQuote: emitQuote,
    onMissing: onMissing ?? null,
  });
  let emit: ((tick: FeedTick) => void) | null = null;
  let cancels: (() => void)[] = [];
  /** Running requests for bars, by address: identical ones share one. */
  const barsUnderWay = new Map<string, Promise<Bar[]>>();

  function emitQuote(quote: Quote): void {
    emit?.(tickOfQuote(quote, timers.now()));
  }

  /** @throws PriceError */
  async function fetchBars(
    pair: QuotedPair,
    ticker: ExpectedTicker,
    timeframe: Timeframe,
    range: BarRange,
  ): Promise<Bar[]> {
    const address = barsUrl(url, ticker.ticker, range);
    const key = `${timeframe} ${address}`;
    const known = barsUnderWay.get(key);
    if (known) return known;
    const barRange = requests
      .fetch(address, (response) =>
        readBars(readChart(response, ticker), pair, timeframe, range, timers.now()),
      )
      .finally(() => barsUnderWay.delete(key));
    barsUnderWay.set(key, barRange);
    return barRange;
  }

  return {
    sourceOf: (symbol) => (quotes.isServed(symbol) ? 'yahoo' : null),
    hasTicker: (symbol) => quotes.ticker(symbol) !== undefined,
    async start(target) {
      emit = target;
      for (const { symbol } of pairs) {
        const quote = quotes.last(symbol);
        if (quote) emitQuote(quote);
      }
      for (const { everyMs, markets } of pollSchedule) {
        quotes.beat(markets);
        cancels.push(timers.every(everyMs, () => quotes.beat(markets)));
      }
    },
    async stop() {
      emit = null;
      for (const cancel of cancels) cancel();
      cancels = [];
      requests.stop();
      quotes.stop();
    },
    async fetch(symbol) {
      await quotes.quote(symbol);
    },
    async probe(type) {
      const known = probeSymbols[type];
      const symbol = quotes.ticker(known) ? known : firstOf(type);
      await quotes.probe(symbol);
    },
    async candles(symbol, timeframe, query) {
      const pair = pairOf.get(symbol);
      const ticker = quotes.ticker(symbol);
      if (!pair || !ticker) return [];
      const now = timers.now();
      const range = rangeOf(pair, timeframe, query, now);
      if (!range) return [];
      const fetchOlder = async (barRange: BarRange): Promise<Bar[]> =>
        (await fetchBars(pair, ticker, timeframe, barRange)).filter(
          (bar) => query.before === null || Date.parse(bar.open_time) < query.before,
        );
      let older = await fetchOlder(range);
      // A closure may be longer than the requested range, and would look like the beginning of the history.
      const wider =
        older.length === 0 && query.before !== null ? rangeBefore(pair, timeframe, range, now) : null;
      if (wider) older = await fetchOlder(wider);
      return older.slice(-query.limit);
    },
    providers() {
      const fault = requests.fault();
      return [
        {
          source: 'yahoo',
          ok: fault === null,
          fault: fault && faultLine(toLogLine(fault), budget.refusedUntil()),
          receivedAt: requests.receivedAt(),
          symbols: pairs.filter(({ symbol }) => quotes.isServed(symbol)).length,
        },
      ];
    },
  };

  function firstOf(type: PolledMarket): string {
    const pair = pairs.find((one) => one.type === type && one.yahoo !== null);
    if (!pair) throw new PriceError(texts.unsupportedMarketType);
    return pair.symbol;
  }
}

const faultLine = (message: string, refusedUntil: number | null): string =>
  refusedUntil === null ? message : `${message}; next request at ${new Date(refusedUntil).toISOString()}`;
