/**
 * Crypto prices of the exchange: a websocket that sends every price once a second, and a poller for the symbols that it
 * leaves out (FEED-14 to FEED-16). Each second one request fetches all symbols without a price for more than 5 s; only one
 * runs at a time, and less often while the exchange does not answer. Its books and trades come over a second one.
 * Invariants: per symbol the exchange's time never goes back, whichever way a price came; every emitted price is positive;
 * nothing is emitted after `stop`.
 * Known limitation: an answer without a time of its own is dated to the second in which it was sent.
 */
import { texts } from '@fulcrum/contract';
import { minuteMs } from '@fulcrum/domain';
import type { Outbound } from '../../../../platform/outbound/index.ts';
import type { Services } from '../../../../platform/services.ts';
import { pairsOfExchange } from '../../catalogue/exchange-info.ts';
import type { ListedPair } from '../../catalogue/index.ts';
import type { DayFigures, Feed, FeedTick, Interest } from '../../feed.ts';
import { clockLeadMsMax } from '../../normalize-tick.ts';
import { readPrice } from '../../price.ts';
import { fetchFailedError, noPriceError, PriceError, toLogLine } from '../../price-error.ts';
import type { MarketEvent, TickerEvent } from '../../providers/binance/frames.ts';
import { ExchangeRefusalError } from '../../providers/binance/refusal.ts';
import {
  cheapDaysMax,
  createBinanceRest,
  invalidSymbolCode,
  weightOfDays,
} from '../../providers/binance/rest.ts';
import { createBinanceStream } from '../../providers/binance/stream.ts';
import { createWarn } from '../../providers/binance/warnings.ts';
import { createWeightBudget } from '../../providers/binance/weight.ts';
import type { Routes } from '../../providers/routes.ts';
import { createOrderBooks, type OrderBooks } from './order-books.ts';

/** The feed looks for silent symbols this often (FEED-15). */
const checkEveryMs = 1_000;
/** The feed fetches a price again after this long without an update (FEED-16). */
const silentAfterMs = 5_000;
/** After a request that failed; doubled each time. */
const pollFirstMs = 5_000;
const pollMsMax = 30_000;
/** FEED-07: a price of that age is used as it is. */
const freshMs = 2_000;
/** A price that could not be fetched is not retried before this, because each retry uses the shared budget. */
const failedMs = 2_000;
/** A start does not wait longer than this for the first prices. */
const startMs = 5_000;
/** Where our clock is behind the exchange's for good, what is stated to lie further ahead than this counts as this far. */
const clockLeadClampMs = 60_000;
/** By how much an answer's own time may precede the price that was known when the request was sent. */
const answerLagMsMax = 10_000;
/** How long a price counts as a sign that the exchange is well. */
const aliveMs = 15_000;
/** How often a stream of books that was given up is tried again while the exchange is well. */
const orderBooksRetriedEveryMs = 5 * minuteMs;

export interface BinanceFeed extends Omit<Feed, 'book' | 'trades'>, Pick<OrderBooks, 'book' | 'trades'> {
  /** One cheap request. @throws PriceError when the exchange does not answer, or refuses us */
  probe(): Promise<void>;
  /** The exchange's own pairs, the largest first. @throws PriceError */
  exchangePairs(): Promise<ListedPair[]>;
  fetch(symbol: string): Promise<void>;
}

interface BinanceFeedOptions extends Pick<Services, 'timers' | 'log'> {
  /** REST; without a trailing slash. */
  readonly url: string;
  /** Websocket; without a trailing slash. */
  readonly streamUrl: string;
  readonly routes: Pick<Routes, 'get'>;
  readonly outbound: Pick<Outbound, 'connect'>;
  /** What is listed now, looked at every second; other markets than crypto are passed over. */
  readonly pairs: () => readonly Pick<ListedPair, 'symbol' | 'type'>[];
  readonly interest: Interest;
}

interface SymbolState {
  readonly symbol: string;
  /** The exchange's time of the newest price, ms since the epoch. */
  marketTime: number;
  /** That time lay too far ahead of our clock: a price with a right one is newer all the same. */
  isAhead: boolean;
  /** When the newest price came. */
  receivedAt: number;
  /** When the poller requested it last. */
  requestedAt: number;
  /** The exchange does not list it: in a batch request it would make the whole request fail. */
  isUnlisted: boolean;
  /** Result and time of the last single request; null: it had a price. */
  failed: { readonly cause: unknown; readonly at: number } | null;
}

export function createBinanceFeed({
  url,
  streamUrl,
  routes,
  outbound,
  pairs,
  interest,
  timers,
  log,
}: BinanceFeedOptions): BinanceFeed {
  const warn = createWarn(timers, log);
  const budget = createWeightBudget({ timers, log });
  const rest = createBinanceRest({ url, routes, budget, warn });
  const open = (path: string, fallback: string, take: (event: MarketEvent) => void) =>
    createBinanceStream({
      ...{ url: `${streamUrl}${path}`, fallback, take },
      ...{ outbound, budget, timers, warn, log },
    });
  const stream = open('/ws', 'prices are polled', (event) => {
    if (event.kind === 'ticker') takeEvent(event);
  });
  const orderBooks = createOrderBooks(timers);
  // A depth has its symbol in the wrapper of combined streams alone.
  const bookStream = open('/stream', 'books are modelled', orderBooks.take);
  const markets = new Map<string, SymbolState>();
  /** Requests for prices that are under way, by symbol. */
  const flights = new Map<string, Promise<void>>();
  let listed: ReturnType<typeof pairs> | null = null;
  let shown: ReadonlySet<string> = new Set();
  let emit: ((tick: FeedTick) => void) | null = null;
  let cancelCheck: (() => void) | null = null;
  let isPolling = false;
  let failures = 0;
  let pollNotBefore = -Infinity;
  let failure: string | null = null;
  let receivedAt: number | null = null;

  function syncPairs(): void {
    const now = pairs();
    if (now === listed) return;
    listed = now;
    const symbols = new Set(
      now
        .filter(({ type, symbol }) => type === 'crypto' && symbol.endsWith('USDT'))
        .map((pair) => pair.symbol),
    );
    for (const symbol of markets.keys()) if (!symbols.has(symbol)) markets.delete(symbol);
    for (const symbol of symbols) if (!markets.has(symbol)) markets.set(symbol, createSymbolState(symbol));
  }

  /** Each price passes here. False when it is none, or older than what is known. */
  function take(
    market: SymbolState,
    price: unknown,
    marketTime: number,
    day: DayFigures | undefined,
  ): boolean {
    if (!emit || !isPrice(price) || marketTime < knownTime(market, marketTime)) return false;
    const now = timers.now();
    market.marketTime = marketTime;
    market.isAhead = isFarAhead(marketTime);
    market.receivedAt = now;
    market.isUnlisted = false;
    market.failed = null;
    receivedAt = now;
    emit({ symbol: market.symbol, source: 'binance', price, marketTime, ...(day && { day }) });
    return true;
  }

  const isFarAhead = (instant: number): boolean => instant > timers.now() + clockLeadMsMax;
  /** The time below which an older price is ignored. */
  const knownTime = ({ marketTime, isAhead }: Known, instant: number): number =>
    isAhead && !isFarAhead(instant) ? -Infinity : marketTime;
  const clampToPresent = (instant: number): number => Math.min(instant, timers.now() + clockLeadClampMs);

  function takeEvent({ symbol, price, eventTime, day }: TickerEvent): void {
    const market = markets.get(symbol);
    if (!market) return;
    if (!isPrice(price)) {
      // The stream carries an unacceptable price: the feed drops it with a warning (FEED-37).
      warn('an unacceptable price of the exchange was dropped', { symbol, price: formatRaw(price) });
      return;
    }
    // An undated price is as new as its arrival; one of a known instant may have come over the other connection.
    const stated = eventTime ?? timers.now();
    const known = knownTime(market, stated);
    if (eventTime !== null && eventTime <= known) return;
    take(market, price, Math.max(clampToPresent(stated), known), day);
  }

  /**
   * The time of an answer. It is never before the price that was known at the request, even if its own time, of a second or
   * of another machine of the exchange, is a little earlier; null when it is too far behind to be plausible.
   */
  function timeOfAnswer(stated: number | null, knownBefore: Known): number | null {
    const instant = clampToPresent(stated ?? timers.now());
    const known = knownTime(knownBefore, instant);
    if (instant < known - answerLagMsMax) return null;
    return Math.max(instant, known);
  }

  /** Runs `ask` as the request of these symbols, which a `fetch` joins. */
  function startFlight(symbols: readonly string[], ask: () => Promise<void>): Promise<void> {
    const flight = ask().finally(() => {
      for (const symbol of symbols) if (flights.get(symbol) === flight) flights.delete(symbol);
    });
    for (const symbol of symbols) flights.set(symbol, flight);
    return flight;
  }

  const isAlive = (): boolean => receivedAt !== null && Math.abs(timers.now() - receivedAt) <= aliveMs;

  async function checkSymbols(): Promise<void> {
    syncPairs();
    stream.setStreams(new Set([...markets.keys()].map(streamOf)));
    stream.checkConnections();
    bookStream.setStreams(orderBooks.select(markets.keys(), interest.booked()));
    bookStream.checkConnections();
    // While prices come, nothing but the stream itself shows that books would flow again.
    if (isAlive()) bookStream.tryAgain(orderBooksRetriedEveryMs);
    const before = shown;
    shown = interest.shown();
    const isNewlyShown = (symbol: string) => !before.has(symbol) && markets.has(symbol);
    // Where polling is refused for good, the websocket is all there is.
    if ([...shown].some(isNewlyShown) || budget.refusedUntil() === Infinity) stream.tryAgain();
    const now = timers.now();
    for (const market of markets.values()) resetFutureTimes(market, now);
    const isPaused = now < pollNotBefore && pollNotBefore - now <= pollMsMax;
    if (isPolling || isPaused || now < budget.refusedUntil()) return;
    const silent = [...markets.values()].filter(
      (market) => !market.isUnlisted && now - Math.max(market.receivedAt, market.requestedAt) > silentAfterMs,
    );
    if (silent.length === 0) return;
    const chosen = budget.affords(weightOfDays(silent.length), 'prices') ? silent : neediest(silent);
    isPolling = true;
    await startFlight(
      chosen.map(({ symbol }) => symbol),
      () => poll(chosen),
    );
    isPolling = false;
  }

  /** What a nearly exhausted budget still pays for: positions and orders first, then displayed symbols. */
  function neediest(silent: readonly SymbolState[]): readonly SymbolState[] {
    const inUse = interest.inUse();
    const needOf = ({ symbol }: SymbolState) => (inUse.has(symbol) ? 2 : Number(shown.has(symbol)));
    return [...silent].sort((left, right) => needOf(right) - needOf(left)).slice(0, cheapDaysMax);
  }

  /** One request for all of them. Never rejects: a failure is logged and retried. */
  async function poll(silent: readonly SymbolState[]): Promise<void> {
    const now = timers.now();
    for (const market of silent) market.requestedAt = now;
    try {
      await fetchBatch(silent);
    } catch (error) {
      failures += 1;
      pollNotBefore = timers.now() + Math.min(pollFirstMs * 2 ** (failures - 1), pollMsMax);
      failure = toLogLine(error);
      if (emit) warn('fetching prices of the exchange failed', { why: failure, symbols: silent.length });
      return;
    }
    if (failures === 0) return;
    log.info({ failures }, 'the exchange answers again');
    failures = 0;
    failure = null;
    // What answers again may stream again.
    stream.tryAgain();
    bookStream.tryAgain();
  }

  /** @throws PriceError */
  async function fetchBatch(silent: readonly SymbolState[]): Promise<void> {
    const known = new Map(silent.map((market) => [market, toKnown(market)]));
    let isUnlistedKnown = false;
    const tickers = await rest.day(silent.map(({ symbol }) => symbol)).catch((error: unknown) => {
      if (!(error instanceof ExchangeRefusalError) || error.code !== invalidSymbolCode) throw error;
      // The exchange does not name the symbol that fails the request: the poller checks those missing among all of them.
      isUnlistedKnown = true;
      return rest.day('all');
    });
    const tickerOf = new Map(tickers.map((ticker) => [ticker.symbol, ticker]));
    for (const [market, knownBefore] of known) {
      const { symbol } = market;
      const ticker = tickerOf.get(symbol);
      if (!ticker) {
        market.isUnlisted = isUnlistedKnown;
        warn('the exchange has no price of a symbol', { symbol, isUnlisted: isUnlistedKnown });
      } else if (!isPrice(ticker.price)) {
        warn('an unacceptable price of the exchange was dropped', { symbol, price: formatRaw(ticker.price) });
      } else {
        const marketTime = timeOfAnswer(ticker.at, knownBefore);
        if (marketTime === null) warn('an answer of the exchange is older than what is known', { symbol });
        else take(market, ticker.price, marketTime, ticker.day);
      }
    }
  }

  /** @throws PriceError */
  async function fetchOne(market: SymbolState): Promise<void> {
    const { symbol } = market;
    const knownBefore = toKnown(market);
    const { price, at } = await rest.price(symbol);
    if (price === undefined || price === null) throw noPriceError(symbol);
    if (!isPrice(price)) throw new PriceError(texts.invalidPrice(symbol, formatRaw(price)));
    take(market, price, timeOfAnswer(at, knownBefore) ?? knownBefore.marketTime, undefined);
  }

  return {
    sourceOf(symbol) {
      syncPairs();
      return markets.has(symbol) ? 'binance' : null;
    },
    async start(emitTick) {
      emit = emitTick;
      const first = checkSymbols();
      cancelCheck = timers.every(checkEveryMs, () => void checkSymbols());
      let cancelWait = (): void => {};
      const timeout = new Promise<void>((resolve) => {
        cancelWait = timers.after(startMs, resolve);
      });
      await Promise.race([first, timeout]);
      cancelWait();
    },
    async stop() {
      emit = null;
      cancelCheck?.();
      rest.close();
      await Promise.all([stream.stop(), bookStream.stop()]);
      await Promise.allSettled(flights.values());
    },
    candles: (symbol, timeframe, query) => rest.klines(symbol, timeframe, query),
    async fetch(symbol) {
      syncPairs();
      const market = markets.get(symbol);
      if (!market) throw fetchFailedError(symbol, noPriceError(symbol));
      const isFresh = () => Math.abs(timers.now() - market.receivedAt) < freshMs;
      if (isFresh()) return;
      const { failed } = market;
      if (failed && Math.abs(timers.now() - failed.at) < failedMs)
        throw fetchFailedError(symbol, failed.cause);
      try {
        // A running poll may bring it; otherwise this symbol is fetched alone.
        await flights.get(symbol);
        if (isFresh()) return;
        await (flights.get(symbol) ?? startFlight([symbol], () => fetchOne(market)));
      } catch (cause) {
        market.failed = { cause, at: timers.now() };
        throw fetchFailedError(symbol, cause);
      }
    },
    providers() {
      syncPairs();
      const isWell = isAlive();
      const fault = budget.fault() ?? failure ?? stream.fault() ?? bookStream.fault();
      const silence = isWell ? null : 'The exchange sends no data.';
      return [{ source: 'binance', ok: isWell, fault: fault ?? silence, receivedAt, symbols: markets.size }];
    },
    book: orderBooks.book,
    trades: orderBooks.trades,
    probe: () => rest.ping(),
    async exchangePairs() {
      const { exchangeInfo, tickers } = await rest.exchange();
      return pairsOfExchange(exchangeInfo, tickers);
    },
  };
}

/** The stream of a symbol's prices (FEED-11, FEED-12). */
const streamOf = (symbol: string): string => `${symbol.toLowerCase()}@ticker`;

/** What is known of the time of a market's newest price. */
type Known = Pick<SymbolState, 'marketTime' | 'isAhead'>;
const toKnown = ({ marketTime, isAhead }: SymbolState): Known => ({ marketTime, isAhead });

const createSymbolState = (symbol: string): SymbolState => ({
  symbol,
  marketTime: -Infinity,
  isAhead: false,
  receivedAt: -Infinity,
  requestedAt: -Infinity,
  isUnlisted: false,
  failed: null,
});

/** After the clock was set back, earlier receive times lie in the future and would suspend the poller until then. */
function resetFutureTimes(market: SymbolState, now: number): void {
  if (market.receivedAt <= now && market.requestedAt <= now) return;
  market.receivedAt = -Infinity;
  market.requestedAt = -Infinity;
  market.marketTime = Math.min(market.marketTime, now);
}

/** A number above zero, or a string that is one as a whole (FEED-35, A36). */
const isPrice = (value: unknown): value is number | string =>
  (typeof value === 'number' || typeof value === 'string') && readPrice(value) !== null;

/** The raw value; of an object, which may be nested too deeply to be written, only that it is one. */
const formatRaw = (value: unknown): string =>
  (typeof value === 'object' && value !== null ? 'an object' : String(value)).slice(0, 64);
