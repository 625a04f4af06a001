/** Identity checks: submission by traders, review by admins (docs/kyc.md). */
import type { Services } from '../../platform/services.ts';
import type { Files } from '../files/index.ts';
import { createCases } from './cases.ts';
import { createDecisions } from './decisions.ts';
import { createSubmission } from './submission.ts';

export { createDecisions } from './decisions.ts';
export { createSubmission } from './submission.ts';

export interface KycDependencies extends Pick<Services, 'db' | 'clock' | 'bus' | 'log'> {
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
