/**
 * Contact messages of visitors and their handling (docs/contact.md). This file assembles the parts; each states its own
 * invariants: `submission.ts`, `transitions.ts`, `replies.ts`.
 */
import type { ContactDependencies } from './context.ts';
import { createReplies } from './replies.ts';
import { createSubmission } from './submission.ts';
import { createTransitions } from './transitions.ts';

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
