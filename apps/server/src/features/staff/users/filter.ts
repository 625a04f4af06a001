/**
 * Filters users for a list or a bulk action, as SQL: the caller's scope, the search, and the four facets. Invariant: the
 * list, its total and "all that match" take their WHERE from here, and so agree.
 */

import { type SignedIn, type UserFilter, users } from '@fulcrum/contract';
import { isUuid } from '@fulcrum/domain';
import { substringPattern } from '../../../platform/database/like-patterns.ts';
import type { Parameters } from '../../../platform/database/parameters.ts';
import { readScope, scopeSql } from '../../../platform/database/row-scope.ts';

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

/** The condition on `app.users u` of the caller's scope and search, without the facets. */
export function visibleToSql(
  caller: SignedIn,
  search: string | null | undefined,
  parameters: Parameters,
): string {
  const scope = readScope(users.access, caller);
  if (scope === undefined) return 'false';
  const found = searchSql(search?.trim() ?? '', parameters);
  // PostgreSQL does not take a parameter that no expression mentions.
  if (scope === 'all') return found;
  const me = parameters.bind(caller.userId, 'uuid');
  // A manager is not one of their own traders (MGR-08).
  return [scopeSql(scope, 'u.id', me), `u.id <> ${me}`, found].join(' and ');
}

function searchSql(text: string, parameters: Parameters): string {
  if (text === '') return 'true';
  if (isUuid(text)) return `u.id = ${parameters.bind(text, 'uuid')}`;
  const part = parameters.bind(substringPattern(text), 'text');
  return `(lower(u.username) like ${part} or u.email like ${part})`;
}

/** One condition per facet; `true` for an empty one. */
export function facetSql(filter: UserFilter, columns: FacetColumns, parameters: Parameters) {
  const { p_roles: roles, p_kyc: kyc, p_managers: managers, p_restricted: restricted } = filter;
  const anyOf = (column: string, values: readonly string[] | null | undefined) =>
    values?.length ? `${column} = any(${parameters.bind(values, 'text[]')})` : 'true';
  return {
    roles: anyOf(columns.role, roles),
    kyc: anyOf(columns.kyc, kyc),
    managers: managers?.length ? managersSql(managers, columns, parameters) : 'true',
    restricted:
      restricted == null ? 'true' : `${columns.isRestricted} = ${parameters.bind(restricted, 'boolean')}`,
  };
}

function managersSql(managers: readonly string[], columns: FacetColumns, parameters: Parameters): string {
  const ids = managers.filter((id) => id !== 'none');
  const assigned = `${columns.manager} = any(${parameters.bind(ids, 'uuid[]')})`;
  if (ids.length === managers.length) return assigned;
  return `(${assigned} or (${columns.role} = 'trader' and ${columns.manager} is null))`;
}
