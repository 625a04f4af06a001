/** What the parts of the dashboard need; they import it from here and never `index.ts`. */
import type { Timers } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Market } from '../market/index.ts';

export interface DashboardDependencies {
  readonly db: Database;
  readonly market: Pick<Market, 'pairs' | 'isListed' | 'price' | 'candles' | 'ticks'>;
  readonly timers: Timers;
  readonly log: Log;
  /** Of this installation: the same seed and the same hours generate the same content. */
  readonly seed: string;
}
