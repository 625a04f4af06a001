/**
 * What admins do with accounts besides editing them: `admin_create_user` (A51) and `assign_user_to_manager` (CALL-54).
 * Invariant: account, wallet, start balance and audit row are one transaction, and the admin's own session is untouched.
 */
import type { adminCreateUser, assignUserToManager, SignedIn, UserRow } from '@fulcrum/contract';
import { AppError } from '@fulcrum/contract';
import { checkEmailByStaff, checkUsernameByStaff, parseDecimal } from '@fulcrum/domain';
import type { z } from 'zod';
import { markOf, recordAct } from './audit.ts';
import { type Context, requireStrong } from './context.ts';
import { AccountError } from './errors.ts';
import type { IdentityProofs } from './identity-proof.ts';
import { type ChangeProfile, requireManager } from './profiles.ts';
import type { NewAccount } from './registration.ts';
import { takeStaffTurn } from './staff-acts.ts';
import * as users from './users.ts';

/** Of a trader whom an admin makes, whatever SIGNUP_BALANCE is (A13). */
const traderBalance = parseDecimal('10000');

export function createStaffCommands(
  { db, bus, now }: Context,
  {
    hashed,
    changeProfile,
    proofs,
  }: {
    readonly hashed: (account: NewAccount) => Promise<users.NewUser>;
    readonly changeProfile: ChangeProfile;
    readonly proofs: IdentityProofs;
  },
) {
  /**
   * A trader begins with 10000 USDT, staff with an empty wallet (A14). Nobody is signed in by it: `last_login` is null.
   * Whoever makes an admin proves to be there.
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
    if (objection !== null) throw new AccountError('registration_invalid', objection);
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
        await takeStaffTurn(tx, caller);
        if (proof) await proofs.requireStillProved(tx, caller, proof);
        if (managerId !== null) await requireManager(tx, managerId);
      },
      after: async (tx, user) => {
        await recordAct(tx, {
          at,
          actorId: caller.userId,
          subjectId: user.id,
          action: 'user_created',
          detail: {
            email: markOf(user.id, user.email),
            username: markOf(user.id, user.username),
            role,
            manager_id: managerId,
          },
        });
        return users.userRowOf(tx, user.id);
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
