/** What the parts of the admin area need; they import it from here and never `index.ts`. */

import type { SignedIn } from '@fulcrum/contract';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock, Timers } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { FairQueue } from '../../platform/fair-queue.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Market } from '../market/index.ts';
import type { Trading } from '../trading/index.ts';

/** The further steps of the deletion of an account (A73). */
export interface Deletions {
  /**
   * Ends every impersonation of the user and by the user; none begins until `announce` or `abandon`.
   * @throws AppError `not_found`, `not_allowed` for admins and for the caller's own account
   */
  prepare(caller: SignedIn, userId: string): Promise<void>;
  /** After a prepared deletion was refused: the account stays. */
  abandon(userId: string): void;
  /** After the commit: the user's sessions are no longer served. Never rejects. */
  announce(userId: string): Promise<void>;
}

export interface StaffDependencies {
  readonly db: Database;
  /** Limits concurrent large reads. */
  readonly withReadSlot: FairQueue;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly identity: Identity;
  readonly market: Market;
  readonly trading: Trading;
  readonly deletions: Deletions;
}
