/**
 * Who may register (A117): the modes, the mail domains, and the codes of invitations. Invariant: a code is read in any case, with or
 * without hyphens and blanks, and with the letters that look like digits.
 */

/** `open`: everybody; `invited`: with the code of an invitation; `closed`: nobody, staff add users. */
export const registrationModes = ['open', 'invited', 'closed'] as const;
export type RegistrationMode = (typeof registrationModes)[number];

/** Crockford's Base32: no I, L, O and U. Ten characters are 50 bits. */
export const invitationAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const invitationCodeLength = 10;

/** The most registrations that one invitation allows. */
export const invitationUsesMax = 10_000;

/** The code as it is stored; null for a text that is none. */
export function parseInvitationCode(text: string): string | null {
  const normal = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  const isCode =
    normal.length === invitationCodeLength &&
    [...normal].every((digit) => invitationAlphabet.includes(digit));
  return isCode ? normal : null;
}

/** As it is shown: `ABCDE-12345`. */
export const formatInvitationCode = (stored: string): string => `${stored.slice(0, 5)}-${stored.slice(5)}`;

/** Whether the email, in its normal form, is in one of the domains; `*.name` is any domain below it. An empty list admits all. */
export function isDomainAllowed(email: string, domains: readonly string[]): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return (
    domains.length === 0 ||
    domains.some((allowed) =>
      allowed.startsWith('*.') ? domain.endsWith(allowed.slice(1)) : domain === allowed,
    )
  );
}
