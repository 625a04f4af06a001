/** The services that a server makes once and most of its parts use. */
import type { Bus } from './bus/index.ts';
import type { Clock, Timers } from './clock/index.ts';
import type { Database } from './database/index.ts';
import type { Log } from './log/index.ts';
import type { SharedRates } from './rate-limit/shared-rates.ts';

export interface Services {
  readonly db: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly bus: Bus;
  readonly log: Log;
  /** In a cluster. */
  readonly sharedRates?: SharedRates;
}
