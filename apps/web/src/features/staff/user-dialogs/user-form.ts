/**
 * The fields of a user form and their validation. Invariants: staff may give shorter names than users give themselves (A81);
 * only a trader has a manager (ADMIN-53); an edit sends changed fields only.
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
import type { UserSummary } from './actions.ts';

export const userFields = ['username', 'email', 'password', 'confirmPassword', 'currentPassword'] as const;
export type UserField = (typeof userFields)[number];
export type UserFields = Readonly<Record<UserField, string>>;
export type UserFormErrors = Readonly<Record<Exclude<UserField, 'currentPassword'>, string | null>>;

const validateUser = (
  { username, email, password, confirmPassword }: UserFields,
  withoutPassword: string | null,
): UserFormErrors => ({
  username: checkUsernameByStaff(username),
  email: checkEmailByStaff(email),
  password: password === '' ? withoutPassword : checkNewPassword(password),
  confirmPassword: checkConfirmation(password, confirmPassword),
});

/** Checks the fields of Add User, each with its stated text (ADMIN-35 to ADMIN-39). */
export const validateNewUser = (fields: UserFields): UserFormErrors =>
  validateUser(fields, validationTexts.passwordRequired);

/** The password is optional; a filled confirmation makes it required (ADMIN-46 to ADMIN-50). */
export const validateEditedUser = (fields: UserFields): UserFormErrors => validateUser(fields, null);

export interface UserDraft {
  readonly username: string;
  readonly email: string;
  readonly role: UserRole;
  /** '' is no manager. */
  readonly managerId: string;
}
type StoredUser = Pick<UserSummary, 'username' | 'email' | 'role' | 'manager_id'>;

export const toUserDraft = ({ username, email, role, manager_id }: StoredUser): UserDraft => ({
  username,
  email,
  role,
  managerId: manager_id ?? '',
});

/** Another role clears the manager, also when the role changes back before saving (ADMIN-53). */
export const withRole = (draft: UserDraft, role: UserRole): UserDraft => ({
  ...draft,
  role,
  managerId: role === 'trader' ? draft.managerId : '',
});

/** The arguments of `safe_update_user_profile` that change something. */
export interface UserChanges {
  readonly new_username?: string;
  readonly new_email?: string;
  readonly new_role?: UserRole;
  readonly new_manager_id?: string;
}

export function getUserChanges(stored: StoredUser, draft: UserDraft): UserChanges {
  const before = toUserDraft(stored);
  const username = normaliseUsername(draft.username);
  const email = normaliseEmail(draft.email);
  return {
    ...(username !== before.username && { new_username: username }),
    ...(email !== before.email && { new_email: email }),
    ...(draft.role !== before.role && { new_role: draft.role }),
    // The server clears the manager of a user who is no longer a trader.
    ...(draft.role === 'trader' &&
      draft.managerId !== before.managerId && { new_manager_id: draft.managerId }),
  };
}

/** The side effects of an edit, stated before it is made; null without any (A80). */
export function describeConsequence(
  stored: StoredUser,
  changes: UserChanges,
  hasPassword: boolean,
): string | null {
  const isSignedOut = changes.new_role !== undefined || changes.new_email !== undefined || hasPassword;
  if (!isSignedOut) return null;
  const more =
    changes.new_role === undefined
      ? ''
      : stored.role === 'trader'
        ? ' Their wallet and positions stay.'
        : stored.role === 'manager'
          ? ' Their traders will have no manager.'
          : '';
  return `The user will be signed out everywhere.${more}`;
}
