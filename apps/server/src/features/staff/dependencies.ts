/** What the parts of the admin area need; they import it from here and never `index.ts`. */
import type { Clock, Timers } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { FairQueue } from '../../platform/fair-queue.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Market } from '../market/index.ts';
import type { Trading } from '../trading/index.ts';

export interface StaffDependencies {
  readonly db: Database;
  /** Limits concurrent large reads. */
  readonly withReadSlot: FairQueue;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly identity: Identity;
  readonly market: Market;
  readonly trading: Trading;
}
