/** The traders of a manager (MGR-08), a page at a time. */
import type { Database } from '@fulcrum/contract/database';
import { queryOptions } from '@tanstack/react-query';
import { rowsOf, type Supabase } from '../../../shared/supabase/index.ts';
import { type Direction, pressed, type Sorted } from '../rows/sort.ts';

type Listed = Database['public']['Functions']['list_users'];
export type ManagedUser = Listed['Returns']['users'][number];

export const managedSorts = ['username', 'email', 'created_at', 'last_login'] as const;
export type ManagedSort = (typeof managedSorts)[number];

export interface ManagedFilter extends Sorted<ManagedSort> {
  readonly search: string;
  /** From 1. */
  readonly page: number;
}

const firstOrderOf = (sort: ManagedSort): Direction =>
  sort === 'username' || sort === 'email' ? 'ascending' : 'descending';

/** A press on the head of a column. */
export const sortedBy = (held: Sorted<ManagedSort>, sort: ManagedSort): Sorted<ManagedSort> =>
  pressed(held, sort, firstOrderOf);

export const managedPageRows = 50;
const everyMs = 30_000;

/** Every page of them. */
export const managedUsersKey = ['staff', 'managed-users'] as const;

export const managedUsersQuery = ({ rest }: Supabase, filter: ManagedFilter) =>
  queryOptions({
    queryKey: [...managedUsersKey, filter] as const,
    queryFn: async ({ signal }) => {
      const { search, sort, order, page } = filter;
      const asked = rest.rpc('list_users', {
        p_search: search === '' ? null : search,
        p_sort: sort,
        p_ascending: order === 'ascending',
        p_page: page,
        p_page_size: managedPageRows,
      });
      return { filter, ...(await rowsOf(asked.abortSignal(signal))) };
    },
    refetchInterval: everyMs,
  });

/** MGR-01: how many there are, whatever is searched for. */
export const managedCountQuery = ({ rest }: Supabase) =>
  queryOptions({
    queryKey: [...managedUsersKey, 'count'] as const,
    queryFn: async ({ signal }) =>
      (await rowsOf(rest.rpc('list_users', { p_page_size: 1 }).abortSignal(signal))).total,
    refetchInterval: everyMs,
  });
