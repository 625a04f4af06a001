/** Identity checks: submission by traders, review by admins (docs/people.md). */
import { busy } from '@fulcrum/contract';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Files } from '../files/index.ts';
import { createSubmission } from './submission.ts';

export interface KycDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
  readonly files: Files;
}

export function createKyc(deps: KycDependencies) {
  const submission = createSubmission(deps);
  const notYet = async (): Promise<never> => {
    throw busy();
  };
  return {
    writes: { 'kyc_verifications.insert': submission.insert, 'kyc_verifications.update': notYet },
    procedures: { open_kyc_case: notYet, review_kyc: notYet },
  };
}
