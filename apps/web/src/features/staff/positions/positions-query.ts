/**
 * The query of one positions table, stored in the URL under the table's prefix. Days are the viewer's, both inclusive (A78).
 * Pure.
 */
import type { positionSorts } from '@fulcrum/contract';
import type { PositionStatus } from '@fulcrum/domain';
import { type SortOrder, sortOrders, toggleSort } from '../../../shared/table/sort.ts';
import { parseDay, toIsoSpan } from '../../../shared/time/day-range.ts';
import {
  choiceField,
  defineUrlState,
  optionalField,
  pageField,
  textField,
} from '../../../shared/url-state/index.ts';

export type Sort = (typeof positionSorts)[number];

export interface PositionsQuery {
  readonly symbol: string;
  /** `2026-11-06`, or null. */
  readonly from: string | null;
  readonly to: string | null;
  readonly sort: Sort;
  readonly order: SortOrder;
  /** From 1. */
  readonly page: number;
}

/** The user of the positions, and the account; null for the main one. */
export interface PositionsOwner {
  readonly userId: string;
  readonly accountId: string | null;
}

/** Rows per page: fewer in the table of all users, which shares its page with others. */
export const getPageRows = (owner: PositionsOwner | null): number => (owner === null ? 10 : 50);
export const symbolCharsMax = 32;
const pagesMax = 200;
const sorts = ['time', 'symbol', 'size', 'leverage', 'pnl'] as const satisfies readonly Sort[];
const allUsersClosedSorts = ['time', 'pnl'] as const satisfies readonly Sort[];

/** `one`: a single user; `named`: all users visible to the viewer. */
export type PositionsScope = 'one' | 'named';

/** The sortable columns; the server refuses other orders of all users' closed positions. */
export const getSorts = (status: PositionStatus, scope: PositionsScope): readonly Sort[] =>
  status === 'closed' && scope === 'named' ? allUsersClosedSorts : sorts;

export const positionsUrlState = defineUrlState<PositionsQuery>({
  symbol: textField(symbolCharsMax),
  from: optionalField(parseDay),
  to: optionalField(parseDay),
  sort: choiceField<Sort>(sorts, 'time'),
  order: choiceField(sortOrders, 'descending'),
  page: pageField(pagesMax),
});

/** Replaces an unsupported order, as an old URL may contain, with the default. */
export function toSupportedQuery(
  query: PositionsQuery,
  status: PositionStatus,
  scope: PositionsScope,
): PositionsQuery {
  if (getSorts(status, scope).includes(query.sort)) return query;
  const { sort, order } = positionsUrlState.initial;
  return { ...query, sort, order };
}

/** Another filter starts at its first page. */
export const filterQuery = (
  query: PositionsQuery,
  change: Partial<Pick<PositionsQuery, 'symbol' | 'from' | 'to'>>,
): PositionsQuery => ({ ...query, ...change, page: 1 });

const firstOrderOf = (sort: Sort): SortOrder => (sort === 'symbol' ? 'ascending' : 'descending');

/** Sorts by a column; a second press on the same column reverses the order. */
export const sortQuery = (query: PositionsQuery, sort: Sort): PositionsQuery => ({
  ...query,
  ...toggleSort(query, sort, firstOrderOf),
  page: 1,
});

export const isFiltered = ({ symbol, from, to }: PositionsQuery): boolean =>
  symbol.trim() !== '' || from !== null || to !== null;

/** The arguments that list and export share; without an owner those of the main accounts of all users. */
export function filterArgs(query: PositionsQuery, status: PositionStatus, owner: PositionsOwner | null) {
  const { start, end } = toIsoSpan(query);
  return {
    p_status: status,
    p_user_id: owner?.userId ?? null,
    p_account_id: owner?.accountId ?? null,
    p_symbol: query.symbol.trim() || null,
    p_from: start,
    p_to: end,
  };
}

export const listArgs = (query: PositionsQuery, status: PositionStatus, owner: PositionsOwner | null) => ({
  ...filterArgs(query, status, owner),
  p_sort: query.sort,
  p_ascending: query.order === 'ascending',
  p_page: query.page,
  p_page_size: getPageRows(owner),
});
