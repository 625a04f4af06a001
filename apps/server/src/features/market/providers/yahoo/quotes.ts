/**
 * The price service for polled markets: which symbol is asked for next, what is kept, what is tried again.
 * Each beat (FEED-27, FEED-31, FEED-32) looks at every symbol; one is asked for when its last answer is no longer fresh
 * (2 s, FEED-07, or as long as the provider's `max-age` says, because until then it only repeats itself) and the budget
 * has come to it: symbols that a fetch waits for in turns with symbols in use and, after those, watched ones; then open
 * markets and what has no price yet, then shut ones, which are looked at once a minute, or once in ten if others need the budget; among equals
 * the one that waits longest.
 * Invariants: one request per symbol at a time; a failed cycle of tries leaves the last price as it was, with its age.
 *
 * Known limitation: when more symbols are in use than the budget can serve, the rest gets nothing but what is fetched.
 */
import { isMarketOpen, type MarketType, minuteMs, nextOpening } from '@fulcrum/domain';
import type { Timers } from '../../../../platform/clock/index.ts';
import type { Config } from '../../../../platform/config/index.ts';
import type { Log } from '../../../../platform/log/index.ts';
import type { OutboundResponse } from '../../../../platform/outbound/index.ts';
import { tickerOf } from '../../catalogue/index.ts';
import type { Interest } from '../../feed.ts';
import { failedToFetch, noPriceOf, oneLine, PriceError } from '../../price-error.ts';
import { quoteUrl, readChart } from './chart.ts';
import type { ChartError } from './chart-error.ts';
import { type Quote, readQuote, saysShut } from './quote.ts';
import type { Job, Requests } from './requests.ts';
import { type QuotedPair, type Wanted, wantedOf } from './tickers.ts';

export interface Quotes {
  /** The next poll of each of these markets: what is no longer fresh becomes due. */
  beat(markets: ReadonlySet<MarketType>): void;
  /**
   * The symbol's price, asked for before all others unless it is fresh; calls that arrive together share one cycle of
   * tries. When that fails, the last price of any age (FEED-30).
   * @throws PriceError FEED-67, when there is none
   */
  quote(symbol: string): Promise<Quote>;
  /** The last price, of any age. */
  last(symbol: string): Quote | undefined;
  /** One try, which counts as no poll; its price is kept. @throws PriceError */
  probe(symbol: string): Promise<void>;
  /** What can be known of a ticker's answer; undefined for a symbol without a ticker. */
  wanted(symbol: string): Wanted | undefined;
  /** False once the provider said that it does not know the symbol, and never had a price of it. */
  isServed(symbol: string): boolean;
  stop(): void;
}

export interface QuotesOptions {
  /** Of the provider, without a trailing slash. */
  readonly url: string;
  /** Served by the quotes from now on. */
  readonly requests: Requests;
  readonly pairs: readonly QuotedPair[];
  readonly interest: Interest;
  /** Whether the hours of the catalogue say that a market is shut; the provider's own word always does. */
  readonly sessions: Config['sessions'];
  readonly timers: Timers;
  readonly log: Log;
  /** A new price, or after a failed cycle the last one once more. */
  readonly onQuote: (quote: Quote) => void;
  /** Told once of a symbol that the provider does not know and never had a price of, which is then left alone; null: never. */
  readonly onMissing: ((symbol: string) => void) | null;
}

/** FEED-07. */
const freshMs = 2_000;
/** However long an answer calls itself fresh. */
const freshMsMax = minuteMs;
const shutEveryMs = minuteMs;
/** So that open markets cannot keep a shut one from its closing price. */
const shutInTurnAfterMs = 10 * minuteMs;
/** FEED-29, FEED-33, A30: one try and up to three more, after 1, 2 and 3 s; commodities have no stated retry. */
const triesMax = { stock: 4, forex: 4, index: 4, commodity: 1, crypto: 1 } as const satisfies Record<
  MarketType,
  number
>;
const retryAfterMs = 1_000;
const retryMsMax = 3 * retryAfterMs;
/** FEED-28: after a failed cycle the kept price serves this long, twice as long after each further one. */
const restMs = 10_000;
const restMsMax = 5 * minuteMs;
/** Futures are unknown to the provider now and then; only this often in a row it means what it says. */
const notFoundMax = 3;

interface Quoted {
  readonly pair: QuotedPair;
  readonly wanted: Wanted;
  quote: Quote | null;
  /** No beat asks for it before this. */
  restsUntil: number;
  /** A beat found it no longer fresh. */
  isDue: boolean;
  isUnderWay: boolean;
  /** Of the running cycle; 0: none is running. */
  tries: number;
  retryAt: number;
  cancelRetry: () => void;
  /** Cycles in a row that failed by the symbol's own fault. */
  failures: number;
  notFound: number;
  isMissing: boolean;
  /** When it was asked for last. */
  askedAt: number;
  /** Number of the first fetch that waits, in the order they came. */
  fetchNumber: number;
  /** What everybody who fetches it waits for; null when nobody does. */
  fetching: PromiseWithResolvers<Quote> | null;
}

/** The lower the needier. */
const need = { fetched: 0, inUse: 1, watched: 2, open: 3, shut: 4 } as const;

export function createQuotes(options: QuotesOptions): Quotes {
  const { url, requests, interest, sessions, timers, log, onQuote, onMissing } = options;
  const symbols = new Map<string, Quoted>();
  for (const pair of options.pairs) {
    if (pair.yahoo === null) continue;
    symbols.set(pair.symbol, {
      pair,
      wanted: wantedOf(pair, pair.yahoo),
      quote: null,
      restsUntil: 0,
      isDue: false,
      isUnderWay: false,
      tries: 0,
      retryAt: 0,
      cancelRetry: () => {},
      failures: 0,
      notFound: 0,
      isMissing: false,
      askedAt: 0,
      fetchNumber: 0,
      fetching: null,
    });
  }
  let fetches = 0;
  let wasFetched = false;

  const isOpenByHours = ({ tradingHours }: QuotedPair, now: number): boolean =>
    sessions === '24x7' || isMarketOpen(tradingHours, now);
  const isShut = ({ pair, quote }: Quoted, now: number): boolean =>
    !isOpenByHours(pair, now) || (quote !== null && saysShut(quote, now));

  /** When a market that is shut at `now` opens, as far as anybody knows. */
  function openingAfter(pair: QuotedPair, { session }: Quote, now: number): number {
    if (session && now < session.from) return session.from;
    // Open by its hours, and yet the provider says shut, as on a holiday.
    if (isOpenByHours(pair, now)) return Number.POSITIVE_INFINITY;
    return nextOpening(pair.tradingHours, now) ?? Number.POSITIVE_INFINITY;
  }

  function isReady(symbol: Quoted, now: number): boolean {
    if (symbol.isUnderWay) return false;
    if (symbol.tries > 0) return !isAhead(symbol.retryAt, now, retryMsMax);
    return symbol.fetching !== null || symbol.isDue;
  }

  function needOf(
    symbol: Quoted,
    inUse: ReadonlySet<string>,
    watched: ReadonlySet<string>,
    now: number,
  ): number {
    if (symbol.fetching) return need.fetched;
    if (isShut(symbol, now)) {
      const isLongAgo = symbol.quote === null || Math.abs(now - symbol.askedAt) >= shutInTurnAfterMs;
      return isLongAgo ? need.open : need.shut;
    }
    if (inUse.has(symbol.pair.symbol)) return need.inUse;
    return watched.has(symbol.pair.symbol) ? need.watched : need.open;
  }

  /** Of two equally needy ones. */
  function isBefore(left: Quoted, right: Quoted): boolean {
    if (left.fetching) return left.fetchNumber < right.fetchNumber;
    return left.askedAt < right.askedAt;
  }

  function next(which: 'pressing' | 'any'): Job | null {
    const now = timers.now();
    const inUse = interest.inUse();
    const watched = interest.watched();
    /** Per need the one that waits longest. */
    const neediest: Quoted[] = [];
    for (const symbol of symbols.values()) {
      if (!isReady(symbol, now)) continue;
      const level = needOf(symbol, inUse, watched, now);
      const known = neediest[level];
      if (!known || isBefore(symbol, known)) neediest[level] = symbol;
    }
    const fetched = neediest[need.fetched];
    const wanted = neediest[need.inUse] ?? (which === 'any' ? neediest[need.watched] : undefined);
    // In turns: whoever keeps fetching what nobody else wants must not starve what everybody looks at.
    const pressing = fetched && wanted ? (wasFetched ? wanted : fetched) : (fetched ?? wanted);
    if (pressing) wasFetched = pressing === fetched;
    const chosen = pressing ?? (which === 'any' ? (neediest[need.open] ?? neediest[need.shut]) : undefined);
    return chosen ? jobOf(chosen, now) : null;
  }

  function jobOf(symbol: Quoted, now: number): Job {
    symbol.isDue = false;
    symbol.isUnderWay = true;
    symbol.tries += 1;
    symbol.askedAt = now;
    return {
      url: quoteUrl(url, symbol.wanted.ticker),
      answered(response) {
        const quote = heard(symbol, response);
        symbol.isUnderWay = false;
        end(symbol, quote);
      },
      failed: (error) => fail(symbol, error),
    };
  }

  /** Reads an answer, keeps and tells its price. @throws ChartError */
  function heard(symbol: Quoted, response: OutboundResponse): Quote {
    const now = timers.now();
    const quote = readQuote(readChart(response, symbol.wanted), symbol.pair, now);
    if (symbol.failures > 0) log.info({ symbol: quote.symbol }, 'a price is quoted again');
    symbol.quote = quote;
    symbol.failures = 0;
    symbol.notFound = 0;
    symbol.restsUntil = freshUntil(response, now);
    if (isShut(symbol, now)) {
      const looksAgainAt = Math.min(now + shutEveryMs, openingAfter(symbol.pair, quote, now));
      symbol.restsUntil = Math.max(symbol.restsUntil, looksAgainAt);
    }
    onQuote(quote);
    return quote;
  }

  function fail(symbol: Quoted, error: ChartError): void {
    symbol.isUnderWay = false;
    // The whole provider was given up meanwhile, and with it this cycle.
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
          { symbol: symbol.pair.symbol, why: oneLine(error) },
          'no price could be fetched; it is tried again',
        );
      symbol.failures += 1;
    }
    const restsMs = isOwnFault ? restMs * 2 ** Math.min(symbol.failures - 1, 10) : restMs;
    symbol.restsUntil = now + Math.min(restsMs, restMsMax);
    if (onMissing && symbol.notFound >= notFoundMax && symbol.quote === null && !symbol.isMissing) {
      symbol.isMissing = true;
      onMissing(symbol.pair.symbol);
    }
    fallBack(symbol, error);
  }

  /** Ends a cycle that failed with what is known: the last price of any age, else nothing (FEED-30, FEED-67). */
  function fallBack(symbol: Quoted, error: ChartError): void {
    const { quote } = symbol;
    if (quote) onQuote(quote);
    end(symbol, quote ?? failedToFetch(symbol.pair.symbol, error));
  }

  function end(symbol: Quoted, outcome: Quote | PriceError): void {
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
        symbol.restsUntil = timers.now() + restMs;
        fallBack(symbol, error);
      }
    },
  });

  return {
    beat(markets) {
      const now = timers.now();
      for (const symbol of symbols.values()) {
        if (symbol.isMissing || !markets.has(symbol.pair.type)) continue;
        if (symbol.tries === 0 && !isAhead(symbol.restsUntil, now, restMsMax)) symbol.isDue = true;
      }
      requests.wake();
    },
    async quote(name) {
      const symbol = symbols.get(name);
      if (!symbol || symbol.isMissing) throw failedToFetch(name, whyUnquoted(name));
      const { quote } = symbol;
      if (quote && Math.abs(timers.now() - quote.receivedAt) < freshMs) return quote;
      const refusal = requests.refusal();
      if (refusal && !quote) throw failedToFetch(name, refusal);
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
      if (!symbol) throw failedToFetch(name, whyUnquoted(name));
      await requests.ask(quoteUrl(url, symbol.wanted.ticker), (response) => heard(symbol, response));
    },
    last: (name) => symbols.get(name)?.quote ?? undefined,
    wanted: (name) => symbols.get(name)?.wanted,
    isServed: (name) => symbols.get(name)?.isMissing === false,
    stop() {
      for (const symbol of symbols.values()) end(symbol, failedToFetch(symbol.pair.symbol, null));
    },
  };
}

/** Whether an instant that is at most `byAtMost` ms away is still to come; further ahead it is of a clock that was set back. */
const isAhead = (instant: number, now: number, byAtMost: number): boolean =>
  now < instant && instant - now <= byAtMost;

/** Why a symbol that is not served has no price. */
function whyUnquoted(symbol: string): PriceError {
  try {
    tickerOf(symbol);
    return noPriceOf(symbol);
  } catch (error) {
    if (error instanceof PriceError) return error;
    throw error;
  }
}

/** Until when asking again would only bring the same answer: HTTP's max-age less its age (RFC 9111, 4.2). */
function freshUntil({ headers }: OutboundResponse, now: number): number {
  const { 'cache-control': control = '', age = '' } = headers;
  const maxAge = /(?:^|[\s,])max-age=(\d{1,6})/i.exec(control)?.[1] ?? 0;
  const spent = /^\d{1,6}$/.exec(age)?.[0] ?? 0;
  return now + Math.min(Math.max((Number(maxAge) - Number(spent)) * 1000, freshMs), freshMsMax);
}
