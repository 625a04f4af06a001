/**
 * What one table of positions shows, as its part of the address says it, under a prefix of its own. Days are the viewer's, both
 * inclusive (A78); what cannot be read counts as not asked. Pure.
 */
import type { positionSorts } from '@fulcrum/contract';
import { dayOrNull, midnightOf } from '../../../shared/time/day-range.ts';
import { type Direction, pressed } from '../rows/sort.ts';

export type Status = 'open' | 'closed';
export type Sort = (typeof positionSorts)[number];

export interface PositionsQuery {
  readonly symbol: string;
  /** `2026-11-06`, or null. */
  readonly from: string | null;
  readonly to: string | null;
  readonly sort: Sort;
  readonly order: Direction;
  /** From 1. */
  readonly page: number;
}

/** Of one person; a table of everybody stands among others on a page. */
export const pageRowsOf = (userId: string | null): number => (userId === null ? 10 : 50);
export const symbolCharsMax = 32;
const pagesMax = 200;
const sorts = ['time', 'symbol', 'size', 'leverage', 'pnl'] as const satisfies readonly Sort[];
const everybodysClosedSorts = ['time', 'pnl'] as const satisfies readonly Sort[];

/** Of one person, or of everybody whom the viewer reaches. */
export type People = 'one' | 'named';

/** By what a table can be ordered; the server refuses the other orders of everybody's closed positions. */
export const sortsOf = (status: Status, people: People): readonly Sort[] =>
  status === 'closed' && people === 'named' ? everybodysClosedSorts : sorts;

export const everything: PositionsQuery = {
  symbol: '',
  from: null,
  to: null,
  sort: 'time',
  order: 'descending',
  page: 1,
};

export function readQuery(address: URLSearchParams, prefix: string): PositionsQuery {
  const told = (name: string) => address.get(`${prefix}${name}`);
  const page = Number(told('page') ?? 1);
  return {
    symbol: (told('symbol') ?? '').slice(0, symbolCharsMax),
    from: dayOrNull(told('from')),
    to: dayOrNull(told('to')),
    sort: sorts.find((sort) => sort === told('sort')) ?? 'time',
    order: told('order') === 'ascending' ? 'ascending' : 'descending',
    page: Number.isInteger(page) && page >= 1 && page <= pagesMax ? page : 1,
  };
}

/** What can be answered of it: an order that is not offered there, as an old address may have it, is the usual one. */
export function answerable(query: PositionsQuery, status: Status, people: People): PositionsQuery {
  if (sortsOf(status, people).includes(query.sort)) return query;
  return { ...query, sort: everything.sort, order: everything.order };
}

/** `address` with the query in it; what is as usual is left out. */
export function writeQuery(address: URLSearchParams, prefix: string, query: PositionsQuery): URLSearchParams {
  const written = new URLSearchParams(address);
  for (const name of ['symbol', 'from', 'to', 'sort', 'order', 'page'] as const) {
    const value = query[name];
    if (value === null || value === everything[name]) written.delete(`${prefix}${name}`);
    else written.set(`${prefix}${name}`, `${value}`);
  }
  return written;
}

/** Another filter begins at its first page. */
export const filtered = (
  query: PositionsQuery,
  change: Partial<Pick<PositionsQuery, 'symbol' | 'from' | 'to'>>,
): PositionsQuery => ({ ...query, ...change, page: 1 });

const firstOrderOf = (sort: Sort): Direction => (sort === 'symbol' ? 'ascending' : 'descending');

/** A press on the head of a column. */
export const sortedBy = (query: PositionsQuery, sort: Sort): PositionsQuery => ({
  ...query,
  ...pressed(query, sort, firstOrderOf),
  page: 1,
});

export const isFiltered = ({ symbol, from, to }: PositionsQuery): boolean =>
  symbol.trim() !== '' || from !== null || to !== null;

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** The arguments that the list and the file have in common. */
export const filterArgs = (query: PositionsQuery, status: Status, userId: string | null) => ({
  p_status: status,
  p_user_id: userId,
  p_symbol: query.symbol.trim() || null,
  p_from: isoOf(midnightOf(query.from)),
  p_to: isoOf(midnightOf(query.to, 1)),
});

export const listArgs = (query: PositionsQuery, status: Status, userId: string | null) => ({
  ...filterArgs(query, status, userId),
  p_sort: query.sort,
  p_ascending: query.order === 'ascending',
  p_page: query.page,
  p_page_size: pageRowsOf(userId),
});
