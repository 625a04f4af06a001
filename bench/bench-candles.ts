/** Charts as the server reads them. */
import { type Candles, createCandles } from '../apps/server/src/features/market/candles/index.ts';
import { catalogue } from '../apps/server/src/features/market/catalogue/index.ts';
import type { Feed } from '../apps/server/src/features/market/index.ts';
import { createBus } from '../apps/server/src/platform/bus/index.ts';
import { realTimers, systemClock } from '../apps/server/src/platform/clock/index.ts';
import type { Database } from '../apps/server/src/platform/database/index.ts';
import { benchLog } from './cluster.ts';

export const timers = realTimers(systemClock);

export function createBenchCandles(db: Database, feed: Pick<Feed, 'candles' | 'sourceOf'>): Candles {
  const pairOf = new Map(catalogue.map((pair) => [pair.symbol, pair]));
  return createCandles({
    ...{ db, timers, feed, log: benchLog, bus: createBus(benchLog), candleDays: 30 },
    pairOf: (symbol) => pairOf.get(symbol),
  });
}
