/**
 * What a form about a user holds, and what is wrong with it. Invariants: staff may give shorter names than people give
 * themselves (A81); only a trader has a manager (ADMIN-53); of an edit only what differs is sent.
 */
import type { UserRole } from '@fulcrum/contract';
import {
  checkConfirmation,
  checkEmailByStaff,
  checkNewPassword,
  checkUsernameByStaff,
  normaliseEmail,
  normaliseUsername,
  validationTexts,
} from '@fulcrum/domain';
import type { Person } from './acts.ts';

export const userFields = ['username', 'email', 'password', 'confirmPassword', 'currentPassword'] as const;
export type UserField = (typeof userFields)[number];
export type UserFields = Readonly<Record<UserField, string>>;
export type UserObjections = Readonly<Record<Exclude<UserField, 'currentPassword'>, string | null>>;

/** ADMIN-35 to ADMIN-39. */
export const checkNewUser = ({ username, email, password, confirmPassword }: UserFields): UserObjections => ({
  username: checkUsernameByStaff(username),
  email: checkEmailByStaff(email),
  password: password === '' ? validationTexts.passwordRequired : checkNewPassword(password),
  confirmPassword: checkConfirmation(password, confirmPassword),
});

/** ADMIN-46 to ADMIN-50: the password is optional; one that is confirmed is meant. */
export const checkEditedUser = ({
  username,
  email,
  password,
  confirmPassword,
}: UserFields): UserObjections => ({
  username: checkUsernameByStaff(username),
  email: checkEmailByStaff(email),
  password: password === '' ? null : checkNewPassword(password),
  confirmPassword: checkConfirmation(password, confirmPassword),
});

export interface UserDraft {
  readonly username: string;
  readonly email: string;
  readonly role: UserRole;
  /** '' is nobody. */
  readonly managerId: string;
}
type Held = Pick<Person, 'username' | 'email' | 'role' | 'manager_id'>;

export const draftOf = ({ username, email, role, manager_id }: Held): UserDraft => ({
  username,
  email,
  role,
  managerId: manager_id ?? '',
});

/** ADMIN-53: whoever becomes something else has no manager, also when they become a trader again before it is saved. */
export const withRole = (draft: UserDraft, role: UserRole): UserDraft => ({
  ...draft,
  role,
  managerId: role === 'trader' ? draft.managerId : '',
});

/** The arguments of `safe_update_user_profile` that say what is not yet so. */
export interface UserChanges {
  readonly new_username?: string;
  readonly new_email?: string;
  readonly new_role?: UserRole;
  readonly new_manager_id?: string;
}

export function changesOf(held: Held, draft: UserDraft): UserChanges {
  const before = draftOf(held);
  const username = normaliseUsername(draft.username);
  const email = normaliseEmail(draft.email);
  return {
    ...(username !== before.username && { new_username: username }),
    ...(email !== before.email && { new_email: email }),
    ...(draft.role !== before.role && { new_role: draft.role }),
    // The server takes it away by itself from whoever is no trader any more.
    ...(draft.role === 'trader' &&
      draft.managerId !== before.managerId && { new_manager_id: draft.managerId }),
  };
}

/** A80: what else comes of an edit, said before it is made; null when nothing does. */
export function consequenceOf(held: Held, changes: UserChanges, hasPassword: boolean): string | null {
  const isSignedOut = changes.new_role !== undefined || changes.new_email !== undefined || hasPassword;
  if (!isSignedOut) return null;
  const more =
    changes.new_role === undefined
      ? ''
      : held.role === 'trader'
        ? ' Their wallet and positions are kept.'
        : held.role === 'manager'
          ? ' Their traders have no manager then.'
          : '';
  return `They are signed out everywhere.${more}`;
}
