/** How an account did (docs/dashboard.md): read from ledger, closed positions and equity snapshots, reckoned by the domain. */
import {
  busy,
  type EquityOverview,
  type getPerformance,
  type Performance,
  type SignedIn,
} from '@fulcrum/contract';
import type { z } from 'zod';
import type { Timers } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Market } from '../market/index.ts';

export interface AnalyticsDependencies {
  readonly db: Database;
  readonly market: Pick<Market, 'price'>;
  readonly timers: Timers;
}

export function createAnalytics(_deps: AnalyticsDependencies) {
  return {
    procedures: {
      get_performance: async (
        _caller: SignedIn,
        _args: z.output<typeof getPerformance.args>,
      ): Promise<Performance> => {
        throw busy();
      },
      get_equity_overview: async (_caller: SignedIn): Promise<EquityOverview> => {
        throw busy();
      },
    },
  };
}
