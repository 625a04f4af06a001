/**
 * Bars of listed markets, for computations on many of them at once; the caller chooses markets and timeframes. Each bar is
 * requested once and cached in memory. A read after its end requests the new bar, with the last two before it, which the
 * provider may have settled since. Invariants: due bars are requested once, a few markets at a time, and not again before
 * `retryMs` after a failure; a provider that fails for every market is paused; a read waits for `waitMs` at most and then
 * returns what is known. Names of bars are ms since the epoch in the market's own time. In a replay that is recorded time, and
 * each market counts back from its own present.
 *
 * Known limitation: the extremes of the running bar are those at its last request and of the prices at each read
 * since.
 */
import {
  barSpan,
  barStart,
  type DayBar,
  dayMs,
  hourMs,
  minuteMs,
  nextOpening,
  type TradingPair,
  toNumber,
} from '@fulcrum/domain';
import { waitAtMost } from '../../../platform/clock/wait-at-most.ts';
import type { Services } from '../../../platform/services.ts';
import type { Market, MarketPrice } from '../../market/index.ts';

/** The largest ones; fifty are listed today. */
const marketsMax = 64;
const lengthMs = { '15m': 15 * minuteMs, '1h': hourMs, '1d': dayMs } as const;
type Timeframe = keyof typeof lengthMs;
const barsMax: Readonly<Record<Timeframe, number>> = {
  /** On Monday, the day before Friday's last session. */
  '15m': 370,
  /** A week and a day back, and a few more where some are missing. */
  '1h': 200,
  /** Thirty days before a week ago. */
  '1d': 38,
};
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

interface BarsChoice {
  /** Which of the listed markets. */
  readonly includes: (pair: TradingPair) => boolean;
  /** The finest one first: the running bar is one of it. */
  readonly timeframes: readonly [Timeframe, ...Timeframe[]];
}

export interface KnownMarket {
  readonly pair: TradingPair;
  /** The running bar. */
  readonly running: number;
  /** Null while the price is stale (A37). */
  readonly price: number | null;
  /** Extremes of the running bar; null with the price. */
  readonly high: number | null;
  readonly low: number | null;
  /** Those that are over, by name. */
  readonly bars: (timeframe: Timeframe) => ReadonlyMap<number, DayBar>;
}

export interface KnownMarkets {
  readonly markets: readonly KnownMarket[];
  /** The present of the market, ms since the epoch. */
  readonly now: number;
  /** Differs from an earlier one when a bar came in or one ended. */
  readonly version: string;
  /** No request is running: there will be no more before the next bar ends. */
  readonly isSettled: boolean;
}

export interface MarketBars {
  read(): Promise<KnownMarkets>;
}

/** Bars of one market and timeframe that are over. */
interface Series {
  readonly timeframe: Timeframe;
  readonly bars: Map<number, DayBar>;
  /** The running bar at its last request; null: never requested. */
  upTo: number | null;
  retryAt: number;
}

interface TrackedMarket {
  readonly series: readonly Series[];
  running: { name: number; high: number; low: number } | null;
}

interface MarketPresent {
  readonly pair: TradingPair;
  readonly price: MarketPrice;
  readonly now: number;
}

export function createMarketBars(
  { market, timers, log }: BarsDependencies,
  { includes, timeframes }: BarsChoice,
): MarketBars {
  const [finest] = timeframes;
  const tracked = new Map<string, TrackedMarket>();
  let fetching: { readonly since: number; readonly done: Promise<void> } | null = null;
  let pausedUntil = -Infinity;
  let answers = 0;

  function universe(): MarketPresent[] {
    return market
      .pairs()
      .filter((pair) => includes(pair) && market.isListed(pair.symbol))
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
    const created: TrackedMarket = { series: timeframes.map(seriesOf), running: null };
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
    const [length, most] = [lengthMs[timeframe], barsMax[timeframe]];
    const running = barStart(timeframe, now, pair.tradingHours);
    // A recording that starts over goes back in time.
    const isOnward = upTo !== null && upTo < running;
    const missing = isOnward ? (running - upTo) / length + refetchedBars : most;
    series.retryAt = timers.now() + retryMs;
    const limit = Math.min(missing, most) + 1;
    const candles = await market.candles(pair.symbol, timeframe, { limit, before: null }, 'stored');
    if (!isOnward) bars.clear();
    for (const { open_time, close, high, low } of candles) {
      const name = Date.parse(open_time);
      if (name < running) bars.set(name, { close, high, low });
      else if (timeframe === finest && name === running) one.running = { name, high, low };
    }
    for (const name of bars.keys()) if (name < running - most * length) bars.delete(name);
    answers += 1;
    // A provider that lags is retried; a market that was shut since its newest bar is not.
    if (!isComplete(series, running, pair.tradingHours)) return;
    series.upTo = running;
    series.retryAt = -Infinity;
  }

  /** The first timeframe of all markets first: a chart of hours is shown before an index of days. */
  function findDue(presents: readonly MarketPresent[]) {
    if (timers.now() < pausedUntil) return [];
    return timeframes.flatMap((_, index) =>
      presents.flatMap((present) => {
        const one = track(present.pair.symbol);
        const series = one.series[index];
        return series && isDue(series, present) ? { one, series, present } : [];
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
          log.debug(
            { err: error, symbol: next.present.pair.symbol },
            'bars for the dashboard could not be read',
          );
          if (isAnswered || failures < failuresMax) continue;
          waiting.length = 0;
          pausedUntil = timers.now() + pauseMs;
        }
      }
    };
    await Promise.all(Array.from({ length: concurrencyMax }, work));
    if (failures > 0)
      log.warn({ failures, of: due.length }, 'bars for the dashboard are missing; asking again later');
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
    const leftMs = since + waitMs - timers.now();
    if (leftMs > 0) await waitAtMost(timers, leftMs, done);
  }

  function toKnownMarket({ pair, price, now }: MarketPresent): KnownMarket {
    const one = track(pair.symbol);
    const running = barStart(finest, now, pair.tradingHours);
    const last = price.state === 'stale' ? null : toNumber(price.price);
    if (one.running?.name !== running) one.running = null;
    if (last !== null) {
      const { high, low } = one.running ?? { high: last, low: last };
      one.running = { name: running, high: Math.max(high, last), low: Math.min(low, last) };
    }
    const { high = null, low = null } = (last !== null && one.running) || {};
    const bars = (timeframe: Timeframe) =>
      one.series.find((series) => series.timeframe === timeframe)?.bars ?? noBars;
    return { pair, running, price: last, high, low, bars };
  }

  return {
    async read() {
      await fetchDue();
      const presents = universe();
      const listed = new Set(presents.map(({ pair }) => pair.symbol));
      for (const symbol of tracked.keys()) if (!listed.has(symbol)) tracked.delete(symbol);
      const markets = presents.map(toKnownMarket);
      const now = presents.reduce((latest, one) => Math.max(latest, one.now), -Infinity);
      const version = `${answers} ${markets.map(({ pair, running }) => `${pair.symbol}${running}`).join(' ')}`;
      return {
        markets,
        now: Number.isFinite(now) ? now : timers.now(),
        version,
        isSettled: fetching === null && timers.now() >= pausedUntil,
      };
    },
  };
}

const noBars: ReadonlyMap<number, DayBar> = new Map();

/** Whether the market's hours leave no time to trade between the newest bar that is over and the running one. */
function isComplete({ timeframe, bars }: Series, running: number, tradingHours: string): boolean {
  if (bars.size === 0) return false;
  const { to } = barSpan(timeframe, Math.max(...bars.keys()), tradingHours);
  const opening = nextOpening(tradingHours, to) ?? Infinity;
  return opening >= barSpan(timeframe, running, tradingHours).from;
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
