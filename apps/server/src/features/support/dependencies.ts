/** What the parts of the support chat need; they import it from here and never `index.ts`. */
import type { Bus } from '../../platform/bus/index.ts';
import type { Timers } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';

export interface SupportDependencies {
  readonly db: Database;
  readonly timers: Timers;
  readonly bus: Bus;
  readonly log: Log;
}
