/**
 * The query of a users list: search, filters, order and page, stored in the URL under the list's prefix. Invalid parameters are
 * ignored. Invariant: a change of the filter or the order leads to the first page.
 */

import { type UserRole, userRoles } from '@fulcrum/contract/roles';
import { isUuid, type KycStatus, kycStatuses } from '@fulcrum/domain';
import { type SortOrder, toggleSort } from '../../../shared/table/sort.ts';
import type { ListArgs, Sort } from './listed-user.ts';
import { firstOrderOf, sorts } from './user-order.ts';

/** The filter: which users are listed. */
export interface UsersFilter {
  readonly search: string;
  readonly roles: readonly UserRole[];
  readonly kyc: readonly KycStatus[];
  /** Manager ids, or `none`. */
  readonly managers: readonly string[];
  readonly restricted: boolean | null;
}

export interface UsersQuery extends UsersFilter {
  readonly sort: Sort;
  readonly order: SortOrder;
  /** From 1. */
  readonly page: number;
  readonly size: number;
}

export const noFilter: UsersFilter = { search: '', roles: [], kyc: [], managers: [], restricted: null };
export const pageSizes = [15, 25, 50, 100] as const;

const searchMax = 100;
const managersMax = 50;
const pageMax = 10_000;
const isManager = (id: string): boolean => id === 'none' || isUuid(id);

/** Names of the URL parameters, after the prefix. */
const parameterNames = {
  search: 'q',
  roles: 'role',
  kyc: 'kyc',
  managers: 'manager',
  restricted: 'restricted',
  sort: 'sort',
  order: 'order',
  page: 'page',
  size: 'rows',
} as const satisfies Record<keyof UsersQuery, string>;

export function parseQuery(address: URLSearchParams, prefix: string, size: number): UsersQuery {
  const of = (name: keyof UsersQuery) => address.get(`${prefix}${parameterNames[name]}`) ?? '';
  const listOf = <Value extends string>(name: 'roles' | 'kyc', known: readonly Value[]) => {
    const named = of(name).split(',');
    return known.filter((value) => named.includes(value));
  };
  const sort = sorts.find((known) => known === of('sort')) ?? 'created_at';
  const order = of('order');
  const page = Number(of('page'));
  const restricted = of('restricted');
  return {
    search: of('search').slice(0, searchMax).toWellFormed(),
    roles: listOf('roles', userRoles),
    kyc: listOf('kyc', kycStatuses),
    managers: [...new Set(of('managers').split(','))].filter(isManager).slice(0, managersMax),
    restricted: restricted === 'yes' ? true : restricted === 'no' ? false : null,
    sort,
    order: order === 'ascending' || order === 'descending' ? order : firstOrderOf(sort),
    page: Number.isInteger(page) && page >= 1 && page <= pageMax ? page : 1,
    size: pageSizes.find((known) => String(known) === of('size')) ?? size,
  };
}

/** Writes `query` into the URL; default values are left out, so that a default list has a plain URL. */
export function writeQuery(
  address: URLSearchParams,
  prefix: string,
  { query, size }: { readonly query: UsersQuery; readonly size: number },
): URLSearchParams {
  const written: Record<keyof UsersQuery, string> = {
    search: query.search,
    roles: query.roles.join(','),
    kyc: query.kyc.join(','),
    managers: query.managers.join(','),
    restricted: query.restricted === null ? '' : query.restricted ? 'yes' : 'no',
    sort: query.sort === 'created_at' ? '' : query.sort,
    order: query.order === firstOrderOf(query.sort) ? '' : query.order,
    page: query.page === 1 ? '' : String(query.page),
    size: query.size === size ? '' : String(query.size),
  };
  const next = new URLSearchParams(address);
  for (const [name, parameter] of Object.entries(parameterNames)) {
    const value = written[name as keyof UsersQuery];
    if (value === '') next.delete(`${prefix}${parameter}`);
    else next.set(`${prefix}${parameter}`, value);
  }
  return next;
}

/** Changes the filter or the order; both start at the first page. */
export const changeQuery = (
  query: UsersQuery,
  change: Partial<UsersFilter> | Pick<UsersQuery, 'sort' | 'order'> | Pick<UsersQuery, 'size'>,
): UsersQuery => ({ ...query, ...change, page: 1 });

/** Sorts by a column; a second press on the same column reverses the order. */
export const sortQuery = (query: UsersQuery, sort: Sort): UsersQuery =>
  changeQuery(query, toggleSort(query, sort, firstOrderOf));

export function filterArgs({ search, roles, kyc, managers, restricted }: UsersFilter) {
  return {
    ...(search.trim() !== '' && { p_search: search.trim() }),
    ...(roles.length > 0 && { p_roles: [...roles] }),
    ...(kyc.length > 0 && { p_kyc: [...kyc] }),
    ...(managers.length > 0 && { p_managers: [...managers] }),
    ...(restricted !== null && { p_restricted: restricted }),
  } satisfies ListArgs;
}

export const listArgs = (query: UsersQuery): ListArgs => ({
  ...filterArgs(query),
  p_sort: query.sort,
  p_ascending: query.order === 'ascending',
  p_page: query.page,
  p_page_size: query.size,
});

/** The number of active filters without the search, which is always visible. */
export const facetsInUse = ({ roles, kyc, managers, restricted }: UsersFilter): number =>
  [roles.length > 0, kyc.length > 0, managers.length > 0, restricted !== null].filter(Boolean).length;

export const isNarrowed = (filter: UsersFilter): boolean =>
  facetsInUse(filter) > 0 || filter.search.trim() !== '';
