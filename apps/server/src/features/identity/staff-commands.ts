/**
 * Account commands of admins besides profile changes: `admin_create_user` (A51) and `assign_user_to_manager` (CALL-54).
 * Invariant: account, wallet, start balance and audit row are one transaction, and the admin's own session is untouched.
 */
import type { adminCreateUser, assignUserToManager, SignedIn, UserRow } from '@fulcrum/contract';
import { AppError } from '@fulcrum/contract';
import { checkEmailByStaff, checkUsernameByStaff, parseDecimal } from '@fulcrum/domain';
import type { z } from 'zod';
import { createPseudonymizer, recordAuditEntry } from '../audit/index.ts';
import { type Context, requireStrong } from './context.ts';
import { IdentityError } from './errors.ts';
import type { IdentityProofs } from './identity-proof.ts';
import { type ChangeProfile, requireManager } from './profiles.ts';
import type { UserDraft } from './registration.ts';
import { lockStaffChanges } from './staff-lock.ts';
import * as users from './users.ts';

/** Start balance of a trader that an admin creates, whatever SIGNUP_BALANCE is (A13). */
const traderBalance = parseDecimal('10000');

export function createStaffCommands(
  { db, bus, now }: Context,
  {
    hashed,
    changeProfile,
    proofs,
  }: {
    readonly hashed: (account: UserDraft) => Promise<users.NewUser>;
    readonly changeProfile: ChangeProfile;
    readonly proofs: IdentityProofs;
  },
) {
  /**
   * Creates an account: a trader begins with 10000 USDT, staff with an empty wallet (A14). It signs no one in: `last_login`
   * is null. Creating an admin requires an identity proof.
   * @throws AccountError `registration_invalid`, `password_weak`, `email_taken`, `username_taken`,
   * `current_password_wrong`, `reauthentication_needed`, `session_ended`; TooManyAttempts; AppError `invalid_argument`,
   * `busy`
   */
  async function createByAdmin(
    caller: SignedIn,
    args: z.output<typeof adminCreateUser.args>,
  ): Promise<UserRow> {
    const { p_email: email, p_username: username, p_password: password, p_role: role } = args;
    const managerId = args.p_manager_id ?? null;
    const objection = checkUsernameByStaff(username) ?? checkEmailByStaff(email);
    if (objection !== null) throw new IdentityError('registration_invalid', objection);
    requireStrong(password);
    if (managerId !== null && role !== 'trader') {
      throw new AppError('invalid_argument', 'Only a trader has a manager.');
    }
    const currentPassword = args.p_current_password ?? undefined;
    const proof =
      role === 'admin' ? await proofs.whenProved(caller, currentPassword, async (proved) => proved) : null;
    const initialBalance = role === 'trader' ? traderBalance : 0n;
    const account = await hashed({ email, username, password, role, managerId, initialBalance });
    const at = now();
    const row = await users.insertUser(db, account, at, {
      before: async (tx) => {
        await lockStaffChanges(tx, caller);
        if (proof) await proofs.requireStillProved(tx, caller, proof);
        if (managerId !== null) await requireManager(tx, managerId);
      },
      after: async (tx, user) => {
        const pseudonymize = await createPseudonymizer(tx, user.id);
        await recordAuditEntry(tx, {
          at,
          actorId: caller.userId,
          subjectId: user.id,
          action: 'user.create',
          detail: {
            email: pseudonymize(user.email),
            username: pseudonymize(user.username),
            role,
            manager_id: managerId,
          },
        });
        return users.getUserRow(tx, user.id);
      },
    });
    if (managerId !== null) bus.publish('traders.changed', { managerIds: [managerId] });
    if (proof) await proofs.accept(caller);
    return row;
  }

  /** @throws AppError `not_found`, `invalid_argument` for who is no trader or no manager */
  const assign = (caller: SignedIn, args: z.output<typeof assignUserToManager.args>): Promise<UserRow> =>
    changeProfile(caller, { user_id: args.p_user_id, new_manager_id: args.p_manager_id ?? '' });

  return { createByAdmin, assign };
}
