/** Identity checks: submission by traders, review by admins (docs/kyc.md). */
import type { Config } from '../../platform/config/index.ts';
import type { Duties } from '../../platform/duties/shared-duties.ts';
import type { Services } from '../../platform/services.ts';
import type { Files } from '../files/index.ts';
import { createCases } from './cases.ts';
import { createClaims } from './claims.ts';
import { createDecisions } from './decisions.ts';
import { createQueue } from './queue.ts';
import { createRetention } from './retention.ts';
import { createSubmission } from './submission.ts';

export { createDecisions } from './decisions.ts';
export { kycFilterFrom, kycFilterSql } from './queue.ts';
export { createSubmission } from './submission.ts';

interface KycDependencies extends Pick<Services, 'db' | 'clock' | 'timers' | 'bus' | 'log'> {
  readonly config: Pick<Config, 'minAge' | 'kycKeepDays'>;
  readonly files: Files;
  /** Left out: this server is alone on its database. */
  readonly duties?: Duties;
}

export function createKyc(deps: KycDependencies) {
  const submission = createSubmission(deps);
  const decisions = createDecisions(deps);
  const cases = createCases(deps);
  const claims = createClaims(deps);
  const queue = createQueue(deps);
  const retention = createRetention(deps);
  return {
    writes: {
      'kyc_verifications.insert': submission.insert,
      'kyc_verifications.update': decisions.updateFromTable,
    },
    procedures: {
      list_kyc_checks: queue.list,
      open_kyc_case: cases.open,
      claim_kyc: claims.claim,
      release_kyc: claims.release,
      review_kyc: decisions.review,
    },
    retention,
  };
}
