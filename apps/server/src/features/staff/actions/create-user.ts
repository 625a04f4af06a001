/**
 * `admin_create_user` (A51). Invariant: account, wallet, start balance and audit row are one transaction, and the admin's own
 * session is untouched.
 */
import { AppError, type ArgsOf, type SignedIn, type UserRow } from '@fulcrum/contract';
import { addedTraderBalance, checkEmailByStaff, checkUsernameByStaff } from '@fulcrum/domain';
import {
  getUserRow,
  IdentityError,
  insertUser,
  lockStaffChanges,
  recordUserCreation,
  requireManager,
  requireStrong,
} from '../../identity/index.ts';
import type { StaffDependencies } from '../dependencies.ts';

/**
 * Creates an account: a trader begins with 10000 USDT, staff with an empty wallet (A14). It signs no one in: `last_login`
 * is null. Creating an admin requires an identity proof.
 * @throws AccountError `registration_invalid`, `password_weak`, `email_taken`, `username_taken`,
 * `current_password_wrong`, `reauthentication_needed`, `session_ended`; TooManyAttempts; AppError `invalid_argument`,
 * `busy`
 */
export const createUserCreation =
  ({ db, bus, clock, identity }: Pick<StaffDependencies, 'db' | 'bus' | 'clock' | 'identity'>) =>
  async (caller: SignedIn, args: ArgsOf<'admin_create_user'>): Promise<UserRow> => {
    const { p_email: email, p_username: username, p_password: password, p_role: role } = args;
    const { hashed, proofs } = identity.staff;
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
    const initialBalance = role === 'trader' ? addedTraderBalance : 0n;
    const account = await hashed({ email, username, password, role, managerId, initialBalance });
    const at = new Date(clock.now());
    const row = await insertUser(db, account, at, {
      before: async (tx) => {
        await lockStaffChanges(tx, caller);
        if (proof) await proofs.requireStillProved(tx, caller, proof);
        if (managerId !== null) await requireManager(tx, managerId);
      },
      after: async (tx, user) => {
        await recordUserCreation(tx, { actorId: caller.userId, user, initialBalance, at });
        return getUserRow(tx, user.id);
      },
    });
    if (managerId !== null) bus.publish('traders.changed', { managerIds: [managerId] });
    if (proof) await proofs.accept(caller);
    return row;
  };
