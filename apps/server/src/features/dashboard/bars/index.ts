/**
 * Bars of the markets that the indices use: listed crypto pairs in USDT (A40), which trade at every hour. Each hour or day is
 * requested once and cached in memory. A read after its end requests the new bar, with the last two before it, which the
 * provider may have settled since. Invariants: due bars are requested once, a few markets at a time, and not again before
 * `retryMs` after a failure; a provider that fails for every market is paused; a read waits for `waitMs` at most and then
 * returns what is known. Names of bars are ms since the epoch in the market's own time. In a replay that is recorded time, and
 * each market counts back from its own present.
 *
 * Known limitation: the extremes of the running hour are those of its bar at its last request and of the prices at each read
 * since.
 */
import {
  barStart,
  type DayBar,
  dayMs,
  hourMs,
  isRankedMarket,
  type TradingPair,
  toNumber,
} from '@fulcrum/domain';
import type { Services } from '../../../platform/services.ts';
import type { Market, MarketPrice } from '../../market/index.ts';

/** The largest ones; fifty are listed today. */
const marketsMax = 64;
/** A week and a day back, and a few more where some are missing. */
const hoursMax = 200;
/** Thirty days before a week ago. */
const daysMax = 38;
/** Bars requested again with each new one. */
const refetchedBars = 2;
/** Requests at a time: others wait for their charts meanwhile. */
const concurrencyMax = 4;
/** Fifty simulated markets are read in one to three seconds; a shorter wait would report the indices as unknown. */
const waitMs = 4_000;
const retryMs = 120_000;
/** So many failures and not one answer: the provider is at fault, not the market. */
const failuresMax = 4;
const pauseMs = 60_000;

export interface BarsDependencies extends Pick<Services, 'timers' | 'log'> {
  readonly market: Pick<Market, 'pairs' | 'isListed' | 'price' | 'candles'>;
}

export interface KnownMarket {
  readonly symbol: string;
  /** The running hour. */
  readonly hour: number;
  /** Null while the price is stale (A37). */
  readonly price: number | null;
  /** Extremes of the running hour; null with the price. */
  readonly high: number | null;
  readonly low: number | null;
  /** Hours and days that are over, by name. */
  readonly hours: ReadonlyMap<number, DayBar>;
  readonly days: ReadonlyMap<number, DayBar>;
}

export interface KnownMarkets {
  readonly markets: readonly KnownMarket[];
  /** The present of the market, ms since the epoch. */
  readonly now: number;
  /** Differs from an earlier one when a bar came in or an hour ended. */
  readonly version: string;
  /** No request is running: there will be no more bars within the hour. */
  readonly isSettled: boolean;
}

export interface MarketBars {
  read(): Promise<KnownMarkets>;
}

type Timeframe = '1h' | '1d';

/** Bars of one market and timeframe that are over. */
interface Series {
  readonly timeframe: Timeframe;
  readonly bars: Map<number, DayBar>;
  /** The running bar at its last request; null: never requested. */
  upTo: number | null;
  retryAt: number;
}

interface TrackedMarket {
  readonly symbol: string;
  readonly hours: Series;
  readonly days: Series;
  running: { name: number; high: number; low: number } | null;
}

interface MarketPresent {
  readonly pair: TradingPair;
  readonly price: MarketPrice;
  readonly now: number;
}

export function createMarketBars({ market, timers, log }: BarsDependencies): MarketBars {
  const tracked = new Map<string, TrackedMarket>();
  let fetching: { readonly since: number; readonly done: Promise<void> } | null = null;
  let pausedUntil = -Infinity;
  let answers = 0;

  function universe(): MarketPresent[] {
    return market
      .pairs()
      .filter((pair) => isRankedMarket(pair) && market.isListed(pair.symbol))
      .flatMap((pair) => {
        const price = market.price(pair.symbol);
        return price ? { pair, price, now: getPresent(price, timers.now()) } : [];
      })
      .sort((left, right) => left.pair.sortOrder - right.pair.sortOrder)
      .slice(0, marketsMax);
  }

  function track(symbol: string): TrackedMarket {
    const known = tracked.get(symbol);
    if (known) return known;
    const created: TrackedMarket = { symbol, hours: seriesOf('1h'), days: seriesOf('1d'), running: null };
    tracked.set(symbol, created);
    return created;
  }

  function isDue(series: Series, { now, pair }: MarketPresent): boolean {
    const running = barStart(series.timeframe, now, pair.tradingHours);
    return series.upTo !== running && timers.now() >= series.retryAt;
  }

  /** @throws whatever `candles` does */
  async function fetchSeries(
    one: TrackedMarket,
    series: Series,
    { pair, now }: MarketPresent,
  ): Promise<void> {
    const { timeframe, bars, upTo } = series;
    const lengthMs = timeframe === '1h' ? hourMs : dayMs;
    const barsMax = timeframe === '1h' ? hoursMax : daysMax;
    const running = barStart(timeframe, now, pair.tradingHours);
    // A recording that starts over goes back in time.
    const isOnward = upTo !== null && upTo < running;
    const missing = isOnward ? (running - upTo) / lengthMs + refetchedBars : barsMax;
    series.retryAt = timers.now() + retryMs;
    const limit = Math.min(missing, barsMax) + 1;
    const candles = await market.candles(pair.symbol, timeframe, { limit, before: null }, 'stored');
    if (!isOnward) bars.clear();
    for (const { open_time, close, high, low } of candles) {
      const name = Date.parse(open_time);
      if (name < running) bars.set(name, { close, high, low });
      else if (timeframe === '1h' && name === running) one.running = { name, high, low };
    }
    for (const name of bars.keys()) if (name < running - barsMax * lengthMs) bars.delete(name);
    answers += 1;
    // A provider that lags is retried.
    if (!bars.has(running - lengthMs)) return;
    series.upTo = running;
    series.retryAt = -Infinity;
  }

  /** The hours of all markets first: a chart of hours is shown before an index of days. */
  function findDue(presents: readonly MarketPresent[]) {
    if (timers.now() < pausedUntil) return [];
    return (['hours', 'days'] as const).flatMap((which) =>
      presents.flatMap((present) => {
        const one = track(present.pair.symbol);
        return isDue(one[which], present) ? { one, series: one[which], present } : [];
      }),
    );
  }

  async function fetchAll(due: ReturnType<typeof findDue>): Promise<void> {
    const waiting = [...due];
    let failures = 0;
    let isAnswered = false;
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        try {
          await fetchSeries(next.one, next.series, next.present);
          isAnswered = true;
        } catch (error) {
          failures += 1;
          log.debug({ err: error, symbol: next.one.symbol }, 'bars for the indices could not be had');
          if (isAnswered || failures < failuresMax) continue;
          waiting.length = 0;
          pausedUntil = timers.now() + pauseMs;
        }
      }
    };
    await Promise.all(Array.from({ length: concurrencyMax }, work));
    if (failures > 0)
      log.warn({ failures, of: due.length }, 'bars for the indices are missing; asking again later');
  }

  /** Resolves when what is due has come, or after a while. */
  async function fetchDue(): Promise<void> {
    if (fetching === null) {
      const due = findDue(universe());
      if (due.length === 0) return;
      const done = fetchAll(due).finally(() => {
        fetching = null;
      });
      fetching = { since: timers.now(), done };
    }
    const { since, done } = fetching;
    await waitFor(done, since + waitMs - timers.now());
  }

  async function waitFor(done: Promise<void>, ms: number): Promise<void> {
    if (ms <= 0) return;
    let cancel = (): void => {};
    const limit = new Promise<void>((resolve) => {
      cancel = timers.after(ms, resolve);
    });
    await Promise.race([done, limit]).finally(cancel);
  }

  function toKnownMarket({ pair, price, now }: MarketPresent): KnownMarket {
    const one = track(pair.symbol);
    const hour = barStart('1h', now, pair.tradingHours);
    const last = price.state === 'stale' ? null : toNumber(price.price);
    if (one.running?.name !== hour) one.running = null;
    if (last !== null) {
      const { high, low } = one.running ?? { high: last, low: last };
      one.running = { name: hour, high: Math.max(high, last), low: Math.min(low, last) };
    }
    const { high = null, low = null } = (last !== null && one.running) || {};
    return { symbol: pair.symbol, hour, price: last, high, low, hours: one.hours.bars, days: one.days.bars };
  }

  return {
    async read() {
      await fetchDue();
      const presents = universe();
      const listed = new Set(presents.map(({ pair }) => pair.symbol));
      for (const symbol of tracked.keys()) if (!listed.has(symbol)) tracked.delete(symbol);
      const markets = presents.map(toKnownMarket);
      const now = presents.reduce((latest, one) => Math.max(latest, one.now), -Infinity);
      const version = `${answers} ${markets.map(({ symbol, hour }) => `${symbol}${hour}`).join(' ')}`;
      return {
        markets,
        now: Number.isFinite(now) ? now : timers.now(),
        version,
        isSettled: fetching === null && timers.now() >= pausedUntil,
      };
    },
  };
}

const seriesOf = (timeframe: Timeframe): Series => ({
  timeframe,
  bars: new Map(),
  upTo: null,
  retryAt: -Infinity,
});

/** A recorded market lives at its recorded time; of any other an old price is old. */
const getPresent = ({ source, marketTime }: MarketPrice, now: number): number =>
  source === 'replay' ? marketTime : now;
