/**
 * Makes simulated feeds that continue earlier prices by a factor on each path, which is stored for later starts. A market that
 * takes over from a live one begins at its last price. So does one whose path differs from before (another key, seed or
 * recipe); it keeps the bars of the old path (A109).
 * Invariant: no start moves a price. As long as the path is the same, its factors stay.
 * Known limitation: the past of a lost secret key (`secrets.json` was replaced) is computed from the present one.
 */
import { ALWAYS_OPEN, toNumber } from '@fulcrum/domain';
import type { Config } from '../../platform/config/index.ts';
import type { Services } from '../../platform/services.ts';
import type { ListedPair } from './catalogue/index.ts';
import {
  createSimulatedFeed,
  engine2DefaultSeed,
  lastOpenInstant,
  type MarketModel,
  modelOfEngine2,
  modelOfKey,
  modelOfSeed,
  type PathEpoch,
  type SimulatedFeed,
} from './feeds/simulated/index.ts';
import type { FollowedSymbols } from './followed-symbols.ts';
import type { MarketPrice } from './price.ts';
import { isProvider } from './price-state.ts';
import { createDayCache } from './simulated-day-store.ts';
import {
  readPaths,
  readScales,
  readShocks,
  type StoredPath,
  writePath,
  writeScales,
} from './simulation-store.ts';
import { createTimeSlicer } from './time-slicer.ts';
import { createTradingSchedule } from './trading-hours.ts';

interface SimulationOptions extends Pick<Services, 'db' | 'timers' | 'log'> {
  /** A chosen one is public; null: the key is `marketKey`. */
  readonly seed: string | null;
  /** 32 secret bytes. */
  readonly marketKey: Uint8Array;
  readonly sessions: Config['sessions'];
  /** Whether the past of all simulated markets is computed and stored in the background. */
  readonly backfillDays: boolean;
  /** Left out, all symbols are followed. */
  readonly followedSymbols?: Pick<FollowedSymbols, 'followed' | 'hasViewers'>;
  /** The last known price, of whatever source. */
  readonly lastPriceOf: (symbol: string) => MarketPrice | undefined;
}

type Simulate = (pairs: readonly ListedPair[]) => Promise<SimulatedFeed>;

/** A last price and its pair. */
interface LastPrice {
  readonly pair: ListedPair;
  readonly price: MarketPrice;
}

export function createSimulations(options: SimulationOptions): Simulate {
  const {
    db,
    seed,
    marketKey,
    sessions,
    timers,
    log,
    backfillDays: fillsDays,
    followedSymbols: attention,
    lastPriceOf,
  } = options;
  // Several feeds of one market are as costly as one.
  const timeSlicer = createTimeSlicer();
  const dayCache = createDayCache({ db, timers, log });
  const weekends = sessions === 'honour';
  const model = seed === null ? modelOfKey(marketKey, weekends) : modelOfSeed(seed, weekends);
  const shared = {
    sessions,
    timers,
    timeSlicer,
    dayCache,
    backfillDays: fillsDays,
    followedSymbols: attention,
  };

  const models = new Map<number, MarketModel>();
  /** The model of a path of the past; null where its key is lost. */
  function modelOf(path: StoredPath): MarketModel | null {
    const past = models.get(path.number) ?? createModel(path);
    models.set(path.number, past);
    return matchesModel(path, past) ? past : null;
  }

  function createModel(path: StoredPath): MarketModel {
    const { seed: chosen, weekends: hadWeekends } = path;
    if (matchesModel(path, model)) return model;
    if (chosen === null) return modelOfKey(marketKey, hadWeekends);
    return path.engine === 2 ? modelOfEngine2(chosen) : modelOfSeed(chosen, hadWeekends);
  }

  /** The seed of engine 2 that produced these prices, of those that can have existed; null when none did. */
  function seedOfEngine2(
    lasts: readonly LastPrice[],
    feedOf: (old: MarketModel) => SimulatedFeed,
  ): string | null {
    for (const candidate of new Set([seed ?? engine2DefaultSeed, engine2DefaultSeed])) {
      const feed = feedOf(modelOfEngine2(candidate));
      if (lasts.filter((last) => isOnPath(last, feed)).length > lasts.length / 2) return candidate;
    }
    return null;
  }

  return async (pairs) => {
    const shocks = await readShocks(db);
    const scales = await readScales(db);
    const now = timers.now();
    const scalesOf = ({ number }: Pick<StoredPath, 'number'>) =>
      scales.get(number) ?? new Map<string, number>();
    const make = (
      of: MarketModel,
      factors: ReadonlyMap<string, number>,
      earlier: readonly PathEpoch[] = [],
    ) => createSimulatedFeed({ ...shared, pairs, shocks, model: of, scales: factors, earlier });
    const lasts = pairs.flatMap((pair) => {
      const price = lastPriceOf(pair.symbol);
      return price ? [{ pair, price }] : [];
    });
    const simulated = lasts.filter(({ price }) => price.source === 'simulated');

    const paths = await readPaths(db);
    const known = paths.length;
    if (paths.length === 0 && simulated.length > 0) {
      const old = seedOfEngine2(simulated, (of) => make(of, scalesOf({ number: 0 })));
      if (old !== null) paths.push({ ...toPath(modelOfEngine2(old), old), number: 0, since: null });
    }
    const last = paths.at(-1);
    if (!last || !matchesModel(last, model)) {
      paths.push({ ...toPath(model, seed), number: (last?.number ?? 0) + 1, since: last ? now : null });
    }
    const current = paths.at(-1);
    if (!current) throw new Error('a simulated market has a path');
    const epochs = paths.slice(0, -1).flatMap((path, index): PathEpoch[] => {
      const past = modelOf(path);
      const until = paths[index + 1]?.since ?? null;
      return past && until !== null ? [{ model: past, scales: scalesOf(path), until }] : [];
    });

    const storedScales = scalesOf(current);
    const sameMarket = make(model, storedScales, epochs);
    const isOfEarlierPath = ({ pair, price }: LastPrice) =>
      !storedScales.has(pair.symbol) && price.pricedAt < (current.since ?? -Infinity);
    const continued = lasts.filter(
      (one) => isProvider(one.price.source) || isOfEarlierPath(one) || !isOnPath(one, sameMarket),
    );
    const unscaled = make(model, new Map());
    const newScales = new Map<string, number>();
    for (const { pair, price } of continued) {
      const then = unscaled.priceAt(pair.symbol, getShownInstant(pair, now, sessions === 'honour'));
      if (then !== null) newScales.set(pair.symbol, toNumber(price.price) / then);
    }
    // What a change of the path needs is written as a whole or not at all.
    await db.transaction(async (tx) => {
      for (const path of paths.slice(known)) await writePath(tx, path);
      await writeScales(tx, current.number, newScales, now);
    });
    return make(model, new Map([...storedScales, ...newScales]), epochs);
  };
}

const toPath = ({ noise, weekends }: MarketModel, seed: string | null) => ({
  engine: noise.engine,
  keyId: noise.keyId,
  seed,
  weekends,
});

const matchesModel = (path: StoredPath, { noise, weekends }: MarketModel): boolean =>
  path.engine === noise.engine && path.keyId === noise.keyId && path.weekends === weekends;

/** Of the path at `now`, what a market shows: its last moment of trading, where hours are honoured. */
const getShownInstant = (pair: ListedPair, now: number, honoured: boolean): number =>
  honoured && pair.tradingHours !== ALWAYS_OPEN
    ? lastOpenInstant(createTradingSchedule(pair.tradingHours), now)
    : now;

/** Two points of one path that are one interval apart differ by less; two paths are hardly ever as near to each other. */
const samePathShare = 0.002;

/** Whether the path of `feed` was at the last price at its time. A price at the pair's bounds proves nothing. */
function isOnPath({ pair, price: last }: LastPrice, feed: SimulatedFeed): boolean {
  if (last.price <= pair.minPrice || last.price >= pair.maxPrice) return true;
  const then = feed.priceAt(pair.symbol, getShownInstant(pair, last.pricedAt, !last.marketOpen));
  if (then === null) return false;
  const lastValue = toNumber(last.price);
  return Math.abs(then - lastValue) <= Math.max(lastValue * samePathShare, 2 * toNumber(pair.tickSize));
}
