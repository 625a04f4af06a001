/** Changes the user's own password (PROF-05 to PROF-08): the form's checks, and the request. */
import { texts } from '@fulcrum/contract/texts';
import { checkConfirmation, checkNewPassword, validationTexts } from '@fulcrum/domain';
import type { SubmissionError } from '../../../shared/form/index.ts';
import { log } from '../../../shared/log/log.ts';
import type { Supabase } from '../../../shared/supabase/index.ts';
import { type AuthFailure, tooManyRequestsStatus } from '../authentication.ts';
import { toUpdateRefusal } from '../recovery.ts';

export const passwordFields = ['currentPassword', 'newPassword', 'confirmPassword'] as const;
export type PasswordField = (typeof passwordFields)[number];
export type PasswordDraft = Readonly<Record<PasswordField, string>>;

/** Which page's form: the account settings' or the staff page's. */
export type PasswordFormCopy = 'trader' | 'staff';

/** The two forms state the same mismatch in different words (A47, PROF-06, PROF-07). */
const mismatchText = {
  trader: texts.newPasswordsDiffer,
  staff: validationTexts.passwordsDiffer,
} as const satisfies Record<PasswordFormCopy, string>;

/** Checks the form by the registration's rules; the texts are this form's own. */
export const checkPasswordChange = (
  { currentPassword, newPassword, confirmPassword }: PasswordDraft,
  copy: PasswordFormCopy,
) => ({
  currentPassword: currentPassword === '' ? validationTexts.passwordRequired : null,
  newPassword: checkNewPassword(newPassword) === null ? null : texts.newPasswordTooShort,
  confirmPassword: checkConfirmation(newPassword, confirmPassword) === null ? null : mismatchText[copy],
});

/** A wrong current password is shown at its field; a rate limit states how long to wait (PROF-08, PROF-10). */
export function toPasswordRefusal(failure: AuthFailure): SubmissionError<PasswordField> {
  const { message, status, code } = failure;
  if (code === 'invalid_credentials') {
    return { text: texts.currentPasswordIncorrect, at: 'currentPassword' };
  }
  return status === tooManyRequestsStatus ? { text: message } : toUpdateRefusal(failure);
}

/**
 * Null when the password was changed, else the error to show. The server checks the current one like a sign-in,
 * counts failures alike, and ends every other session of the account.
 */
export async function changePassword(
  supabase: Supabase,
  { currentPassword, newPassword }: PasswordDraft,
): Promise<SubmissionError<PasswordField> | null> {
  try {
    const { error } = await supabase.auth.updateUser({
      password: newPassword,
      current_password: currentPassword,
    });
    return error ? toPasswordRefusal(error) : null;
  } catch (cause) {
    log.warn('Changing the password failed', cause);
    return { text: texts.updatePasswordFailed };
  }
}
