/** Changing one's own password (PROF-05 to PROF-08): the checks of the form, and the one call that does it. */
import { texts } from '@fulcrum/contract/texts';
import { checkConfirmation, checkNewPassword, validationTexts } from '@fulcrum/domain';
import { log } from '../../../shared/log/log.ts';
import type { Supabase } from '../../../shared/supabase/index.ts';
import { type AuthFailure, tooMany } from '../authentication.ts';
import { updateRefusal } from '../recovery.ts';
import type { Refusal } from '../useSubmission.ts';

export const passwordFields = ['currentPassword', 'newPassword', 'confirmPassword'] as const;
export type PasswordField = (typeof passwordFields)[number];
export type PasswordDraft = Readonly<Record<PasswordField, string>>;

/** The rules are the registration's, the texts this form's own (A47). */
export const checkPasswordChange = ({ currentPassword, newPassword, confirmPassword }: PasswordDraft) => ({
  currentPassword: currentPassword === '' ? validationTexts.passwordRequired : null,
  newPassword: checkNewPassword(newPassword) === null ? null : texts.newPasswordTooShort,
  confirmPassword: checkConfirmation(newPassword, confirmPassword) === null ? null : texts.newPasswordsDiffer,
});

/** PROF-08, PROF-10: a wrong current password is said at its field; a rate limit says how long to wait. */
export function passwordRefusal(failure: AuthFailure): Refusal<PasswordField> {
  const { message, status, code } = failure;
  if (code === 'invalid_credentials') {
    return { text: texts.currentPasswordIncorrect, at: 'currentPassword' };
  }
  return status === tooMany ? { text: message } : updateRefusal(failure);
}

/**
 * Null when the new password holds, else what to show. The server checks the current one as a sign-in would, counts wrong
 * ones alike, and ends every other session of the account with the old password.
 */
export async function changePassword(
  supabase: Supabase,
  { currentPassword, newPassword }: PasswordDraft,
): Promise<Refusal<PasswordField> | null> {
  try {
    const { error } = await supabase.auth.updateUser({
      password: newPassword,
      current_password: currentPassword,
    });
    return error ? passwordRefusal(error) : null;
  } catch (cause) {
    log.warn('Changing the password failed', cause);
    return { text: texts.updatePasswordFailed };
  }
}
