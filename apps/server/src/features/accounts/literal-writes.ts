/**
 * The documents' own writes to `users` and `wallets` (CALL-26 … CALL-29, CALL-33, CALL-34), answered as A100 says: the
 * server has done or decides what they want to do, so most of what they claim is ignored. Invariant: nothing here grants
 * what the procedures refuse; the changes with a consequence go through `safe_update_user_profile`.
 *
 * Known limitation: one row at a time, as the documents send them.
 */
import { AppError, type SignedIn, safeUpdateUserProfile } from '@fulcrum/contract';
import type { Database, Queryable } from '../../platform/database/index.ts';
import { openWallet } from '../wallet/index.ts';
import { requireNotActing } from './acting.ts';
import type { Context } from './context.ts';
import type { ChangeProfile } from './profiles.ts';
import * as users from './users.ts';

type Row = Readonly<Record<string, unknown>>;
/** Answers the ids of the rows that were meant, in their order. */
type Insert = (caller: SignedIn, rows: readonly Row[]) => Promise<readonly string[]>;
type Update = (caller: SignedIn, ids: readonly string[], changes: Row) => Promise<readonly string[]>;

export type LiteralWrites = {
  readonly 'users.insert': Insert;
  readonly 'users.update': Update;
  readonly 'wallets.insert': Insert;
};

export function createLiteralWrites({ db, now }: Context, changeProfile: ChangeProfile): LiteralWrites {
  return {
    /** One's own name and phone; for an admin somebody's name and role after their sign-up (CALL-29). */
    async 'users.insert'(caller, rows) {
      requireNotActing(caller);
      const row = onlyRow(rows);
      const userId = personOf(caller, row, 'id');
      const claimed =
        userId === caller.userId
          ? { new_username: row.username, new_phone_number: row.phone_number }
          : { new_username: row.username, new_role: row.role };
      const change = safeUpdateUserProfile.args.safeParse({ user_id: userId, ...claimed });
      if (!change.success) {
        throw new AppError('invalid_argument', change.error.issues[0]?.message ?? 'The row is not valid.');
      }
      await changeProfile(caller, change.data);
      return [userId];
    },

    /** `last_login` becomes the server's time; the KYC columns may only be said to be what they are. */
    async 'users.update'(caller, ids, changes) {
      requireNotActing(caller);
      if ('last_login' in changes && ids.some((id) => id !== caller.userId)) {
        throw new AppError('not_allowed', 'You can only record your own login.');
      }
      await db.transaction(async (tx) => {
        await requireSameKyc(tx, ids, changes);
        if ('last_login' in changes && ids.length > 0) await users.recordLogin(tx, caller.userId, now());
      });
      return ids;
    },

    /** The wallet that is there, or an empty one; amounts are ignored. */
    async 'wallets.insert'(caller, rows) {
      requireNotActing(caller);
      const userId = personOf(caller, onlyRow(rows), 'user_id');
      return [await walletOf(db, userId)];
    },
  };
}

function onlyRow(rows: readonly Row[]): Row {
  const [row, ...others] = rows;
  if (!row || others.length > 0) throw new AppError('invalid_argument', 'Insert one row at a time.');
  return row;
}

/** Whose row it is: the caller's own, or for an admin somebody else's. @throws AppError `not_allowed` */
function personOf(caller: SignedIn, row: Row, column: string): string {
  const named = row[column];
  if (named === undefined || named === null || named === caller.userId) return caller.userId;
  if (caller.role === 'admin' && typeof named === 'string') return named;
  throw new AppError('not_allowed', 'You can only write your own row.');
}

/** @throws AppError `not_allowed` when a claimed KYC column differs from the server's in any of the rows */
async function requireSameKyc(tx: Queryable, ids: readonly string[], changes: Row): Promise<void> {
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
async function walletOf(db: Database, userId: string): Promise<string> {
  return db.transaction(async (tx) => {
    if (!(await users.findUser(tx, userId))) throw users.userNotFound();
    await openWallet(tx, { userId, initialBalance: 0n });
    const { rows } = await tx.query<{ id: string }>(`select id from app.wallets where user_id = $1`, [
      userId,
    ]);
    const [wallet] = rows;
    if (!wallet) throw new Error('opening a wallet left none');
    return wallet.id;
  });
}
