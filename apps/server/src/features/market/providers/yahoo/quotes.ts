/**
 * The price service for polled markets: which symbol is requested next, what is cached, what is retried.
 * Each interval (FEED-27, FEED-31, FEED-32) checks every symbol. A symbol is requested when its last answer is no longer fresh
 * (2 s, FEED-07, or the provider's `max-age`, before which the answer only repeats itself) and the budget allows it.
 * Order: symbols that a fetch waits for alternate with symbols in use and, after those, displayed ones. Open markets and
 * symbols without a price follow. Closed markets come last, once a minute, or once in ten if others need the budget. Among
 * equals the longest waiting symbol is first.
 * Invariants: one request per symbol at a time; a failed cycle of tries leaves the last price as it was, with its age.
 *
 * Known limitation: when more symbols are in use than the budget can serve, the rest is only fetched on demand.
 */
import { isMarketOpen, type MarketType, minuteMs, nextOpening } from '@fulcrum/domain';
import type { Config } from '../../../../platform/config/index.ts';
import type { OutboundResponse } from '../../../../platform/outbound/index.ts';
import type { Services } from '../../../../platform/services.ts';
import { unquotedError } from '../../catalogue/index.ts';
import type { Interest } from '../../feed.ts';
import { fetchFailedError, PriceError, toLogLine } from '../../price-error.ts';
import { quoteUrl, readChart } from './chart.ts';
import type { ChartError } from './chart-error.ts';
import { isShutByProvider, type Quote, readQuote } from './quote.ts';
import type { Job, Requests } from './requests.ts';
import { type ExpectedTicker, type QuotedPair, toExpectedTicker } from './tickers.ts';

export interface Quotes {
  /** The next poll of each of these markets: what is no longer fresh becomes due. */
  beat(markets: ReadonlySet<MarketType>): void;
  /**
   * The symbol's price, requested before all others unless it is fresh; concurrent calls share one cycle of
   * tries. When that fails, the last price of any age (FEED-30).
   * @throws PriceError FEED-67, when there is none
   */
  quote(symbol: string): Promise<Quote>;
  /** The last price, of any age. */
  last(symbol: string): Quote | undefined;
  /** One try, which counts as no poll; its price is cached. @throws PriceError */
  probe(symbol: string): Promise<void>;
  /** What can be known of a ticker's answer; undefined for a symbol without a ticker. */
  ticker(symbol: string): ExpectedTicker | undefined;
  /** False once the provider answered that it does not know the symbol, and never had a price of it. */
  isServed(symbol: string): boolean;
  stop(): void;
}

interface QuotesOptions extends Pick<Services, 'timers' | 'log'> {
  /** The provider's address, without a trailing slash. */
  readonly url: string;
  /** Served by the quotes from now on. */
  readonly requests: Requests;
  readonly pairs: readonly QuotedPair[];
  readonly interest: Pick<Interest, 'inUse' | 'shown'>;
  /** Whether the hours of the catalogue decide that a market is closed; the provider's own statement always does. */
  readonly sessions: Config['sessions'];
  /** A new price, or after a failed cycle the last one once more. */
  readonly onQuote: (quote: Quote) => void;
  /** Called once for a symbol that the provider does not know and never had a price of, which is then skipped; null: never. */
  readonly onMissing: ((symbol: string) => void) | null;
}

/** A quote of at most this age answers without a new request (FEED-07). */
const freshMs = 2_000;
/** However long an answer calls itself fresh. */
const freshMsMax = minuteMs;
const shutEveryMs = minuteMs;
/** So that a closed market gets its closing price even while open markets use the budget. */
const shutPollAfterMs = 10 * minuteMs;
/** FEED-29, FEED-33, A30: one try and up to three more, after 1, 2 and 3 s; commodities have no stated retry. */
const triesMax = { stock: 4, forex: 4, index: 4, commodity: 1, crypto: 1 } as const satisfies Record<
  MarketType,
  number
>;
const retryAfterMs = 1_000;
const retryMsMax = 3 * retryAfterMs;
/** FEED-28: after a failed cycle the cached price serves this long, twice as long after each further one. */
const pauseMs = 10_000;
const pauseMsMax = 5 * minuteMs;
/** The provider now and then does not know futures; only this number of such answers in a row counts. */
const notFoundMax = 3;

interface QuoteState {
  readonly pair: QuotedPair;
  readonly ticker: ExpectedTicker;
  quote: Quote | null;
  /** No poll before this. */
  pausedUntil: number;
  /** A beat found it no longer fresh. */
  isDue: boolean;
  isUnderWay: boolean;
  /** Tries of the running cycle; 0: none is running. */
  tries: number;
  retryAt: number;
  cancelRetry: () => void;
  /** Cycles in a row that failed by the symbol's own fault. */
  failures: number;
  notFound: number;
  isMissing: boolean;
  /** Time of the last request. */
  requestedAt: number;
  /** Number of the first fetch that waits, in the order they came. */
  fetchNumber: number;
  /** The result that all callers of `fetch` await; null when there is none. */
  fetching: PromiseWithResolvers<Quote> | null;
}

/** The lower the needier. */
const urgency = { fetched: 0, inUse: 1, shown: 2, open: 3, shut: 4 } as const;

export function createQuotes(options: QuotesOptions): Quotes {
  const { url, requests, interest, sessions, timers, log, onQuote, onMissing } = options;
  const symbols = new Map<string, QuoteState>();
  for (const pair of options.pairs) {
    if (pair.yahoo === null) continue;
    symbols.set(pair.symbol, {
      pair,
      ticker: toExpectedTicker(pair, pair.yahoo),
      quote: null,
      pausedUntil: 0,
      isDue: false,
      isUnderWay: false,
      tries: 0,
      retryAt: 0,
      cancelRetry: () => {},
      failures: 0,
      notFound: 0,
      isMissing: false,
      requestedAt: 0,
      fetchNumber: 0,
      fetching: null,
    });
  }
  let fetches = 0;
  let wasFetched = false;

  const isOpenByHours = ({ tradingHours }: QuotedPair, now: number): boolean =>
    sessions === '24x7' || isMarketOpen(tradingHours, now);
  const isShut = ({ pair, quote }: QuoteState, now: number): boolean =>
    !isOpenByHours(pair, now) || (quote !== null && isShutByProvider(quote, now));

  /** When a market that is closed at `now` opens, as far as known. */
  function openingAfter(pair: QuotedPair, { session }: Quote, now: number): number {
    if (session && now < session.from) return session.from;
    // Open by its hours, yet closed according to the provider, as on a holiday.
    if (isOpenByHours(pair, now)) return Number.POSITIVE_INFINITY;
    return nextOpening(pair.tradingHours, now) ?? Number.POSITIVE_INFINITY;
  }

  function isReady(symbol: QuoteState, now: number): boolean {
    if (symbol.isUnderWay) return false;
    if (symbol.tries > 0) return !isAhead(symbol.retryAt, now, retryMsMax);
    return symbol.fetching !== null || symbol.isDue;
  }

  function getUrgency(
    symbol: QuoteState,
    inUse: ReadonlySet<string>,
    shown: ReadonlySet<string>,
    now: number,
  ): number {
    if (symbol.fetching) return urgency.fetched;
    if (isShut(symbol, now)) {
      const isLongAgo = symbol.quote === null || Math.abs(now - symbol.requestedAt) >= shutPollAfterMs;
      return isLongAgo ? urgency.open : urgency.shut;
    }
    if (inUse.has(symbol.pair.symbol)) return urgency.inUse;
    return shown.has(symbol.pair.symbol) ? urgency.shown : urgency.open;
  }

  /** Of two equally needy ones. */
  function isBefore(left: QuoteState, right: QuoteState): boolean {
    if (left.fetching) return left.fetchNumber < right.fetchNumber;
    return left.requestedAt < right.requestedAt;
  }

  function next(which: 'pressing' | 'any'): Job | null {
    const now = timers.now();
    const inUse = interest.inUse();
    const shown = interest.shown();
    /** Per need the one that waits longest. */
    const mostUrgent: QuoteState[] = [];
    for (const symbol of symbols.values()) {
      if (!isReady(symbol, now)) continue;
      const level = getUrgency(symbol, inUse, shown, now);
      const known = mostUrgent[level];
      if (!known || isBefore(symbol, known)) mostUrgent[level] = symbol;
    }
    const fetched = mostUrgent[urgency.fetched];
    const polled = mostUrgent[urgency.inUse] ?? (which === 'any' ? mostUrgent[urgency.shown] : undefined);
    // Alternating: repeated fetches of one client must not starve the symbols that all clients display.
    const pressing = fetched && polled ? (wasFetched ? polled : fetched) : (fetched ?? polled);
    if (pressing) wasFetched = pressing === fetched;
    const chosen =
      pressing ?? (which === 'any' ? (mostUrgent[urgency.open] ?? mostUrgent[urgency.shut]) : undefined);
    return chosen ? jobOf(chosen, now) : null;
  }

  function jobOf(symbol: QuoteState, now: number): Job {
    symbol.isDue = false;
    symbol.isUnderWay = true;
    symbol.tries += 1;
    symbol.requestedAt = now;
    return {
      url: quoteUrl(url, symbol.ticker.ticker),
      answered(response) {
        const quote = acceptAnswer(symbol, response);
        symbol.isUnderWay = false;
        end(symbol, quote);
      },
      failed: (error) => fail(symbol, error),
    };
  }

  /** Parses an answer, caches and emits its price. @throws ChartError */
  function acceptAnswer(symbol: QuoteState, response: OutboundResponse): Quote {
    const now = timers.now();
    const quote = readQuote(readChart(response, symbol.ticker), symbol.pair, now);
    if (symbol.failures > 0) log.info({ symbol: quote.symbol }, 'a price is quoted again');
    symbol.quote = quote;
    symbol.failures = 0;
    symbol.notFound = 0;
    symbol.pausedUntil = freshUntil(response, now);
    if (isShut(symbol, now)) {
      const nextPollAt = Math.min(now + shutEveryMs, openingAfter(symbol.pair, quote, now));
      symbol.pausedUntil = Math.max(symbol.pausedUntil, nextPollAt);
    }
    onQuote(quote);
    return quote;
  }

  function fail(symbol: QuoteState, error: ChartError): void {
    symbol.isUnderWay = false;
    // The provider was given up meanwhile, and with it this cycle.
    if (symbol.tries === 0 && !symbol.fetching) return;
    const now = timers.now();
    symbol.notFound = error.failure === 'not-found' ? symbol.notFound + 1 : 0;
    if (symbol.tries > 0 && symbol.tries < triesMax[symbol.pair.type]) {
      const waitMs = retryAfterMs * symbol.tries;
      symbol.retryAt = now + waitMs;
      symbol.cancelRetry = timers.after(waitMs, requests.wake);
      return;
    }
    const isOwnFault = error.failure === 'not-found' || error.failure === 'faulty';
    if (isOwnFault) {
      if (symbol.failures === 0)
        log.warn(
          { symbol: symbol.pair.symbol, why: toLogLine(error) },
          'no price could be fetched; it is tried again',
        );
      symbol.failures += 1;
    }
    const pauseForMs = isOwnFault ? pauseMs * 2 ** Math.min(symbol.failures - 1, 10) : pauseMs;
    symbol.pausedUntil = now + Math.min(pauseForMs, pauseMsMax);
    if (onMissing && symbol.notFound >= notFoundMax && symbol.quote === null && !symbol.isMissing) {
      symbol.isMissing = true;
      onMissing(symbol.pair.symbol);
    }
    fallBack(symbol, error);
  }

  /** Ends a failed cycle with what is known: the last price of any age, else nothing (FEED-30, FEED-67). */
  function fallBack(symbol: QuoteState, error: ChartError): void {
    const { quote } = symbol;
    if (quote) onQuote(quote);
    end(symbol, quote ?? fetchFailedError(symbol.pair.symbol, error));
  }

  function end(symbol: QuoteState, outcome: Quote | PriceError): void {
    symbol.cancelRetry();
    symbol.tries = 0;
    const { fetching } = symbol;
    symbol.fetching = null;
    if (outcome instanceof PriceError) fetching?.reject(outcome);
    else fetching?.resolve(outcome);
  }

  requests.serve({
    next,
    isDue() {
      const now = timers.now();
      return [...symbols.values()].some((symbol) => isReady(symbol, now));
    },
    giveUp(error) {
      for (const symbol of symbols.values()) {
        if (symbol.tries === 0 && !symbol.fetching) continue;
        symbol.pausedUntil = timers.now() + pauseMs;
        fallBack(symbol, error);
      }
    },
  });

  return {
    beat(markets) {
      const now = timers.now();
      for (const symbol of symbols.values()) {
        if (symbol.isMissing || !markets.has(symbol.pair.type)) continue;
        if (symbol.tries === 0 && !isAhead(symbol.pausedUntil, now, pauseMsMax)) symbol.isDue = true;
      }
      requests.wake();
    },
    async quote(name) {
      const symbol = symbols.get(name);
      if (!symbol || symbol.isMissing) throw fetchFailedError(name, unquotedError(name));
      const { quote } = symbol;
      if (quote && Math.abs(timers.now() - quote.receivedAt) < freshMs) return quote;
      const refusal = requests.refusal();
      if (refusal && !quote) throw fetchFailedError(name, refusal);
      if (refusal && quote) return quote;
      if (!symbol.fetching) {
        symbol.fetching = Promise.withResolvers();
        symbol.fetchNumber = fetches++;
      }
      const { promise } = symbol.fetching;
      requests.wake();
      return promise;
    },
    async probe(name) {
      const symbol = symbols.get(name);
      if (!symbol) throw fetchFailedError(name, unquotedError(name));
      await requests.fetch(quoteUrl(url, symbol.ticker.ticker), (response) => acceptAnswer(symbol, response));
    },
    last: (name) => symbols.get(name)?.quote ?? undefined,
    ticker: (name) => symbols.get(name)?.ticker,
    isServed: (name) => symbols.get(name)?.isMissing === false,
    stop() {
      for (const symbol of symbols.values()) end(symbol, fetchFailedError(symbol.pair.symbol, null));
    },
  };
}

/** Whether an instant that is at most `byAtMost` ms away is still to come; further ahead it is of a clock that was set back. */
const isAhead = (instant: number, now: number, byAtMost: number): boolean =>
  now < instant && instant - now <= byAtMost;

/** Until when another request would only bring the same answer: HTTP's max-age less its age (RFC 9111, 4.2). */
function freshUntil({ headers }: OutboundResponse, now: number): number {
  const { 'cache-control': control = '', age = '' } = headers;
  const maxAge = /(?:^|[\s,])max-age=(\d{1,6})/i.exec(control)?.[1] ?? 0;
  const spent = /^\d{1,6}$/.exec(age)?.[0] ?? 0;
  return now + Math.min(Math.max((Number(maxAge) - Number(spent)) * 1000, freshMs), freshMsMax);
}
