/**
 * The dashboard's figures on the market as a whole (docs/dashboard.md). `sentiment/` and `fear-greed/` are computed from
 * bars, prices and open positions. `synthetic-content/` is generated from one seed and labelled as simulated wherever it is
 * shown.
 */
import { isRankedMarket } from '@fulcrum/domain';
import { createMarketBars } from './bars/index.ts';
import type { DashboardDependencies } from './dependencies.ts';
import { createFearAndGreed } from './fear-greed/index.ts';
import { createSentiment } from './sentiment/index.ts';
import { createSyntheticContent } from './synthetic-content/index.ts';

/** A handler for every procedure that the contract declares for the dashboard. */
export function createDashboard(deps: DashboardDependencies) {
  // Crypto in USDT trades at every hour: twelve hours are always twelve bars (A40).
  const bars = createMarketBars(deps, { includes: isRankedMarket, timeframes: ['1h', '1d'] });
  return {
    procedures: {
      ...createSentiment({ ...deps, bars }),
      ...createFearAndGreed({ ...deps, bars }),
      ...createSyntheticContent(deps),
    },
  };
}
