/**
 * Deletes the pictures of identity checks `KYC_KEEP_DAYS` after the decision, and those that were never submitted as long
 * after their upload; 0 stores them for good. Invariants: the attempt and its decision stay; pictures and the audit row of
 * their deletion go in one transaction. The hashes stay, so a duplicate is still found by them.
 */
import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import type { Config } from '../../platform/config/index.ts';
import { allDuties, type Duties } from '../../platform/duties/shared-duties.ts';
import type { Services } from '../../platform/services.ts';
import { recordAuditEntry } from '../audit/index.ts';

const discardEveryMs = hourMs;
/** In one transaction: a few hundred pictures. */
const attemptsMax = 100;
const usersMax = 100;

type RetentionDependencies = Pick<Services, 'db' | 'clock' | 'timers' | 'log'> & {
  readonly config: Pick<Config, 'kycKeepDays'>;
  /** Left out: this server is alone on its database. */
  readonly duties?: Duties;
};

export function createRetention({
  db,
  clock,
  timers,
  log,
  config,
  duties = allDuties,
}: RetentionDependencies) {
  /** Returns the number of attempts whose pictures it deleted. */
  const discardSome = (): Promise<number> =>
    db.transaction(async (tx) => {
      const at = new Date(clock.now());
      const decidedBefore = new Date(at.getTime() - config.kycKeepDays * dayMs);
      const { rows } = await tx.query<{ id: string; user_id: string; attempt: number; pictures: number }>(
        'select * from app.discard_kyc_pictures($1, $2, $3)',
        [decidedBefore, at, attemptsMax],
      );
      for (const { id, user_id, attempt, pictures } of rows) {
        await recordAuditEntry(tx, {
          at,
          actorId: null,
          subjectId: user_id,
          action: 'kyc.discard_pictures',
          objectId: id,
          detail: { attempt, pictures, keep_days: config.kycKeepDays },
        });
      }
      return rows.length;
    });

  /** The same for pictures that belong to no attempt; returns the number of their users. */
  const discardUnsubmitted = (): Promise<number> =>
    db.transaction(async (tx) => {
      const at = new Date(clock.now());
      const storedBefore = new Date(at.getTime() - config.kycKeepDays * dayMs);
      const { rows } = await tx.query<{ user_id: string; pictures: number }>(
        'select * from app.discard_unsubmitted_pictures($1, $2, $3)',
        [storedBefore, at, usersMax],
      );
      for (const { user_id, pictures } of rows) {
        await recordAuditEntry(tx, {
          at,
          actorId: null,
          subjectId: user_id,
          action: 'kyc.discard_pictures',
          detail: { attempt: null, pictures, keep_days: config.kycKeepDays },
        });
      }
      return rows.length;
    });

  async function discardDue(): Promise<void> {
    if (config.kycKeepDays === 0) return;
    while ((await discardSome()) === attemptsMax);
    while ((await discardUnsubmitted()) === usersMax);
  }

  let running: Promise<void> | null = null;
  function run(): Promise<void> {
    running ??= discardDue()
      .catch((error: unknown) => log.warn({ err: error }, 'old pictures of identity checks were not deleted'))
      .finally(() => {
        running = null;
      });
    return running;
  }

  return {
    discardDue,
    /** Runs at once and every hour. Returns the function that stops it. */
    start(): () => Promise<void> {
      let dueAt = timers.now();
      const runIfDue = (): void => {
        if (!duties.isOurs('chores') || timers.now() < dueAt) return;
        dueAt = timers.now() + discardEveryMs;
        void run();
      };
      runIfDue();
      // A duty comes at any time.
      const cancel = timers.every(minuteMs, runIfDue);
      return async () => {
        cancel();
        await running;
      };
    },
  };
}
