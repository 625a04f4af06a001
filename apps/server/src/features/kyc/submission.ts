/** A trader submits an identity check (CALL-58). */
import { busy } from '@fulcrum/contract';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';

export interface SubmissionDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly bus: Bus;
}

export function createSubmission(_deps: SubmissionDependencies) {
  return {
    insert: async (): Promise<never> => {
      throw busy();
    },
  };
}
