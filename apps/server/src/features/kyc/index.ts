/** Identity checks: submission by traders, review by admins (docs/kyc.md). */
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Files } from '../files/index.ts';
import { createCases } from './cases.ts';
import { createDecisions } from './decisions.ts';
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
  const decisions = createDecisions(deps);
  const cases = createCases(deps);
  return {
    writes: {
      'kyc_verifications.insert': submission.insert,
      'kyc_verifications.update': decisions.updateFromTable,
    },
    procedures: { open_kyc_case: cases.open, review_kyc: decisions.review },
  };
}
