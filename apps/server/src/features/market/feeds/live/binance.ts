/**
 * Crypto prices of the exchange: a websocket that tells every price once a second, and a watch that polls what the
 * websocket leaves out (FEED-14 to FEED-16). Each second the symbols without a word for more than 5 s are fetched
 * together in one request, one at a time; while the exchange does not answer, the requests become rarer.
 * Invariants: per symbol the exchange's time never runs back, whichever way a price came; nothing is emitted that is no
 * positive number; nothing is emitted after `stop`.
 * Known limitation: an answer that states no time of its own counts as one of the second in which it was sent.
 */
import { texts } from '@fulcrum/contract';
import type { Timers } from '../../../../platform/clock/index.ts';
import type { Log } from '../../../../platform/log/index.ts';
import type { Outbound } from '../../../../platform/outbound/index.ts';
import { pairsOfExchange } from '../../catalogue/exchange-info.ts';
import type { ListedPair } from '../../catalogue/index.ts';
import type { DayFigures, Feed, FeedTick, Interest } from '../../feed.ts';
import { readPrice } from '../../price.ts';
import { failedToFetch, noPriceOf, oneLine, PriceError } from '../../price-error.ts';
import type { TickerEvent } from '../../providers/binance/frames.ts';
import { RefusedByExchange } from '../../providers/binance/refusal.ts';
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

/** FEED-15. */
const watchEveryMs = 1_000;
/** FEED-16. */
const silentAfterMs = 5_000;
/** After a request that failed; doubled each time. */
const pollFirstMs = 5_000;
const pollMsMax = 30_000;
/** FEED-07: a price of that age is used as it is. */
const freshMs = 2_000;
/** A price that could not be fetched is not asked for again before this: whoever wants it has the budget of all. */
const failedMs = 2_000;
/** A start does not wait longer than this for the first prices. */
const startMs = 5_000;
/** Our clock and the exchange's may differ so far; what is stated to lie further ahead counts as this far. */
const aheadMsMax = 60_000;
/** An answer may be so much older by its own time than what was known when it was asked for. */
const answerLagMsMax = 10_000;
/** How long a price counts as a sign that the exchange is well. */
const aliveMs = 15_000;

export interface BinanceFeed extends Feed {
  /** One cheap request. @throws PriceError when the exchange does not answer, or refuses us */
  probe(): Promise<void>;
  /** The exchange's own pairs, the largest first. @throws PriceError */
  exchangePairs(): Promise<ListedPair[]>;
  fetch(symbol: string): Promise<void>;
}

export interface BinanceFeedOptions {
  /** REST; without a trailing slash. */
  readonly url: string;
  /** Websocket; without a trailing slash. */
  readonly streamUrl: string;
  readonly routes: Pick<Routes, 'get'>;
  readonly outbound: Pick<Outbound, 'connect'>;
  /** What is listed now, looked at every second; other markets than crypto are passed over. */
  readonly pairs: () => readonly Pick<ListedPair, 'symbol' | 'type'>[];
  readonly interest: Interest;
  readonly timers: Timers;
  readonly log: Log;
}

interface Market {
  readonly symbol: string;
  /** The exchange's time of the newest price, ms since the epoch. */
  marketTime: number;
  /** When the newest price came. */
  heardAt: number;
  /** When the watch asked for it last. */
  askedAt: number;
  /** The exchange does not list it: asking together with others would spoil their answer. */
  isUnlisted: boolean;
  /** What asking for it alone ended with last, and when; null: with a price. */
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
  const stream = createBinanceStream({
    url: streamUrl,
    outbound,
    budget,
    timers,
    warn,
    log,
    take: takeEvent,
  });
  const markets = new Map<string, Market>();
  /** Requests for prices that are under way, by symbol. */
  const flights = new Map<string, Promise<void>>();
  let listed: ReturnType<typeof pairs> | null = null;
  let watched: ReadonlySet<string> = new Set();
  let emit: ((tick: FeedTick) => void) | null = null;
  let cancelWatch: (() => void) | null = null;
  let isPolling = false;
  let failures = 0;
  let pollNotBefore = -Infinity;
  let failure: string | null = null;
  let heardAt: number | null = null;

  function followPairs(): void {
    const now = pairs();
    if (now === listed) return;
    listed = now;
    const symbols = new Set(
      now
        .filter(({ type, symbol }) => type === 'crypto' && symbol.endsWith('USDT'))
        .map((pair) => pair.symbol),
    );
    for (const symbol of markets.keys()) if (!symbols.has(symbol)) markets.delete(symbol);
    for (const symbol of symbols) if (!markets.has(symbol)) markets.set(symbol, unheard(symbol));
  }

  /** Each price passes here. False when it is none, or older than what is known. */
  function take(market: Market, price: unknown, marketTime: number, day: DayFigures | undefined): boolean {
    if (!emit || !isPrice(price) || marketTime < market.marketTime) return false;
    const now = timers.now();
    market.marketTime = marketTime;
    market.heardAt = now;
    market.isUnlisted = false;
    market.failed = null;
    heardAt = now;
    emit({ symbol: market.symbol, source: 'binance', price, marketTime, ...(day && { day }) });
    return true;
  }

  const notAhead = (instant: number): number => Math.min(instant, timers.now() + aheadMsMax);

  function takeEvent({ symbol, price, eventTime, day }: TickerEvent): void {
    const market = markets.get(symbol);
    if (!market) return;
    if (!isPrice(price)) {
      // FEED-37.
      warn('an unacceptable price of the exchange was dropped', { symbol, price: shown(price) });
      return;
    }
    // One without a time is as new as its arrival; one of a known instant has been heard, perhaps by the other connection.
    if (eventTime !== null && eventTime <= market.marketTime) return;
    take(market, price, Math.max(notAhead(eventTime ?? timers.now()), market.marketTime), day);
  }

  /**
   * The time of an answer. It is no older than what was known when it was asked for, even where its own time, of a second
   * or of another machine of the exchange, lies a little before; null when it is too far behind to be believed.
   */
  function timeOfAnswer(stated: number | null, knownWhenAsked: number): number | null {
    const instant = notAhead(stated ?? timers.now());
    if (instant < knownWhenAsked - answerLagMsMax) return null;
    return Math.max(instant, knownWhenAsked);
  }

  /** Runs `ask` as the flight of these symbols, which a `fetch` joins. */
  function fly(symbols: readonly string[], ask: () => Promise<void>): Promise<void> {
    const flight = ask().finally(() => {
      for (const symbol of symbols) if (flights.get(symbol) === flight) flights.delete(symbol);
    });
    for (const symbol of symbols) flights.set(symbol, flight);
    return flight;
  }

  async function watch(): Promise<void> {
    followPairs();
    stream.setSymbols(new Set(markets.keys()));
    stream.look();
    const before = watched;
    watched = interest.watched();
    const isNewlyWatched = (symbol: string) => !before.has(symbol) && markets.has(symbol);
    // Where polling is refused for good, the websocket is all there is.
    if ([...watched].some(isNewlyWatched) || budget.refusedUntil() === Infinity) stream.tryAgain();
    const now = timers.now();
    for (const market of markets.values()) forgetAhead(market, now);
    const isPaused = now < pollNotBefore && pollNotBefore - now <= pollMsMax;
    if (isPolling || isPaused || now < budget.refusedUntil()) return;
    const silent = [...markets.values()].filter(
      (market) => !market.isUnlisted && now - Math.max(market.heardAt, market.askedAt) > silentAfterMs,
    );
    if (silent.length === 0) return;
    const chosen = budget.affords(weightOfDays(silent.length), 'prices') ? silent : neediest(silent);
    isPolling = true;
    await fly(
      chosen.map(({ symbol }) => symbol),
      () => poll(chosen),
    );
    isPolling = false;
  }

  /** What a nearly used up budget still pays for: positions and orders first, then what somebody looks at. */
  function neediest(silent: readonly Market[]): readonly Market[] {
    const inUse = interest.inUse();
    const needOf = ({ symbol }: Market) => (inUse.has(symbol) ? 2 : Number(watched.has(symbol)));
    return [...silent].sort((left, right) => needOf(right) - needOf(left)).slice(0, cheapDaysMax);
  }

  /** One request for all of them. Never rejects: what failed is told and tried again. */
  async function poll(silent: readonly Market[]): Promise<void> {
    const now = timers.now();
    for (const market of silent) market.askedAt = now;
    try {
      await askTogether(silent);
    } catch (error) {
      failures += 1;
      pollNotBefore = timers.now() + Math.min(pollFirstMs * 2 ** (failures - 1), pollMsMax);
      failure = oneLine(error);
      if (emit) warn('fetching prices of the exchange failed', { why: failure, symbols: silent.length });
      return;
    }
    if (failures === 0) return;
    log.info({ failures }, 'the exchange answers again');
    failures = 0;
    failure = null;
    // What answers again may stream again.
    stream.tryAgain();
  }

  /** @throws PriceError */
  async function askTogether(silent: readonly Market[]): Promise<void> {
    const known = new Map(silent.map((market) => [market, market.marketTime]));
    let isUnlistedKnown = false;
    const tickers = await rest.day(silent.map(({ symbol }) => symbol)).catch((error: unknown) => {
      if (!(error instanceof RefusedByExchange) || error.code !== invalidSymbolCode) throw error;
      // It does not say which symbol spoils the request: whoever is missing among all of them.
      isUnlistedKnown = true;
      return rest.day('all');
    });
    const tickerOf = new Map(tickers.map((ticker) => [ticker.symbol, ticker]));
    for (const [market, knownWhenAsked] of known) {
      const { symbol } = market;
      const ticker = tickerOf.get(symbol);
      if (!ticker) {
        market.isUnlisted = isUnlistedKnown;
        warn('the exchange has no price of a symbol', { symbol, isUnlisted: isUnlistedKnown });
      } else if (!isPrice(ticker.price)) {
        warn('an unacceptable price of the exchange was dropped', { symbol, price: shown(ticker.price) });
      } else {
        const marketTime = timeOfAnswer(ticker.at, knownWhenAsked);
        if (marketTime === null) warn('an answer of the exchange is older than what is known', { symbol });
        else take(market, ticker.price, marketTime, ticker.day);
      }
    }
  }

  /** @throws PriceError */
  async function askOne(market: Market): Promise<void> {
    const { symbol, marketTime: knownWhenAsked } = market;
    const { price, at } = await rest.price(symbol);
    if (price === undefined || price === null) throw noPriceOf(symbol);
    if (!isPrice(price)) throw new PriceError(texts.invalidPrice(symbol, shown(price)));
    take(market, price, timeOfAnswer(at, knownWhenAsked) ?? knownWhenAsked, undefined);
  }

  return {
    sourceOf(symbol) {
      followPairs();
      return markets.has(symbol) ? 'binance' : null;
    },
    async start(emitTick) {
      emit = emitTick;
      const first = watch();
      cancelWatch = timers.every(watchEveryMs, () => void watch());
      let cancelWait = (): void => {};
      const waited = new Promise<void>((resolve) => {
        cancelWait = timers.after(startMs, resolve);
      });
      await Promise.race([first, waited]);
      cancelWait();
    },
    async stop() {
      emit = null;
      cancelWatch?.();
      rest.close();
      await stream.stop();
      await Promise.allSettled(flights.values());
    },
    candles: (symbol, timeframe, query) => rest.klines(symbol, timeframe, query),
    async fetch(symbol) {
      followPairs();
      const market = markets.get(symbol);
      if (!market) throw failedToFetch(symbol, noPriceOf(symbol));
      const isFresh = () => Math.abs(timers.now() - market.heardAt) < freshMs;
      if (isFresh()) return;
      const { failed } = market;
      if (failed && Math.abs(timers.now() - failed.at) < failedMs) throw failedToFetch(symbol, failed.cause);
      try {
        // A poll under way may bring it; where it does not, this symbol is asked for alone.
        await flights.get(symbol);
        if (isFresh()) return;
        await (flights.get(symbol) ?? fly([symbol], () => askOne(market)));
      } catch (cause) {
        market.failed = { cause, at: timers.now() };
        throw failedToFetch(symbol, cause);
      }
    },
    providers() {
      followPairs();
      const isAlive = heardAt !== null && Math.abs(timers.now() - heardAt) <= aliveMs;
      const fault = budget.fault() ?? failure ?? stream.fault();
      const silence = isAlive ? null : 'The exchange has not been heard.';
      return [{ source: 'binance', ok: isAlive, fault: fault ?? silence, heardAt, symbols: markets.size }];
    },
    probe: () => rest.ping(),
    async exchangePairs() {
      const { exchangeInfo, tickers } = await rest.exchange();
      return pairsOfExchange(exchangeInfo, tickers);
    },
  };
}

const unheard = (symbol: string): Market => ({
  symbol,
  marketTime: -Infinity,
  heardAt: -Infinity,
  askedAt: -Infinity,
  isUnlisted: false,
  failed: null,
});

/** After a clock that was set back, what was heard before it lies ahead and would silence the watch until then. */
function forgetAhead(market: Market, now: number): void {
  if (market.heardAt <= now && market.askedAt <= now) return;
  market.heardAt = -Infinity;
  market.askedAt = -Infinity;
  market.marketTime = Math.min(market.marketTime, now);
}

/** FEED-35, A36. */
const isPrice = (value: unknown): value is number | string =>
  (typeof value === 'number' || typeof value === 'string') && readPrice(value) !== null;

/** The raw value; of an object, which may be nested too deeply to be written, only that it is one. */
const shown = (value: unknown): string =>
  (typeof value === 'object' && value !== null ? 'an object' : String(value)).slice(0, 64);
