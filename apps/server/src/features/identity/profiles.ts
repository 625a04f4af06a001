/**
 * `safe_update_user_profile`: the caller's name, email and phone, and for an admin every user's, with role and manager
 * (A49, A50, A80). Invariants: sign-in follows the email, because it is the same row; only traders have a manager, and only
 * managers are one; there is always an admin. A user whose role changes, or whose email an admin changes, is signed out
 * everywhere in the same transaction. The audit log has an admin's changes, old and new.
 */
import { AppError, type ArgsOf, type SignedIn, type UserRow } from '@fulcrum/contract';
import {
  checkEmail,
  checkEmailByStaff,
  checkPhoneNumber,
  checkUsername,
  checkUsernameByStaff,
  normaliseEmail,
  normaliseUsername,
} from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { enqueueNotice } from '../../platform/mail/queue.ts';
import { countAttempt, refundAttempt } from '../../platform/rate-limit/window-counter.ts';
import { createPseudonymizer, type Pseudonymize, recordAuditEntry } from '../audit/index.ts';
import type { Context } from './context.ts';
import { IdentityError } from './errors.ts';
import type { IdentityProof, IdentityProofs } from './identity-proof.ts';
import { endImpersonationsByOtherManagers, endImpersonationsOfTarget } from './impersonation-store.ts';
import { endRecoveries } from './recovery.ts';
import type { EndedImpersonation, RevokedSession } from './revocations.ts';
import * as sessions from './sessions.ts';
import { lockStaffChanges } from './staff-lock.ts';
import * as users from './users.ts';

type ProfileChange = ArgsOf<'safe_update_user_profile'>;
export type ChangeProfile = (caller: SignedIn, change: ProfileChange) => Promise<UserRow>;

/** What a change brought to an end, to be announced after the commit. */
interface EndedSessions {
  readonly sessions: readonly RevokedSession[];
  readonly impersonation: readonly EndedImpersonation[];
}

export function createProfiles(
  { db, limits, assignments, revocations, bus, log, now }: Context,
  proofs: IdentityProofs,
) {
  /**
   * Changes a profile; absent, null and equal values change nothing. A new email of the caller or by an admin, and a new
   * admin, require the caller's current password or a recent sign-in; a mail to the old address reports a new email.
   * @throws AccountError `registration_invalid`, `email_taken`, `username_taken`, `current_password_wrong`,
   * `reauthentication_needed`, `session_ended`; TooManyAttempts; AppError `not_allowed`, `not_found`,
   * `invalid_argument`, `conflict` for the last admin
   */
  async function changeProfile(caller: SignedIn, change: ProfileChange): Promise<UserRow> {
    const isOwn = change.user_id === caller.userId;
    if (!isOwn && caller.role !== 'admin') {
      throw new AppError('not_allowed', 'You can only change your own profile.');
    }
    const user = await users.findUser(db, change.user_id);
    if (!user) throw isOwn ? new IdentityError('session_ended') : users.userNotFound();
    const proof = await proofOf(caller, user, change);
    const { row, ended, isNewRole, managerIds } = await withNameAttempts(caller, user, change, () =>
      db.transaction(async (tx) => {
        if (caller.role === 'admin') await lockStaffChanges(tx, caller);
        const before = await users.lockUser(tx, change.user_id);
        if (!before) throw isOwn ? new IdentityError('session_ended') : users.userNotFound();
        const after = toRequestedProfile(caller, before, change);
        if (needsProof(caller, before, after)) {
          if (!proof) throw new IdentityError('reauthentication_needed');
          await proofs.requireStillProved(tx, caller, proof);
        }
        if (after.managerId !== null && after.managerId !== before.managerId) {
          await requireManager(tx, after.managerId);
        }
        return {
          ended: await apply(tx, caller, before, after),
          row: await users.getUserRow(tx, before.id),
          isNewRole: after.role !== before.role,
          managerIds: [before.managerId, after.managerId],
        };
      }),
    );
    // Before anything else: what is committed must not be judged by who was assigned before it.
    assignments.invalidate();
    revocations.announce(ended.sessions);
    revocations.announceEndedImpersonations(ended.impersonation);
    const notifiedManagerIds = new Set(managerIds.filter((id) => id !== null));
    if (notifiedManagerIds.size > 0) bus.publish('traders.changed', { managerIds: [...notifiedManagerIds] });
    if (isNewRole) bus.publish('role.changed', { userId: change.user_id });
    if (proof) await proofs.accept(caller);
    return row;
  }

  /**
   * Runs `work` and counts its refusal of a taken name, which discloses that the name exists (SEC-F10). The attempt is
   * counted before and refunded on any other result, so parallel requests count too. Admins see all names anyway.
   */
  async function withNameAttempts<T>(
    caller: SignedIn,
    user: users.User,
    change: ProfileChange,
    work: () => Promise<T>,
  ): Promise<T> {
    const { refusedNameOfAccount } = limits;
    const isNewName = toRequestedProfile(caller, user, change).username !== user.username;
    if (!isNewName || caller.role === 'admin') return users.mapTakenName(work);
    await countAttempt(db, refusedNameOfAccount, caller.actorId, now());
    let isTaken = false;
    try {
      return await users.mapTakenName(work);
    } catch (error) {
      isTaken = error instanceof IdentityError && error.reason === 'username_taken';
      throw error;
    } finally {
      if (!isTaken) await refundAttempt(db, log, refusedNameOfAccount, caller.actorId);
    }
  }

  /** Computed before the transaction, because it costs a hash; null when the change needs no proof. */
  async function proofOf(
    caller: SignedIn,
    user: users.User,
    change: ProfileChange,
  ): Promise<IdentityProof | null> {
    const isOwn = change.user_id === caller.userId;
    // A refusal that needs no password counts as no guess.
    if (!needsProof(caller, user, toRequestedProfile(caller, user, change))) return null;
    return proofs.whenProved(caller, change.current_password ?? undefined, async (proof) => {
      if (isOwn) await countAttempt(db, limits.emailChange, caller.userId, now());
      return proof;
    });
  }

  async function apply(
    tx: Queryable,
    caller: SignedIn,
    before: users.User,
    after: users.Profile,
  ): Promise<EndedSessions> {
    const changed = changedFields(before, after);
    if (changed.length === 0) return { sessions: [], impersonation: [] };
    const at = now();
    const isOwn = before.id === caller.userId;
    const isNewRole = after.role !== before.role;
    const isNewEmail = after.email !== before.email;

    if (isNewRole && before.role === 'admin' && !(await users.hasOtherAdmin(tx, before.id))) {
      throw new AppError('conflict', 'The last admin cannot be demoted.');
    }
    await users.updateProfile(tx, before.id, after);
    if (isNewRole && before.role === 'manager') await users.unassignTradersOf(tx, before.id);
    // An open link, of an import too, would sign its holder in as the admin.
    if (isNewEmail || (isNewRole && after.role === 'admin')) await endRecoveries(tx, before.id, at);
    if (isNewEmail) {
      await enqueueNotice(tx, { kind: 'email_changed', recipient: before.email, detail: {} }, { at, log });
    }
    if (caller.role === 'admin' || isNewEmail) {
      await recordAuditEntry(tx, {
        at,
        actorId: caller.userId,
        subjectId: before.id,
        action: 'user.edit',
        detail: toAuditDetail(changed, before, after, await createPseudonymizer(tx, before.id)),
      });
    }
    const present = { userId: before.id, sessionId: caller.sessionId };
    return {
      sessions:
        isNewRole || (isNewEmail && !isOwn)
          ? await sessions.revokeAll(tx, before.id, at)
          : isNewEmail
            ? await sessions.revokeScope(tx, present, 'others', at)
            : [],
      impersonation: isNewRole
        ? await endImpersonationsOfTarget(tx, before.id, 'role changed', at)
        : await endImpersonationsByOtherManagers(tx, { targetId: before.id, managerId: after.managerId }, at),
    };
  }

  return { changeProfile };
}

/**
 * Who gets an account's email gets the account, by its recovery; a new admin may do everything their maker may; and an
 * admin who is made less can be taken over as what they then are.
 */
function needsProof(caller: SignedIn, before: users.User, after: users.Profile): boolean {
  const isOfAdmins = after.role !== before.role && (after.role === 'admin' || before.role === 'admin');
  const isGuarded = before.id === caller.userId || before.role === 'admin';
  return isOfAdmins || (isGuarded && after.email !== before.email);
}

/** @throws AppError `invalid_argument` unless `id` is a manager's */
export async function requireManager(tx: Queryable, id: string): Promise<void> {
  const manager = await users.findUser(tx, id);
  if (manager?.role !== 'manager') throw new AppError('invalid_argument', 'Manager not found');
}

/** The profile as the caller wants it to be. @throws AppError `not_allowed`, `invalid_argument`; AccountError `registration_invalid` */
function toRequestedProfile(caller: SignedIn, before: users.User, change: ProfileChange): users.Profile {
  const role = change.new_role ?? before.role;
  const requestedManagerId = change.new_manager_id == null ? before.managerId : change.new_manager_id || null;
  const isStaffChange = role !== before.role || requestedManagerId !== before.managerId;
  if (isStaffChange && caller.role !== 'admin') {
    throw new AppError('not_allowed', 'Only an admin can change a role or a manager.');
  }
  if (role !== 'trader' && change.new_manager_id) {
    throw new AppError('invalid_argument', 'Only a trader has a manager.');
  }
  return {
    ...toRequestedDetails(caller, before, change),
    role,
    managerId: role === 'trader' ? requestedManagerId : null,
  };
}

/** A name that stays is not judged: staff may have given a shorter one than its owner may choose (A81). */
function toRequestedDetails(
  caller: SignedIn,
  before: users.User,
  change: ProfileChange,
): Pick<users.Profile, 'email' | 'username' | 'phoneNumber'> {
  const isOwn = before.id === caller.userId;
  const email = change.new_email == null ? before.email : normaliseEmail(change.new_email);
  const username = change.new_username == null ? before.username : normaliseUsername(change.new_username);
  // Staff may take a number away; its owner may only name another one.
  const phone = change.new_phone_number ?? before.phoneNumber;
  const phoneNumber = phone === '' && !isOwn ? null : phone;
  const objection =
    (email === before.email ? null : (isOwn ? checkEmail : checkEmailByStaff)(email)) ??
    (username === before.username ? null : (isOwn ? checkUsername : checkUsernameByStaff)(username)) ??
    (phoneNumber === before.phoneNumber || phoneNumber === null ? null : checkPhoneNumber(phoneNumber));
  if (objection !== null) throw new IdentityError('registration_invalid', objection);
  return { email, username, phoneNumber };
}

const personalFields: ReadonlySet<keyof users.Profile> = new Set(['email', 'username', 'phoneNumber']);

const columnByField = {
  email: 'email',
  username: 'username',
  role: 'role',
  phoneNumber: 'phone_number',
  managerId: 'manager_id',
} as const satisfies Record<keyof users.Profile, string>;
type Field = keyof users.Profile;

const changedFields = (before: users.User, after: users.Profile): readonly Field[] =>
  (Object.keys(columnByField) as Field[]).filter((field) => before[field] !== after[field]);

/** What differs, as it was and as it will be, under the columns' names, for the audit log. */
function toAuditDetail(
  changed: readonly Field[],
  before: users.User,
  after: users.Profile,
  pseudonymize: Pseudonymize,
) {
  const shown = (profile: users.Profile, field: Field) =>
    personalFields.has(field) ? pseudonymize(profile[field]) : profile[field];
  const pick = (profile: users.Profile) =>
    Object.fromEntries(changed.map((field) => [columnByField[field], shown(profile, field)]));
  return { before: pick(before), after: pick(after) };
}
