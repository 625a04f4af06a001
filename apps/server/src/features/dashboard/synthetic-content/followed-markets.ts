/**
 * The markets that headlines and sentiment are about. Their quarter-hour bars come from the dashboard's cache of bars. Markets
 * whose bars would use a provider's small budget are known by the provider's own day figures alone.
 * Known limitation: the day figures of polled markets begin with the first read of this process.
 */
import { type DayBar, type MarketType, minuteMs, type TradingPair, toNumber } from '@fulcrum/domain';
import { createMarketBars } from '../bars/index.ts';
import type { DashboardDependencies } from '../dependencies.ts';

export const quarterMs = 15 * minuteMs;

/** Always followed; the few others that move the most join. */
export const followedSymbols: readonly string[] = [
  ...['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'BNBUSDT', 'DOGEUSDT', 'ADAUSDT', 'LINKUSDT', 'AVAXUSDT'],
  ...['AAPL', 'MSFT', 'NVDA', 'AMZN', 'GOOGL', 'META', 'TSLA', 'JPM', 'XOM'],
  ...['SPX', 'NDX', 'FTSE', 'NIKKEI', 'XAUUSD', 'XAGUSD', 'WTIUSD', 'BCOUSD', 'NGUSD', 'HGUSD'],
  ...['EUR/USD', 'GBP/USD', 'USD/JPY', 'AUD/USD'],
];
/** A market joins while its day is so many usual days. */
const moverUsualDays = 3;
const moversMax = 4;

/** The move of a usual day, in per cent. */
export const usualDayPct: Readonly<Record<MarketType, number>> = {
  crypto: 3.5,
  stock: 2,
  commodity: 1.5,
  index: 1,
  forex: 0.5,
};

/** What the provider of a polled market stated about its day at a read. */
interface DaySnapshot {
  /** Ms since the epoch. */
  readonly at: number;
  readonly price: number;
  readonly dayPercent: number;
}
/** Six hours of quarters. */
const daySnapshotsMax = 24;

export interface FollowedMarket {
  readonly pair: TradingPair;
  /** The present one, that is on screen; null while it is stale. */
  readonly price: number | null;
  /** Quarter-hour bars that are over, by their beginning; empty for a polled market. */
  readonly quarters: ReadonlyMap<number, DayBar>;
  /** The running one with its extremes so far; null while the price is stale or polled. */
  readonly running: { readonly start: number; readonly high: number; readonly low: number } | null;
  /** Oldest first, one of a quarter; of a polled market only. */
  readonly daySnapshots: readonly DaySnapshot[];
}

/** Input of the generator: the same input gives the same items. */
export interface ContentInput {
  /** Ms since the epoch. */
  readonly now: number;
  readonly markets: readonly FollowedMarket[];
  /** Change over 24 hours of every priced market in per cent, by symbol. */
  readonly dayPercents: ReadonlyMap<string, number>;
}

export function createContentReader(deps: DashboardDependencies): () => Promise<ContentInput> {
  const { market, timers } = deps;
  const isPolled = (symbol: string) => market.price(symbol)?.source === 'yahoo';
  const getDayPercent = (symbol: string) => market.price(symbol)?.priceChangePercent ?? null;
  let followed: ReadonlySet<string> = new Set();
  const bars = createMarketBars(deps, {
    includes: ({ symbol }) => followed.has(symbol) && !isPolled(symbol),
    timeframes: ['15m'],
  });
  const snapshotsBySymbol = new Map<string, readonly DaySnapshot[]>();

  /** On a wild day many markets would join: each costs its provider a request per quarter. */
  function listMovers(): readonly string[] {
    return market
      .pairs()
      .filter(({ symbol }) => !followedSymbols.includes(symbol) && market.isListed(symbol))
      .map(({ symbol, type }) => {
        return { symbol, usualDays: Math.abs(getDayPercent(symbol) ?? 0) / usualDayPct[type] };
      })
      .filter(({ usualDays }) => usualDays >= moverUsualDays)
      .sort((left, right) => right.usualDays - left.usualDays)
      .slice(0, moversMax)
      .map(({ symbol }) => symbol);
  }

  /** Of the present quarter, and those before it. */
  function takeDaySnapshot(symbol: string, now: number): readonly DaySnapshot[] {
    const known = snapshotsBySymbol.get(symbol) ?? [];
    const price = market.price(symbol);
    const isTaken = (known.at(-1)?.at ?? -Infinity) >= now - (now % quarterMs);
    if (!price || price.priceChangePercent === null || price.state !== 'live' || isTaken) return known;
    const taken = { at: now, price: toNumber(price.price), dayPercent: price.priceChangePercent };
    const snapshots = [...known, taken].slice(-daySnapshotsMax);
    snapshotsBySymbol.set(symbol, snapshots);
    return snapshots;
  }

  return async () => {
    followed = new Set([...followedSymbols, ...listMovers()]);
    const known = await bars.read();
    const now = timers.now();
    const dayPercents = new Map(
      market.pairs().flatMap(({ symbol }) => {
        const percent = getDayPercent(symbol);
        return percent === null ? [] : [[symbol, percent] as const];
      }),
    );
    const charted = known.markets.map(({ pair, price, running: start, high, low, bars }): FollowedMarket => {
      const running = high === null || low === null ? null : { start, high, low };
      return { pair, price, quarters: bars('15m'), running, daySnapshots: [] };
    });
    const polled = market
      .pairs()
      .filter(({ symbol }) => followed.has(symbol) && isPolled(symbol))
      .map((pair): FollowedMarket => {
        const last = market.price(pair.symbol);
        const price = !last || last.state === 'stale' ? null : toNumber(last.price);
        const daySnapshots = takeDaySnapshot(pair.symbol, now);
        return { pair, price, quarters: new Map(), running: null, daySnapshots };
      });
    return { now, markets: [...charted, ...polled], dayPercents };
  };
}
