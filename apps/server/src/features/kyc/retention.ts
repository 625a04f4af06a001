/**
 * Deletes the pictures of decided identity checks after `KYC_KEEP_DAYS`; 0 stores them for good. Invariants: the attempt and
 * its decision stay; pictures and the audit row of their deletion go in one transaction. The hashes stay, so a duplicate is
 * still found by them.
 *
 * Known limitation: pictures that were uploaded and never submitted belong to no attempt, so no decision dates them.
 */
import { dayMs, hourMs } from '@fulcrum/domain';
import type { Config } from '../../platform/config/index.ts';
import type { Services } from '../../platform/services.ts';
import { recordAuditEntry } from '../audit/index.ts';

const discardEveryMs = hourMs;
/** In one transaction: a few hundred pictures. */
const attemptsMax = 100;

export type RetentionDependencies = Pick<Services, 'db' | 'clock' | 'timers' | 'log'> & {
  readonly config: Pick<Config, 'kycKeepDays'>;
};

export function createRetention({ db, clock, timers, log, config }: RetentionDependencies) {
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

  async function discardDue(): Promise<void> {
    if (config.kycKeepDays === 0) return;
    while ((await discardSome()) === attemptsMax);
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
      void run();
      const cancel = timers.every(discardEveryMs, () => void run());
      return async () => {
        cancel();
        await running;
      };
    },
  };
}
