/**
 * The query of a users list: search, filters, order and page, stored in the URL under the list's prefix. Invariant: a change of
 * the filter or the order leads to the first page.
 */

import { type UserRole, userRoles } from '@fulcrum/contract/roles';
import { isUuid, type KycStatus, kycStatuses } from '@fulcrum/domain';
import { type SortOrder, sortOrders, toggleSort } from '../../../shared/table/sort.ts';
import {
  choiceField,
  choicesField,
  defineUrlState,
  optionalField,
  pageField,
  textField,
  type UrlField,
} from '../../../shared/url-state/index.ts';
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
  /** The user's own view that the list was opened with. */
  readonly view: string | null;
}

export const noFilter: UsersFilter = { search: '', roles: [], kyc: [], managers: [], restricted: null };
export const pageSizes = [15, 25, 50, 100] as const;

const searchMax = 100;
const managersMax = 50;
const isManager = (id: string): boolean => id === 'none' || isUuid(id);

const restrictedField: UrlField<boolean | null> = {
  parse: (text) => (text === 'yes' ? true : text === 'no' ? false : null),
  format: (restricted) => (restricted === null ? null : restricted ? 'yes' : 'no'),
};

const managersField: UrlField<readonly string[]> = {
  parameter: 'manager',
  parse: (text) => [...new Set(text?.split(','))].filter(isManager).slice(0, managersMax),
  format: (managers) => managers.join(',') || null,
};

const sortField = choiceField<Sort>(sorts, 'created_at');

/** Without a parameter a column has its first direction. */
const orderField: UrlField<SortOrder> = {
  parse: (text, { sort }) =>
    sortOrders.find((order) => order === text) ?? firstOrderOf(sortField.parse(`${sort}`, {})),
  format: (order, { sort }) => (order === firstOrderOf(sortField.parse(`${sort}`, {})) ? null : order),
};

/** `rows` is the default number of rows per page. */
const defineUsersUrlState = (rows: number) =>
  defineUrlState<UsersQuery>({
    search: textField(searchMax, 'q'),
    roles: choicesField(userRoles, 'role'),
    kyc: choicesField(kycStatuses),
    managers: managersField,
    restricted: restrictedField,
    sort: sortField,
    order: orderField,
    page: pageField(),
    size: {
      parameter: 'rows',
      parse: (text) => pageSizes.find((known) => `${known}` === text) ?? rows,
      format: (size) => (size === rows ? null : `${size}`),
    },
    view: optionalField((text) => text.slice(0, 36)),
  });

/** `full` has filters and bulk actions (the Users tab), `plain` is the short list of the Overview. */
export const usersUrlState = { full: defineUsersUrlState(15), plain: defineUsersUrlState(5) } as const;

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
