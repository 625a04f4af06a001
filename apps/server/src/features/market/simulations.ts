/**
 * Makes simulated feeds that go on from what was known before, by a factor on the whole path that is kept for the starts
 * that follow: a market that takes over from a live one begins at its last price, and so does one whose path is another
 * than it was (another seed, another recipe) while somebody's money hangs on it.
 * Invariant: no start moves the price under a position. As long as the path is the same, its factor stays.
 */
import { ALWAYS_OPEN, toNumber } from '@fulcrum/domain';
import type { Timers } from '../../platform/clock/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { ListedPair } from './catalogue/index.ts';
import type { Interest } from './feed.ts';
import { createSimulatedFeed, lastOpenInstant, type SimulatedFeed } from './feeds/simulated/index.ts';
import type { MarketPrice } from './price.ts';
import { isProvider } from './price-state.ts';
import { createSessions } from './sessions.ts';
import { createKeptDays } from './simulated-days.ts';
import { readScales, readShocks, writeScales } from './simulation-store.ts';
import { createTurns } from './turns.ts';

export interface SimulationOptions {
  readonly db: Database;
  readonly seed: string;
  readonly sessions: Config['sessions'];
  readonly timers: Timers;
  readonly log: Log;
  /** Whether the past of all simulated markets is computed and kept in the background. */
  readonly fillsDays: boolean;
  /** The last known price, of whatever source. */
  readonly lastPriceOf: (symbol: string) => MarketPrice | undefined;
  readonly interest: Pick<Interest, 'inUse'>;
}

export type Simulate = (pairs: readonly ListedPair[]) => Promise<SimulatedFeed>;

export function createSimulations(options: SimulationOptions): Simulate {
  const { db, seed, sessions, timers, log, fillsDays, lastPriceOf, interest } = options;
  // Several feeds of one market are as costly as one.
  const turns = createTurns();
  const keptDays = createKeptDays({ db, timers, log });
  const shared = { seed, sessions, timers, turns, keptDays, fillsDays };

  return async (pairs) => {
    const shocks = await readShocks(db);
    const make = (scaled: readonly ListedPair[], scales: ReadonlyMap<string, number>) =>
      createSimulatedFeed({ ...shared, pairs: scaled, shocks, scales });
    const lasts = new Map(
      pairs.flatMap((pair) => {
        const last = lastPriceOf(pair.symbol);
        return last ? [[pair.symbol, last] as const] : [];
      }),
    );
    const scales = new Map(
      [...(await readScales(db))].filter(([symbol]) => lasts.get(symbol)?.source === 'simulated'),
    );
    const inUse = interest.inUse();
    const goesOn = pairs.filter(({ symbol }) => {
      const last = lasts.get(symbol);
      return last?.source === 'simulated' && (inUse.has(symbol) || scales.has(symbol));
    });
    const known = make(goesOn, scales);
    const broken = goesOn.filter((pair) => {
      const last = lasts.get(pair.symbol);
      return last && !isOf(pair, last, known);
    });
    const fresh = new Map<string, number>();
    // Nobody's money hangs on these: they begin the new path where it is.
    for (const { symbol } of broken) if (!inUse.has(symbol)) fresh.set(symbol, 1);
    const takenOver = pairs.filter((pair) => {
      const last = lasts.get(pair.symbol);
      if (last === undefined) return false;
      return isProvider(last.source) || (broken.includes(pair) && inUse.has(pair.symbol));
    });
    const now = timers.now();
    const unscaled = make(takenOver, new Map());
    for (const pair of takenOver) {
      const { symbol } = pair;
      const last = lasts.get(symbol);
      const simulated = unscaled.priceAt(symbol, shownAt(pair, now, sessions === 'honour'));
      if (last && simulated !== null) fresh.set(symbol, toNumber(last.price) / simulated);
    }
    await writeScales(db, fresh, now);
    return make(pairs, new Map([...scales, ...fresh]));
  };
}

/** Of the path at `now`, what a market shows: its last moment of trading, where hours are honoured. */
const shownAt = (pair: ListedPair, now: number, honoured: boolean): number =>
  honoured && pair.tradingHours !== ALWAYS_OPEN
    ? lastOpenInstant(createSessions(pair.tradingHours), now)
    : now;

/** Two points of one path that are a look apart differ by less; two paths are hardly ever as near to each other. */
const samePathShare = 0.002;

/** Whether the path of `feed` was at the last price when that was told. A price at the pair's bounds says nothing. */
function isOf(pair: ListedPair, last: MarketPrice, feed: SimulatedFeed): boolean {
  if (last.price <= pair.minPrice || last.price >= pair.maxPrice) return true;
  const then = feed.priceAt(pair.symbol, shownAt(pair, last.pricedAt, !last.marketOpen));
  if (then === null) return false;
  const told = toNumber(last.price);
  return Math.abs(then - told) <= Math.max(told * samePathShare, 2 * toNumber(pair.tickSize));
}
