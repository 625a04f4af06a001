/**
 * Messages of visitors, and what becomes of them (docs/people.md). This file puts the parts together; each one states its
 * own invariants: `submission.ts`, `transitions.ts`, `replies.ts`.
 */
import type { ContactDependencies } from './context.ts';
import { createReplies } from './replies.ts';
import { createSubmission } from './submission.ts';
import { createTransitions } from './transitions.ts';

export type { ContactDependencies } from './context.ts';
export { createReplyWriter } from './replies.ts';

export function createContact(deps: ContactDependencies) {
  return {
    writes: {
      'contact_forms.open insert': createSubmission(deps),
      'contact_forms.update': createTransitions(deps),
    },
    procedures: { reply_contact_form: createReplies(deps) },
  };
}
