/** Messages of visitors, and what becomes of them (docs/people.md). */
import { busy } from '@fulcrum/contract';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';

export interface ContactDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
}

export function createContact(_deps: ContactDependencies) {
  const notYet = async (): Promise<never> => {
    throw busy();
  };
  return {
    writes: { 'contact_forms.open insert': notYet, 'contact_forms.update': notYet },
    procedures: { reply_contact_form: notYet },
  };
}
