/**
 * The rows that a caller may access, as SQL: the one place of "a manager's own traders" and the other scopes of the
 * contract. Table reads and writes, lists and exports take their WHERE from here, so rows outside the scope do not exist
 * for them.
 */
import type { Caller, RowScope } from '@fulcrum/contract';

/**
 * Builds the condition. `owner` is the qualified column of the row's owner; `callerId` is the parameter of the caller's id,
 * `ownId` what the caller's own rows have there, where that is not the same.
 */
export function scopeSql(scope: RowScope, owner: string, callerId: string, ownId = callerId): string {
  const isOwner = `${owner} = ${ownId}`;
  const isAssigned = `${owner} in (select m.id from app.users m where m.manager_id = ${callerId})`;
  switch (scope) {
    case 'all':
      return 'true';
    case 'own':
      return isOwner;
    case 'assigned':
      return isAssigned;
    case 'own+assigned':
      return `(${isOwner} or ${isAssigned})`;
    case 'own+attended':
      return `(${isOwner} or ${owner} in (select c.user_id from app.chat_sessions c where c.status = 'open'))`;
  }
}

/**
 * Whether an account is a main one, also one that is gone (A112). What staff read, count and export, and every figure of the
 * whole platform, means main accounts. `account` is a qualified column.
 */
export const isMainSql = (account: string): string =>
  `not exists (select from app.other_accounts other where other.id = ${account})`;

/** Returns the role's read scope of a declared table, for lists that join several; undefined: no access. */
export function readScope(
  access: Readonly<Partial<Record<string, { readonly select?: { readonly rows: RowScope } }>>>,
  caller: Caller,
): RowScope | undefined {
  return access[caller.role]?.select?.rows;
}
