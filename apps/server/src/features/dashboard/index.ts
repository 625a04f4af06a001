/**
 * What the dashboard says about the market as a whole (docs/dashboard.md). `sentiment/` and `fear-greed/` are computed from
 * bars, prices and open positions; `made-up/` is invented by one seeded generator and labelled as that wherever it is shown.
 */
import type { Timers } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Market } from '../market/index.ts';
import { createMarketBars } from './bars/index.ts';
import { createFearAndGreed } from './fear-greed/index.ts';
import { createMadeUp } from './made-up/index.ts';
import { createSentiment } from './sentiment/index.ts';

export interface DashboardDependencies {
  readonly db: Database;
  readonly market: Pick<Market, 'pairs' | 'isListed' | 'price' | 'candles' | 'ticks'>;
  readonly timers: Timers;
  readonly log: Log;
  /** Of this installation: the same seed and the same hours invent the same things. */
  readonly seed: string;
}

/** A handler for every procedure that the contract declares for the dashboard. */
export function createDashboard(deps: DashboardDependencies) {
  const bars = createMarketBars(deps);
  return {
    procedures: {
      ...createSentiment({ ...deps, bars }),
      ...createFearAndGreed({ ...deps, bars }),
      ...createMadeUp(deps),
    },
  };
}
