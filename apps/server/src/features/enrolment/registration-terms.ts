/**
 * Who may register and what they begin with (A117). Invariant: a registration by a person has terms of this module, so the operator's mode
 * and mail domains hold for every one; a use of an invitation is counted in the transaction that creates the user.
 */
import { isDomainAllowed, normaliseEmail, parseInvitationCode } from '@fulcrum/domain';
import { IdentityError, type RegistrationTerms } from '../identity/index.ts';
import type { EnrolmentDependencies } from './dependencies.ts';
import type { Invitations } from './invitations.ts';

export function createRegistrationTerms(
  { config }: Pick<EnrolmentDependencies, 'config'>,
  { findOpen, redeem }: Pick<Invitations, 'findOpen' | 'redeem'>,
) {
  const usual: RegistrationTerms = { initialBalance: config.signupBalance, enrol: async () => undefined };

  return {
    /** Of a user whom staff sign up (CALL-65). */
    termsByStaff: async (): Promise<RegistrationTerms> => usual,

    /**
     * Reads the terms of a registering person when the registration is counted.
     * @throws AccountError `registration_closed`, `email_domain_refused`, `invitation_needed`, `invitation_invalid`
     */
    termsFor: (email: string, invitationCode: string) => async (): Promise<RegistrationTerms> => {
      if (config.registration === 'closed') throw new IdentityError('registration_closed');
      if (!isDomainAllowed(normaliseEmail(email), config.registrationDomains)) {
        throw new IdentityError('email_domain_refused');
      }
      if (invitationCode.trim() === '') {
        if (config.registration === 'invited') throw new IdentityError('invitation_needed');
        return usual;
      }
      const code = parseInvitationCode(invitationCode);
      const invitation = code === null ? null : await findOpen(code);
      if (!invitation) throw new IdentityError('invitation_invalid');
      return {
        initialBalance: invitation.startBalance ?? config.signupBalance,
        enrol: (tx, user, at) => redeem(tx, invitation, user, at),
      };
    },
  };
}
