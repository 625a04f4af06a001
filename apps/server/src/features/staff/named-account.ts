/**
 * The trading account that a list of staff names: `p_account_id`, else the main account of `p_user_id` (A112). Invariant: the
 * owner is within the caller's row scope; any other account does not exist.
 */
import { AppError, type RowScope, type SignedIn, texts } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import { scopeSql } from '../../platform/database/row-scope.ts';

interface AccountArgs {
  readonly p_user_id?: string | null | undefined;
  readonly p_account_id?: string | null | undefined;
}

export interface NamedAccount {
  readonly id: string;
  readonly ownerId: string;
  readonly username: string;
  /** Null for a main account. */
  readonly name: string | null;
}

export const namesAccount = ({ p_user_id: userId, p_account_id: accountId }: AccountArgs): boolean =>
  userId != null || accountId != null;

/** @throws AppError `not_found`, also for an account of another user than `p_user_id` */
export async function requireNamedAccount(
  tx: Queryable,
  caller: SignedIn,
  scope: RowScope,
  { p_user_id: userId, p_account_id: accountId }: AccountArgs,
): Promise<NamedAccount> {
  // A scope may leave $3 out, and a parameter that is never named has no type.
  const { rows } = await tx.query<NamedAccount>(
    `select a.id, a.owner_id as "ownerId", u.username, case when a.kind <> 'main' then a.name end as name
     from app.trading_accounts a join app.users u on u.id = a.owner_id
     where a.id = $1 and a.owner_id = coalesce($2::uuid, a.owner_id)
       and $3::uuid is not null and ${scopeSql(scope, 'u.id', '$3::uuid')}`,
    [accountId ?? userId, userId ?? null, caller.userId],
  );
  const [account] = rows;
  if (!account) throw new AppError('not_found', accountId == null ? texts.userNotFound : texts.accountGone);
  return account;
}
