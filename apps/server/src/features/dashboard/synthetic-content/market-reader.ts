/**
 * Reads the markets for the generator. Quarter-hour bars are read once per quarter and market, one-minute bars only inside
 * bars that may contain a jump, and the result is shared by all users. Markets whose bars would use a provider's small budget
 * are read by their own day figures alone.
 * Invariant: no caller waits longer than `waitMs`: what is not read by then is used as it was, and is there the next time.
 * Known limitation: the history of polled markets begins with the first read of this process.
 */
import { hourMs, type MarketType, minuteMs, type TradingPair, toNumber } from '@fulcrum/domain';
import type { DashboardDependencies } from '../dependencies.ts';
import {
  type DaySnapshot,
  type FollowedMarket,
  followedSymbols,
  type MarketSnapshot,
} from './followed-markets.ts';
import { barsToLookInto, findJumps, getJumpThreshold } from './jumps.ts';
import { type PriceHistory, withPrice } from './price-history.ts';

const quarterMs = 15 * minuteMs;
/** Two days and a little: sentiment compares the day with the day before. Shares rest over the weekend. */
const barsByType: Readonly<Record<MarketType, number>> = {
  crypto: 200,
  commodity: 300,
  forex: 300,
  stock: 370,
  index: 370,
};
const waitMs = 3_000;
/** After a failure, and for minutes that are not over. */
const retryMs = 20_000;
const concurrencyMax = 4;
const jumpsBackMs = 12 * hourMs;
const minuteReadsMax = 12;
const cachedMinutesMax = 200;
const daySnapshotsMax = 96;
/** Markets besides those that are always followed, and how far in a usual-sized day one of them has to go. */
const moversMax = 4;
const moverThresholdPct: Readonly<Record<MarketType, number>> = {
  crypto: 7,
  stock: 5,
  commodity: 4,
  index: 3,
  forex: 1.5,
};

interface CachedBars {
  readonly history: PriceHistory;
  /** The quarter of an hour in which it was read. */
  readonly quarter: number;
  readonly readAt: number;
}

export interface MarketReader {
  read(): Promise<MarketSnapshot>;
}

type Dependencies = Pick<DashboardDependencies, 'market' | 'timers' | 'log'>;

export function createMarketReader({ market, timers, log }: Dependencies): MarketReader {
  const barCache = new Map<string, CachedBars>();
  /** By symbol and the bar's beginning. */
  const minutes = new Map<string, { readonly history: PriceHistory; readonly readAt: number }>();
  const daySnapshotCache = new Map<string, DaySnapshot[]>();
  let refreshing: Promise<void> | null = null;

  /** @returns null when it could not be read */
  async function barsFrom(
    symbol: string,
    timeframe: '15m' | '1m',
    limit: number,
    before: number | null,
  ): Promise<PriceHistory | null> {
    const lengthMs = timeframe === '1m' ? minuteMs : quarterMs;
    try {
      const bars = await market.candles(symbol, timeframe, { limit, before });
      return bars.map(({ open_time, open, high, low, close, quote_volume: turnover }) => {
        const from = Date.parse(open_time);
        return { from, to: from + lengthMs, open, high, low, close, turnover };
      });
    } catch (error) {
      log.debug({ err: error, symbol }, 'bars for the synthetic content could not be read');
      return null;
    }
  }

  const hasBars = (symbol: string): boolean => {
    const source = market.price(symbol)?.source;
    return source !== undefined && source !== 'yahoo';
  };

  /** Those that are followed, and those that moved the most. */
  function pairsToRead(): TradingPair[] {
    const followed = new Set(followedSymbols);
    const pairs = market.pairs();
    const movers = pairs
      .filter(({ symbol }) => !followed.has(symbol) && hasBars(symbol))
      .map((pair) => ({
        pair,
        moved: Math.abs(dayPercentOf(pair.symbol) ?? 0) / moverThresholdPct[pair.type],
      }))
      .filter(({ moved }) => moved >= 1)
      .sort((left, right) => right.moved - left.moved)
      .slice(0, moversMax);
    return [...pairs.filter(({ symbol }) => followed.has(symbol)), ...movers.map(({ pair }) => pair)];
  }

  const dayPercentOf = (symbol: string): number | null => market.price(symbol)?.priceChangePercent ?? null;

  async function refreshBars({ symbol, type }: TradingPair): Promise<void> {
    const now = timers.now();
    const quarter = Math.floor(now / quarterMs);
    const known = barCache.get(symbol);
    if (known?.quarter === quarter || (known && Math.abs(now - known.readAt) < retryMs)) return;
    const history = await barsFrom(symbol, '15m', barsByType[type], null);
    // A failure is cached too, so that a failing provider is not retried at every read.
    if (history) barCache.set(symbol, { history, quarter, readAt: now });
    else barCache.set(symbol, { history: known?.history ?? [], quarter: known?.quarter ?? -1, readAt: now });
  }

  function historyOf(symbol: string, now: number): PriceHistory {
    const price = market.price(symbol);
    const history = barCache.get(symbol)?.history ?? [];
    return price ? withPrice(history, toNumber(price.price), now) : history;
  }

  async function refreshMinutes(pair: TradingPair): Promise<void> {
    const { symbol, type } = pair;
    const now = timers.now();
    const history = historyOf(symbol, now);
    const question = {
      history,
      threshold: getJumpThreshold(history, type, now),
      now,
      spanMs: jumpsBackMs,
    };
    for (const { from, to } of barsToLookInto(question).slice(-minuteReadsMax)) {
      const key = `${symbol} ${from}`;
      const known = minutes.get(key);
      if (known && (known.readAt >= to || Math.abs(now - known.readAt) < retryMs)) continue;
      const read = await barsFrom(symbol, '1m', quarterMs / minuteMs, to);
      const own = (read ?? known?.history ?? []).filter((bar) => bar.from >= from && bar.to <= to);
      minutes.delete(key);
      minutes.set(key, { history: own, readAt: now });
      const oldest = minutes.size > cachedMinutesMax ? minutes.keys().next() : undefined;
      if (oldest && !oldest.done) minutes.delete(oldest.value);
    }
  }

  async function refresh(): Promise<void> {
    const pairs = pairsToRead();
    const waiting = pairs.filter(({ symbol }) => hasBars(symbol));
    const work = async (): Promise<void> => {
      for (let pair = waiting.shift(); pair; pair = waiting.shift()) {
        await refreshBars(pair);
        await refreshMinutes(pair);
      }
    };
    await Promise.all(Array.from({ length: concurrencyMax }, work));
    const required = new Set(pairs.map(({ symbol }) => symbol));
    for (const symbol of barCache.keys()) if (!required.has(symbol)) barCache.delete(symbol);
  }

  function takeDaySnapshot(symbol: string, now: number): readonly DaySnapshot[] {
    const price = market.price(symbol);
    const known = daySnapshotCache.get(symbol) ?? [];
    if (!price || price.priceChangePercent === null || price.state !== 'live') return known;
    const last = known.at(-1);
    if (last && Math.floor(last.at / quarterMs) === Math.floor(now / quarterMs)) return known;
    const daySnapshot = { at: now, price: toNumber(price.price), dayPercent: price.priceChangePercent };
    const next = [...known, daySnapshot].slice(-daySnapshotsMax);
    daySnapshotCache.set(symbol, next);
    return next;
  }

  function followed(pair: TradingPair, now: number): FollowedMarket {
    const { symbol, type } = pair;
    if (!hasBars(symbol))
      return {
        pair,
        history: [],
        jumps: [],
        jumpThreshold: Infinity,
        daySnapshots: takeDaySnapshot(symbol, now),
      };
    const history = historyOf(symbol, now);
    const threshold = getJumpThreshold(history, type, now);
    const jumps = findJumps({
      history,
      threshold,
      now,
      spanMs: jumpsBackMs,
      minutesOf: (from) => {
        const known = minutes.get(`${symbol} ${from}`)?.history;
        return known && known.length > 0 ? known : undefined;
      },
    });
    return { pair, history, jumps, jumpThreshold: threshold, daySnapshots: [] };
  }

  return {
    async read() {
      refreshing ??= refresh()
        .catch((error: unknown) =>
          log.warn({ err: error }, 'the synthetic content could not read the markets'),
        )
        .finally(() => {
          refreshing = null;
        });
      await waitAtMost(refreshing, timers);
      const now = timers.now();
      const dayPercents = new Map(
        market.pairs().flatMap(({ symbol }) => {
          const percent = dayPercentOf(symbol);
          return percent === null ? [] : [[symbol, percent] as const];
        }),
      );
      return { now, markets: pairsToRead().map((pair) => followed(pair, now)), dayPercents };
    },
  };
}

/** Resolves with `work`, or after `waitMs`. */
async function waitAtMost(work: Promise<void>, timers: Dependencies['timers']): Promise<void> {
  let cancel = (): void => {};
  const limit = new Promise<void>((resolve) => {
    cancel = timers.after(waitMs, resolve);
  });
  await Promise.race([work, limit]);
  cancel();
}
