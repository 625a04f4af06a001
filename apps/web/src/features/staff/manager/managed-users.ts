/** The traders of a manager (MGR-08), a page at a time. */
import type { Database } from '@fulcrum/contract/database';
import { queryOptions } from '@tanstack/react-query';
import { type Supabase, unwrap } from '../../../shared/supabase/index.ts';
import { type Sorted, type SortOrder, toggleSort } from '../../../shared/table/sort.ts';

type ListUsers = Database['public']['Functions']['list_users'];
export type ManagedUser = ListUsers['Returns']['users'][number];

export const managedSorts = ['username', 'email', 'created_at', 'last_login'] as const;
export type ManagedSort = (typeof managedSorts)[number];

export interface ManagedFilter extends Sorted<ManagedSort> {
  readonly search: string;
  /** From 1. */
  readonly page: number;
}

const firstOrderOf = (sort: ManagedSort): SortOrder =>
  sort === 'username' || sort === 'email' ? 'ascending' : 'descending';

/** Sorts by a column; a second press on the same column reverses the order. */
export const sortManagedUsers = (current: Sorted<ManagedSort>, sort: ManagedSort): Sorted<ManagedSort> =>
  toggleSort(current, sort, firstOrderOf);

export const managedPageRows = 50;
const refetchMs = 30_000;

/** Key prefix of all pages. */
export const managedUsersKey = ['staff', 'managed-users'] as const;

export const managedUsersQuery = ({ rest }: Supabase, filter: ManagedFilter) =>
  queryOptions({
    queryKey: [...managedUsersKey, filter] as const,
    queryFn: async ({ signal }) => {
      const { search, sort, order, page } = filter;
      const request = rest.rpc('list_users', {
        p_search: search === '' ? null : search,
        p_sort: sort,
        p_ascending: order === 'ascending',
        p_page: page,
        p_page_size: managedPageRows,
      });
      return { filter, ...(await unwrap(request.abortSignal(signal))) };
    },
    refetchInterval: refetchMs,
  });

/** The number of the manager's traders, regardless of the search (MGR-01). */
export const managedCountQuery = ({ rest }: Supabase) =>
  queryOptions({
    queryKey: [...managedUsersKey, 'count'] as const,
    queryFn: async ({ signal }) =>
      (await unwrap(rest.rpc('list_users', { p_page_size: 1 }).abortSignal(signal))).total,
    refetchInterval: refetchMs,
  });
