/**
 * `safe_update_user_profile`: one's own name, email and phone, and for an admin anybody's, their role and their trader's
 * manager too (A49, A50, A80). Invariants: sign-in follows the email, because it is the same row; only traders have a
 * manager, and only a manager is one; there is always an admin; whoever gets another role, or another email from an
 * admin, is signed out everywhere in the same transaction; what an admin changes is in the audit log as it was and as it
 * is.
 */
import { AppError, type SignedIn, type safeUpdateUserProfile, type UserRow } from '@fulcrum/contract';
import {
  checkEmail,
  checkEmailByStaff,
  checkPhoneNumber,
  checkUsername,
  checkUsernameByStaff,
  normaliseEmail,
  normaliseUsername,
} from '@fulcrum/domain';
import type { z } from 'zod';
import type { Queryable } from '../../platform/database/index.ts';
import { countAttempt, limits } from './attempts.ts';
import { markOf, recordAct } from './audit.ts';
import type { Context } from './context.ts';
import { AccountError } from './errors.ts';
import type { IdentityProof, IdentityProofs } from './identity-proof.ts';
import { endImpersonationsAs, endImpersonationsByOtherManagers } from './impersonations.ts';
import { enqueueMail } from './mails.ts';
import { endRecoveries } from './recovery.ts';
import type { EndedActing, RevokedSession } from './revocations.ts';
import * as sessions from './sessions.ts';
import { takeStaffTurn } from './staff-acts.ts';
import * as users from './users.ts';

export type ProfileChange = z.output<typeof safeUpdateUserProfile.args>;
export type ChangeProfile = (caller: SignedIn, change: ProfileChange) => Promise<UserRow>;

/** What a change brought to an end, to be announced after the commit. */
interface Ended {
  readonly sessions: readonly RevokedSession[];
  readonly acting: readonly EndedActing[];
}

export function createProfiles(
  { db, assignments, revocations, bus, log, now }: Context,
  proofs: IdentityProofs,
) {
  /**
   * What is absent, null or as before stays as it is. One's own new email, an admin's new email and a new admin ask for
   * the caller's current password or a recent sign-in; a new email is told to the old address.
   * @throws AccountError `registration_invalid`, `email_taken`, `username_taken`, `current_password_wrong`,
   * `reauthentication_needed`, `session_ended`; TooManyAttempts; AppError `not_allowed`, `not_found`,
   * `invalid_argument`, `conflict` for the last admin
   */
  async function changeProfile(caller: SignedIn, change: ProfileChange): Promise<UserRow> {
    const isOwn = change.user_id === caller.userId;
    if (!isOwn && caller.role !== 'admin') {
      throw new AppError('not_allowed', 'You can only change your own profile.');
    }
    const proof = await proofOf(caller, change);
    const { row, ended, isNewRole, managerIds } = await users.namingTaken(() =>
      db.transaction(async (tx) => {
        if (caller.role === 'admin') await takeStaffTurn(tx, caller);
        const before = await users.lockUser(tx, change.user_id);
        if (!before) throw isOwn ? new AccountError('session_ended') : users.userNotFound();
        const after = wanted(caller, before, change);
        if (needsProof(caller, before, after)) {
          if (!proof) throw new AccountError('reauthentication_needed');
          await proofs.requireStillProved(tx, caller, proof);
        }
        if (after.managerId !== null && after.managerId !== before.managerId) {
          await requireManager(tx, after.managerId);
        }
        return {
          ended: await apply(tx, caller, before, after),
          row: await users.userRowOf(tx, before.id),
          isNewRole: after.role !== before.role,
          managerIds: [before.managerId, after.managerId],
        };
      }),
    );
    // Before anything else: what is committed must not be judged by who was assigned before it.
    assignments.forget();
    revocations.announce(ended.sessions);
    revocations.announceEndedActing(ended.acting);
    const told = new Set(managerIds.filter((id) => id !== null));
    if (told.size > 0) bus.publish('traders.changed', { managerIds: [...told] });
    if (isNewRole) bus.publish('role.changed', { userId: change.user_id });
    if (proof) await proofs.accept(caller);
    return row;
  }

  /** Asked for before the transaction, because it costs a hash; null when the change needs none. */
  async function proofOf(caller: SignedIn, change: ProfileChange): Promise<IdentityProof | null> {
    const isOwn = change.user_id === caller.userId;
    const user = await users.findUser(db, change.user_id);
    if (!user) throw isOwn ? new AccountError('session_ended') : users.userNotFound();
    // A refusal that needs no password counts as no guess.
    if (!needsProof(caller, user, wanted(caller, user, change))) return null;
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
  ): Promise<Ended> {
    const difference = differenceOf(before, after);
    if (!difference) return { sessions: [], acting: [] };
    const at = now();
    const isOwn = before.id === caller.userId;
    const isNewRole = after.role !== before.role;
    const isNewEmail = after.email !== before.email;

    if (isNewRole && before.role === 'admin' && !(await users.hasAdminBeside(tx, before.id))) {
      throw new AppError('conflict', 'The last admin cannot be demoted.');
    }
    await users.updateProfile(tx, before.id, after);
    if (isNewRole && before.role === 'manager') await users.releaseTradersOf(tx, before.id);
    if (isNewEmail) {
      await endRecoveries(tx, before.id, at);
      await enqueueMail(tx, { kind: 'email_changed', recipient: before.email, detail: {} }, { at, log });
    }
    if (caller.role === 'admin' || isNewEmail) {
      await recordAct(tx, {
        at,
        actorId: caller.userId,
        subjectId: before.id,
        action: 'profile_changed',
        detail: difference,
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
      acting: isNewRole
        ? await endImpersonationsAs(tx, before.id, 'role changed', at)
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
function wanted(caller: SignedIn, before: users.User, change: ProfileChange): users.Profile {
  const role = change.new_role ?? before.role;
  const named = change.new_manager_id == null ? before.managerId : change.new_manager_id || null;
  const isStaffChange = role !== before.role || named !== before.managerId;
  if (isStaffChange && caller.role !== 'admin') {
    throw new AppError('not_allowed', 'Only an admin can change a role or a manager.');
  }
  if (role !== 'trader' && change.new_manager_id) {
    throw new AppError('invalid_argument', 'Only a trader has a manager.');
  }
  return { ...wantedDetails(caller, before, change), role, managerId: role === 'trader' ? named : null };
}

/** A name that stays is not judged: staff may have given a shorter one than its owner may choose (A81). */
function wantedDetails(
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
  if (objection !== null) throw new AccountError('registration_invalid', objection);
  return { email, username, phoneNumber };
}

const personal: ReadonlySet<keyof users.Profile> = new Set(['email', 'username', 'phoneNumber']);

/** What differs, as it was and as it will be, under the columns' names, for the audit log; undefined when nothing does. */
function differenceOf(before: users.User, after: users.Profile) {
  const columns = {
    email: 'email',
    username: 'username',
    role: 'role',
    phoneNumber: 'phone_number',
    managerId: 'manager_id',
  } as const satisfies Record<keyof users.Profile, string>;
  const fields = Object.keys(columns) as (keyof users.Profile)[];
  const changed = fields.filter((field) => before[field] !== after[field]);
  if (changed.length === 0) return undefined;
  const shown = (profile: users.Profile, field: keyof users.Profile) =>
    personal.has(field) ? markOf(before.id, profile[field]) : profile[field];
  const pick = (profile: users.Profile) =>
    Object.fromEntries(changed.map((field) => [columns[field], shown(profile, field)]));
  return { before: pick(before), after: pick(after) };
}
