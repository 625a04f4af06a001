/** What the parts of the admin area need; they import it from here and never `index.ts`. */
import type { SignedIn } from '@fulcrum/contract';
import type { BackupState } from '../../platform/backup/index.ts';
import type { Member } from '../../platform/cluster/members.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Reader } from '../../platform/database/index.ts';
import type { FairQueue } from '../../platform/fair-queue.ts';
import type { Services } from '../../platform/services.ts';
import type { Classes } from '../classes/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Market } from '../market/index.ts';
import type { Trading } from '../trading/index.ts';

/** The further steps of the deletion of an account (A73). */
interface Deletions {
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

export interface StaffDependencies extends Pick<Services, 'db' | 'bus' | 'clock' | 'timers' | 'log'> {
  /** For lists and their files. */
  readonly reader: Reader;
  readonly config: Pick<Config, 'signupBalance'>;
  /** Limits concurrent large reads. */
  readonly withReadSlot: FairQueue;
  readonly identity: Identity;
  readonly market: Market;
  readonly trading: Trading;
  readonly deletions: Deletions;
  readonly classes: Pick<Classes, 'previewJoining'>;
  /** Null without a folder for backups. */
  readonly backups: () => BackupState | null;
  /** The processes of the cluster; null where this one is alone. */
  readonly processes: () => readonly Member[] | null;
}
