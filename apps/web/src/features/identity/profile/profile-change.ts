/**
 * Changes the user's own username, email and phone number (PROF-03, PROF-11). Invariants: only changed fields are
 * sent and checked, because staff may have set a shorter name than a user may choose (A81). A new email requires the
 * current password, because the email's owner can take over the account.
 */
import { texts } from '@fulcrum/contract/texts';
import {
  checkEmail,
  checkPhoneNumber,
  checkUsername,
  normaliseEmail,
  normaliseUsername,
  validationTexts,
} from '@fulcrum/domain';
import type { SubmissionError } from '../../../shared/form/index.ts';
import { log } from '../../../shared/log/log.ts';
import { reloadProfile } from '../../../shared/session/index.ts';
import {
  getErrorMessage,
  type Profile,
  RequestError,
  type Supabase,
  unwrapOrNull,
} from '../../../shared/supabase/index.ts';

export const profileFields = ['username', 'email', 'phoneNumber', 'currentPassword'] as const;
export type ProfileField = (typeof profileFields)[number];
export type ProfileDraft = Readonly<Record<Exclude<ProfileField, 'currentPassword'>, string>>;
type EditableProfile = Pick<Profile, 'username' | 'email' | 'phoneNumber'>;

export const toProfileDraft = ({ username, email, phoneNumber }: EditableProfile): ProfileDraft => ({
  username,
  email,
  phoneNumber: phoneNumber ?? '',
});

/** The fields of a draft that differ from the account. */
export function getProfileChanges(user: EditableProfile, draft: ProfileDraft): Partial<ProfileDraft> {
  const current = toProfileDraft(user);
  const normalised: ProfileDraft = {
    username: normaliseUsername(draft.username),
    email: normaliseEmail(draft.email),
    phoneNumber: draft.phoneNumber.trim(),
  };
  return {
    ...(normalised.username !== current.username && { username: normalised.username }),
    ...(normalised.email !== current.email && { email: normalised.email }),
    ...(normalised.phoneNumber !== current.phoneNumber && { phoneNumber: normalised.phoneNumber }),
  };
}

/** The error of each changed field; an unchanged one has none. */
export function checkChanges(
  { username, email, phoneNumber }: Partial<ProfileDraft>,
  currentPassword: string,
): Readonly<Record<ProfileField, string | null>> {
  return {
    username: username === undefined ? null : checkUsername(username),
    email: email === undefined ? null : checkEmail(email),
    phoneNumber: phoneNumber === undefined ? null : checkPhoneNumber(phoneNumber),
    currentPassword: email !== undefined && currentPassword === '' ? validationTexts.passwordRequired : null,
  };
}

/** The field that a refusal of the server concerns, if any. */
const fieldByText: Readonly<Record<string, ProfileField>> = {
  [texts.emailTaken]: 'email',
  [texts.usernameTaken]: 'username',
  [texts.currentPasswordIncorrect]: 'currentPassword',
};

/** The server's reason where it gave one, else the stated text (PROF-09). */
export function toProfileRefusal(cause: unknown): SubmissionError<ProfileField> {
  const text = getErrorMessage(cause, texts.updateProfileFailed);
  const at = fieldByText[text];
  return at === undefined ? { text } : { text, at };
}

interface ProfileUpdate {
  readonly supabase: Supabase;
  readonly userId: string;
  readonly changes: Partial<ProfileDraft>;
  readonly currentPassword: string;
}

/** Null after success, else the error to show. */
export async function updateProfile({
  supabase,
  userId,
  changes: { username, email, phoneNumber },
  currentPassword,
}: ProfileUpdate): Promise<SubmissionError<ProfileField> | null> {
  try {
    await unwrapOrNull(
      supabase.rest.rpc('safe_update_user_profile', {
        user_id: userId,
        ...(username !== undefined && { new_username: username }),
        ...(phoneNumber !== undefined && { new_phone_number: phoneNumber }),
        ...(email !== undefined && { new_email: email, current_password: currentPassword }),
      }),
    );
  } catch (cause) {
    if (!(cause instanceof RequestError) || cause.status === 0 || cause.status >= 500) {
      log.warn('Updating the profile failed', cause);
    }
    return toProfileRefusal(cause);
  }
  // The change is stored: if the reload fails, the page shows the old name until the next read.
  await reloadProfile().catch((cause: unknown) => log.warn('The profile could not be read again', cause));
  return null;
}
