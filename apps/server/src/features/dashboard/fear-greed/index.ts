/**
 * The Fear & Greed Index (DASH-19, A41): now, 24 hours and 7 days ago, by the domain's formula. The earlier two are rounded to
 * the full hour and exclude the accounts' part, of which there is no history. Invariant: the accounts' part is excluded while
 * fewer than `accountsMin` accounts have an open position, so that the index reveals no single account's direction.
 */
import type { FearAndGreed } from '@fulcrum/contract';
import {
  ALWAYS_OPEN,
  barStart,
  dayMs,
  FEAR_GREED_DAYS,
  fearAndGreed,
  hourMs,
  type MarketSnapshot,
  measureMarkets,
} from '@fulcrum/domain';
import { memoizeWithTtl } from '../../../platform/cache/memoize-with-ttl.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { KnownMarket, KnownMarkets, MarketBars } from '../bars/index.ts';
import { readLongShare } from './long-share.ts';

/** An answer serves this long: the refresh interval of the widget (DASH-19). */
const ttlMs = 30_000;
/** While requests for bars are running. */
const incompleteTtlMs = 2_000;
const hoursOfDay = dayMs / hourMs;
const hoursOfWeek = 7 * hoursOfDay;
/** Of 24; with fewer the extremes of the day are not known. */
const hoursMin = 20;
const decimals = 100;

interface FearAndGreedDependencies {
  readonly db: Database;
  readonly bars: MarketBars;
  readonly timers: Clock;
}

export function createFearAndGreed({ db, bars, timers }: FearAndGreedDependencies) {
  let past: {
    readonly version: string;
    readonly yesterday: number | null;
    readonly lastWeek: number | null;
  } | null = null;

  function pastValues({ markets, version }: KnownMarkets) {
    if (past?.version !== version)
      past = { version, yesterday: valueAgo(markets, hoursOfDay), lastWeek: valueAgo(markets, hoursOfWeek) };
    return past;
  }

  const answer = memoizeWithTtl<FearAndGreed>(timers, async () => {
    const [known, longShare] = await Promise.all([bars.read(), readLongShare(db)]);
    const { markets, now, isSettled } = known;
    const figures = { ...measureMarkets(markets.map(measureNow)), long_short: longShare };
    const { value, inputs } = fearAndGreed(figures);
    const { yesterday, lastWeek } = pastValues(known);
    return {
      answer: {
        value,
        inputs: inputs.map((input) => ({ ...input, figure: roundedOrNull(input.figure) })),
        yesterday,
        last_week: lastWeek,
        markets: markets.length,
        as_of: new Date(now).toISOString(),
      },
      ttlMs: isSettled ? ttlMs : incompleteTtlMs,
    };
  });

  return { get_fear_and_greed: (): Promise<FearAndGreed> => answer() };
}

const valueAgo = (markets: readonly KnownMarket[], hours: number): number | null =>
  fearAndGreed({ ...measureMarkets(markets.map((market) => measureAgo(market, hours))), long_short: null })
    .value;

/** The day is that of the running hour and of the 23 before it. */
function measureNow(market: KnownMarket): MarketSnapshot {
  const { running: hour, price, high, low } = market;
  const extremes = extremesOf(market, hour, hoursOfDay - 1);
  return {
    price,
    dayAgo: closeAt(market, hour - dayMs),
    high: high === null || extremes === null ? null : Math.max(high, extremes.high),
    low: low === null || extremes === null ? null : Math.min(low, extremes.low),
    days: daysBefore(market, hour),
  };
}

/** At the full hour, so many hours before the running one began. */
function measureAgo(market: KnownMarket, hours: number): MarketSnapshot {
  const at = market.running - hours * hourMs;
  const { high = null, low = null } = extremesOf(market, at, hoursOfDay) ?? {};
  return {
    price: closeAt(market, at),
    dayAgo: closeAt(market, at - dayMs),
    high,
    low,
    days: daysBefore(market, at),
  };
}

const closeAt = ({ bars }: KnownMarket, at: number): number | null =>
  bars('1h').get(at - hourMs)?.close ?? null;

function extremesOf({ bars }: KnownMarket, at: number, count: number) {
  const hours = bars('1h');
  const found = Array.from(
    { length: count },
    (_, index) => hours.get(at - (index + 1) * hourMs) ?? [],
  ).flat();
  if (found.length < hoursMin) return null;
  return { high: Math.max(...found.map(({ high }) => high)), low: Math.min(...found.map(({ low }) => low)) };
}

/** Those that were over at that instant. */
function daysBefore({ bars }: KnownMarket, at: number) {
  const days = bars('1d');
  const today = barStart('1d', at, ALWAYS_OPEN);
  return Array.from(
    { length: FEAR_GREED_DAYS },
    (_, index) => days.get(today - (index + 1) * dayMs) ?? [],
  ).flat();
}

const roundedOrNull = (value: number | null): number | null =>
  value === null ? null : Math.round(value * decimals) / decimals;
