/**
 * Which users a list or a bulk act means, as SQL: whom the caller reaches and what they search for, and the four facets
 * beside it. Invariant: the list, its total and "all that match" take their WHERE from here, and so agree.
 */

import { type SignedIn, type UserFilter, users } from '@fulcrum/contract';
import { isUuid } from '@fulcrum/domain';
import { readScope, scopeSql } from '../../../platform/database/row-scope.ts';
import { partPattern } from '../search.ts';

/** The values of one statement; each `place` is written as `$n` with its type. */
export class Parameters {
  readonly values: unknown[] = [];
  place(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/** What the facets ask of a row, each as an expression. */
export interface FacetColumns {
  readonly role: string;
  readonly kyc: string;
  readonly manager: string;
  readonly isRestricted: string;
}
export const userColumns: FacetColumns = {
  role: 'u.role',
  kyc: 'u.kyc_status',
  manager: 'u.manager_id',
  isRestricted: '(u.restricted_at is not null)',
};

/** Whom of `app.users u` the caller finds by this search, whatever the facets say. */
export function reachSql(
  caller: SignedIn,
  search: string | null | undefined,
  parameters: Parameters,
): string {
  const scope = readScope(users.access, caller);
  if (scope === undefined) return 'false';
  const found = searchSql(search?.trim() ?? '', parameters);
  // PostgreSQL does not take a parameter that no expression mentions.
  if (scope === 'all') return found;
  const me = parameters.place(caller.userId, 'uuid');
  // Nobody is one of their own traders (MGR-08).
  return [scopeSql(scope, 'u.id', me), `u.id <> ${me}`, found].join(' and ');
}

function searchSql(text: string, parameters: Parameters): string {
  if (text === '') return 'true';
  if (isUuid(text)) return `u.id = ${parameters.place(text, 'uuid')}`;
  const part = parameters.place(partPattern(text), 'text');
  return `(lower(u.username) like ${part} or u.email like ${part})`;
}

/** One condition for each facet; `true` for one that asks nothing. */
export function facetSql(filter: UserFilter, columns: FacetColumns, parameters: Parameters) {
  const { p_roles: roles, p_kyc: kyc, p_managers: managers, p_restricted: restricted } = filter;
  const anyOf = (column: string, values: readonly string[] | null | undefined) =>
    values?.length ? `${column} = any(${parameters.place(values, 'text[]')})` : 'true';
  return {
    roles: anyOf(columns.role, roles),
    kyc: anyOf(columns.kyc, kyc),
    managers: managers?.length ? managersSql(managers, columns, parameters) : 'true',
    restricted:
      restricted == null ? 'true' : `${columns.isRestricted} = ${parameters.place(restricted, 'boolean')}`,
  };
}

function managersSql(managers: readonly string[], columns: FacetColumns, parameters: Parameters): string {
  const ids = managers.filter((id) => id !== 'none');
  const assigned = `${columns.manager} = any(${parameters.place(ids, 'uuid[]')})`;
  if (ids.length === managers.length) return assigned;
  return `(${assigned} or (${columns.role} = 'trader' and ${columns.manager} is null))`;
}
