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
 * Whether an account is a main one, also one that is gone (A112), or the house. What staff read, count and export, and every
 * figure of the whole platform, means main accounts. `account` is a qualified column. As a filter, which hashes the table once: a join would
 * make the planner expect one row of a named account, and sort all of its rows.
 */
export const isMainSql = (account: string): string =>
  `coalesce(${account} not in (select id from app.other_accounts), true)`;

/** Whether an order waits, by a column with its status; written as the index of waiting orders is. */
export const isWaitingSql = (status: string): string => `${status} in ('NEW', 'PARTIALLY_FILLED')`;

/** Returns the role's read scope of a declared table, for lists that join several; undefined: no access. */
export function readScope(
  access: Readonly<Partial<Record<string, { readonly select?: { readonly rows: RowScope } }>>>,
  caller: Caller,
): RowScope | undefined {
  return access[caller.role]?.select?.rows;
}
