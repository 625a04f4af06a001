/**
 * The specification's direct writes to `users` and `wallets` (CALL-26 … CALL-29, CALL-33, CALL-34), answered as A100
 * states: the server has done or decides what they intend, so most of their claims are ignored. Invariant: they grant
 * nothing that the procedures refuse; changes with a consequence go through `safe_update_user_profile`.
 *
 * Known limitation: one row at a time, as the specification sends them.
 */
import { AppError, type SignedIn, safeUpdateUserProfile } from '@fulcrum/contract';
import type { Database, Queryable } from '../../platform/database/index.ts';
import { openWallet } from '../wallet/index.ts';
import type { Context } from './context.ts';
import { refuseWhileImpersonating } from './impersonation.ts';
import type { ChangeProfile } from './profiles.ts';
import * as users from './users.ts';

type UntrustedRow = Readonly<Record<string, unknown>>;
/** Answers the ids of the rows that were meant, in their order. */
type Insert = (caller: SignedIn, rows: readonly UntrustedRow[]) => Promise<readonly string[]>;
type Update = (caller: SignedIn, ids: readonly string[], changes: UntrustedRow) => Promise<readonly string[]>;

type LegacyTableWrites = {
  readonly 'users.insert': Insert;
  readonly 'users.update': Update;
  readonly 'wallets.insert': Insert;
};

export function createLegacyTableWrites(
  { db, now }: Context,
  changeProfile: ChangeProfile,
): LegacyTableWrites {
  return {
    /** The caller's own name and phone; for an admin a new user's name and role after their sign-up (CALL-29). */
    async 'users.insert'(caller, rows) {
      refuseWhileImpersonating(caller);
      const row = getOnlyRow(rows);
      const userId = getTargetUserId(caller, row, 'id');
      const requested =
        userId === caller.userId
          ? { new_username: row.username, new_phone_number: row.phone_number }
          : { new_username: row.username, new_role: row.role };
      const change = safeUpdateUserProfile.args.safeParse({ user_id: userId, ...requested });
      if (!change.success) {
        throw new AppError('invalid_argument', change.error.issues[0]?.message ?? 'The row is not valid.');
      }
      await changeProfile(caller, change.data);
      return [userId];
    },

    /** `last_login` becomes the server's time; the KYC columns may only be set to their present values. */
    async 'users.update'(caller, ids, changes) {
      refuseWhileImpersonating(caller);
      if ('last_login' in changes && ids.some((id) => id !== caller.userId)) {
        throw new AppError('not_allowed', 'You can only record your own login.');
      }
      await db.transaction(async (tx) => {
        await requireUnchangedKyc(tx, ids, changes);
        if ('last_login' in changes && ids.length > 0) await users.recordLogin(tx, caller.userId, now());
      });
      return ids;
    },

    /** The wallet that is there, or an empty one; amounts are ignored. */
    async 'wallets.insert'(caller, rows) {
      refuseWhileImpersonating(caller);
      const userId = getTargetUserId(caller, getOnlyRow(rows), 'user_id');
      return [await ensureWalletId(db, userId)];
    },
  };
}

function getOnlyRow(rows: readonly UntrustedRow[]): UntrustedRow {
  const [row, ...others] = rows;
  if (!row || others.length > 0) throw new AppError('invalid_argument', 'Insert one row at a time.');
  return row;
}

/** Returns the row's user: the caller, or for an admin any user. @throws AppError `not_allowed` */
function getTargetUserId(caller: SignedIn, row: UntrustedRow, column: string): string {
  const requestedId = row[column];
  if (requestedId === undefined || requestedId === null || requestedId === caller.userId)
    return caller.userId;
  if (caller.role === 'admin' && typeof requestedId === 'string') return requestedId;
  throw new AppError('not_allowed', 'You can only write your own row.');
}

/** @throws AppError `not_allowed` when a claimed KYC column differs from the server's in any of the rows */
async function requireUnchangedKyc(
  tx: Queryable,
  ids: readonly string[],
  changes: UntrustedRow,
): Promise<void> {
  const { rowCount } = await tx.query(
    `select from app.users where id = any($1)
       and (($2 and kyc_status is distinct from $3) or ($4 and kyc_verified_at is distinct from $5::timestamptz))
     limit 1`,
    [
      ids,
      'kyc_status' in changes,
      changes.kyc_status ?? null,
      'kyc_verified_at' in changes,
      changes.kyc_verified_at ?? null,
    ],
    'differing_kyc',
  );
  if (rowCount > 0) throw new AppError('not_allowed', 'A KYC status is changed by its review only.');
}

/** @throws AppError `not_found` when there is no such account */
async function ensureWalletId(db: Database, userId: string): Promise<string> {
  return db.transaction(async (tx) => {
    if (!(await users.findUser(tx, userId))) throw users.userNotFound();
    await openWallet(tx, { accountId: userId, initialBalance: 0n });
    const { rows } = await tx.query<{ id: string }>(`select id from app.wallets where user_id = $1`, [
      userId,
    ]);
    const [wallet] = rows;
    if (!wallet) throw new Error('opening a wallet left none');
    return wallet.id;
  });
}
