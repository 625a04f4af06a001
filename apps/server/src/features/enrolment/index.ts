/** How people come in (A117): who may register, invitations, and imports of users. */
import { guardFromImpersonation } from '../identity/index.ts';
import type { EnrolmentDependencies } from './dependencies.ts';
import { createInvitations } from './invitations.ts';
import { createInviteAgain } from './invite-again.ts';
import { createRegistrationTerms } from './registration-terms.ts';
import { createUserImport } from './user-import.ts';

export { inviteRefusal } from './invite-again.ts';
export { createOperatorImport, type ImportReport } from './operator-import.ts';

export type Enrolment = ReturnType<typeof createEnrolment>;

export function createEnrolment(deps: EnrolmentDependencies) {
  const { procedures, get_invitation, ...invitations } = createInvitations(deps);
  return {
    ...createRegistrationTerms(deps, invitations),
    procedures: {
      ...guardFromImpersonation({ ...procedures, ...createUserImport(deps), ...createInviteAgain(deps) }),
      get_invitation,
    },
  };
}
