/**
 * Changing one's own username, email and phone number (PROF-03, PROF-11). Invariants: only what differs is sent and judged,
 * because staff may have given a shorter name than its owner may choose (A81); a new email needs the current password,
 * because whoever has the email has the account.
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
import { log } from '../../../shared/log/log.ts';
import { reloadProfile } from '../../../shared/session/index.ts';
import {
  answerOf,
  messageOf,
  type Profile,
  RequestError,
  type Supabase,
} from '../../../shared/supabase/index.ts';
import type { Refusal } from '../useSubmission.ts';

export const profileFields = ['username', 'email', 'phoneNumber', 'currentPassword'] as const;
export type ProfileField = (typeof profileFields)[number];
export type ProfileDraft = Readonly<Record<Exclude<ProfileField, 'currentPassword'>, string>>;
type Own = Pick<Profile, 'username' | 'email' | 'phoneNumber'>;

export const draftOf = ({ username, email, phoneNumber }: Own): ProfileDraft => ({
  username,
  email,
  phoneNumber: phoneNumber ?? '',
});

/** What of a draft is not yet so. */
export function changesOf(user: Own, draft: ProfileDraft): Partial<ProfileDraft> {
  const held = draftOf(user);
  const wanted: ProfileDraft = {
    username: normaliseUsername(draft.username),
    email: normaliseEmail(draft.email),
    phoneNumber: draft.phoneNumber.trim(),
  };
  return {
    ...(wanted.username !== held.username && { username: wanted.username }),
    ...(wanted.email !== held.email && { email: wanted.email }),
    ...(wanted.phoneNumber !== held.phoneNumber && { phoneNumber: wanted.phoneNumber }),
  };
}

/** The objection to each field; one that stays as it is has none. */
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

/** The field that a refusal of the server is about, if it is about one. */
const fieldsOfTexts: Readonly<Record<string, ProfileField>> = {
  [texts.emailTaken]: 'email',
  [texts.usernameTaken]: 'username',
  [texts.currentPasswordIncorrect]: 'currentPassword',
};

/** PROF-09: the server's reason where it gave one, else the stated text. */
export function profileRefusal(cause: unknown): Refusal<ProfileField> {
  const text = messageOf(cause, texts.updateProfileFailed);
  const at = fieldsOfTexts[text];
  return at === undefined ? { text } : { text, at };
}

interface ProfileUpdate {
  readonly supabase: Supabase;
  readonly userId: string;
  readonly changes: Partial<ProfileDraft>;
  readonly currentPassword: string;
}

/** Null when the account is as wanted, else what to show. */
export async function updateProfile({
  supabase,
  userId,
  changes: { username, email, phoneNumber },
  currentPassword,
}: ProfileUpdate): Promise<Refusal<ProfileField> | null> {
  try {
    await answerOf(
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
    return profileRefusal(cause);
  }
  // Done is done: a page that could not read it back shows the old name until the next look.
  await reloadProfile().catch((cause: unknown) => log.warn('The profile could not be read again', cause));
  return null;
}
