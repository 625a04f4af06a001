/**
 * Which rows a caller reaches, as SQL: the one place where "a manager's own traders" and the other scopes of the contract are
 * written. Table reads and writes, lists and exports all get their WHERE from here, so a row outside the scope does not exist
 * for any of them.
 */
import type { Caller, RowScope } from '@fulcrum/contract';

/** `owner` is the column with the row's user, qualified; `me` stands for the caller's id as a parameter. */
export function scopeSql(scope: RowScope, owner: string, me: string): string {
  const mine = `${owner} = ${me}`;
  const assigned = `${owner} in (select m.id from app.users m where m.manager_id = ${me})`;
  switch (scope) {
    case 'all':
      return 'true';
    case 'own':
      return mine;
    case 'assigned':
      return assigned;
    case 'own+assigned':
      return `(${mine} or ${assigned})`;
    case 'own+attended':
      return `(${mine} or ${owner} in (select c.user_id from app.chat_sessions c where c.status = 'open'))`;
  }
}

/** What the role reads of a declared table, for lists that join more than one; undefined: nothing. */
export function readScope(
  access: Readonly<Partial<Record<string, { readonly select?: { readonly rows: RowScope } }>>>,
  caller: Caller,
): RowScope | undefined {
  return access[caller.role]?.select?.rows;
}
