/**
 * A process that reads one simulated chart as a server that has just started: all prices have been read once,
 * PostgreSQL is connected. A message selects the chart; the answer has the times of the first read and of the later ones.
 */
import type { Timeframe } from '@fulcrum/domain';
import { catalogue } from '../apps/server/src/features/market/catalogue/index.ts';
import {
  createSimulatedFeed,
  modelOfSeed,
} from '../apps/server/src/features/market/feeds/simulated/index.ts';
import { createDayCache } from '../apps/server/src/features/market/simulated-day-store.ts';
import { createDatabase } from '../apps/server/src/platform/database/pool.ts';
import { createBenchCandles, timers } from './bench-candles.ts';
import { benchLog } from './cluster.ts';
import { quantile } from './figures.ts';
import { answerJob } from './job.ts';

export interface ChartRequest {
  readonly databaseUrl: string;
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly bars: number;
  readonly rounds: number;
}

export interface ChartTiming {
  readonly bars: number;
  readonly firstMs: number;
  /** The median of the later reads. */
  readonly againMs: number;
}

async function measureChart({
  databaseUrl,
  symbol,
  timeframe,
  bars,
  rounds,
}: ChartRequest): Promise<ChartTiming> {
  const db = createDatabase({ connectionString: databaseUrl, max: 1 }, benchLog);
  await db.query('select 1');
  const feed = createSimulatedFeed({
    model: modelOfSeed('bench'),
    sessions: null,
    pairs: catalogue,
    timers,
    shocks: [],
    scales: new Map(),
    dayCache: createDayCache({ db, timers, log: benchLog }),
  });
  const candles = createBenchCandles(db, feed);
  await feed.start(() => {});
  const times: number[] = [];
  let timing = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const begun = performance.now();
    timing = (await candles.candles(symbol, timeframe, { limit: bars, before: null })).length;
    times.push(performance.now() - begun);
  }
  await feed.stop();
  await db.close();
  const [firstMs = Number.NaN, ...later] = times;
  return { bars: timing, firstMs, againMs: quantile(later, 0.5) };
}

answerJob(measureChart);
