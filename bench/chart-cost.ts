/**
 * A process that draws one simulated chart of 60 days repeatedly, each of another market, so nothing of it is cached.
 * A message selects the chart and the source tree whose feed it loads; the answer is the processor time.
 */
import { pathToFileURL } from 'node:url';
import type { Timeframe } from '@fulcrum/domain';
import { createManualTimers } from '../apps/server/test/harness/manual-timers.ts';
import { quantile } from './figures.ts';
import { answerJob } from './job.ts';

export interface ChartCostRequest {
  /** The root of a checkout. */
  readonly tree: string;
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly bars: number;
  readonly rounds: number;
}

/** Milliseconds of processor time. */
export interface ChartCost {
  /** The first chart of the process. */
  readonly first: number;
  /** The median of the next ones, each of another market. */
  readonly cold: number;
  /** The median of second reads. */
  readonly again: number;
}

const now = Date.UTC(2026, 10, 20, 13, 37, 42, 123);

async function costOf({ tree, symbol, timeframe, bars, rounds }: ChartCostRequest): Promise<ChartCost> {
  const server = `${pathToFileURL(tree)}/apps/server/src`;
  const { catalogue } = await import(`${server}/features/market/catalogue/index.ts`);
  const { createSimulatedFeed, modelOfSeed } = await import(
    `${server}/features/market/feeds/simulated/index.ts`
  );
  const pairs = catalogue.filter((pair: { symbol: string }) => pair.symbol === symbol);
  const draw = async (feed: { candles: (...request: unknown[]) => Promise<unknown[]> }) => {
    const begun = process.cpuUsage();
    const { length } = await feed.candles(symbol, timeframe, { limit: bars, before: null });
    const { user, system } = process.cpuUsage(begun);
    if (length !== bars) throw new Error(`${length} bars instead of ${bars}`);
    return (user + system) / 1_000;
  };
  const cold: number[] = [];
  const again: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const seed = `chart ${round}`;
    // Commit 4c666ef took the seed itself.
    const market = modelOfSeed ? { model: modelOfSeed(seed) } : { seed };
    const timers = createManualTimers(now);
    const feed = createSimulatedFeed({
      ...market,
      sessions: null,
      pairs,
      timers,
      shocks: [],
      scales: new Map(),
    });
    await feed.start(() => {});
    cold.push(await draw(feed));
    again.push(await draw(feed));
    await feed.stop();
  }
  const [first = Number.NaN, ...later] = cold;
  return { first, cold: quantile(later, 0.5), again: quantile(again, 0.5) };
}

answerJob(costOf);
