/**
 * A process that looks at one simulated chart as a server that has just started: all prices have been looked at once,
 * PostgreSQL is connected. Told what to look at by a message; answers with what the first look took and the later ones.
 */
import type { Timeframe } from '@fulcrum/domain';
import { createCandles } from '../apps/server/src/features/market/candles/index.ts';
import { catalogue } from '../apps/server/src/features/market/catalogue/index.ts';
import { createSimulatedFeed } from '../apps/server/src/features/market/feeds/simulated/index.ts';
import { createKeptDays } from '../apps/server/src/features/market/simulated-days.ts';
import { createBus } from '../apps/server/src/platform/bus/index.ts';
import { realTimers, systemClock } from '../apps/server/src/platform/clock/index.ts';
import { createDatabase } from '../apps/server/src/platform/database/pool.ts';
import { benchLog } from './cluster.ts';

export interface ChartAsked {
  readonly databaseUrl: string;
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly bars: number;
  readonly rounds: number;
}

export interface ChartSeen {
  readonly bars: number;
  readonly firstMs: number;
  /** The median of the later looks. */
  readonly againMs: number;
}

async function see({ databaseUrl, symbol, timeframe, bars, rounds }: ChartAsked): Promise<ChartSeen> {
  const timers = realTimers(systemClock);
  const db = createDatabase({ connectionString: databaseUrl, max: 1 }, benchLog);
  await db.query('select 1');
  const feed = createSimulatedFeed({
    seed: 'bench',
    sessions: null,
    pairs: catalogue,
    timers,
    shocks: [],
    scales: new Map(),
    keptDays: createKeptDays({ db, timers, log: benchLog }),
  });
  const pairOf = new Map(catalogue.map((pair) => [pair.symbol, pair]));
  const candles = createCandles({
    db,
    timers,
    log: benchLog,
    bus: createBus(benchLog),
    feed,
    pairOf: (one) => pairOf.get(one),
    candleDays: 30,
  });
  await feed.start(() => {});
  const times: number[] = [];
  let seen = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const begun = performance.now();
    seen = (await candles.candles(symbol, timeframe, { limit: bars, before: null })).length;
    times.push(performance.now() - begun);
  }
  await feed.stop();
  await db.close();
  const [firstMs = Number.NaN, ...later] = times;
  const againMs = later.sort((left, right) => left - right)[Math.floor(later.length / 2)] ?? Number.NaN;
  return { bars: seen, firstMs, againMs };
}

process.once('message', (asked: ChartAsked) => {
  see(asked).then(
    (seen) => {
      process.send?.(seen);
      process.disconnect();
    },
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
