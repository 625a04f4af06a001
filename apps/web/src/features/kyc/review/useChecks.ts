/**
 * The queue, in pages, read again with each change event and every 15 s. While `isFrozen` the displayed
 * rows stay in place (`useFrozenRows`); the rows of a further page, and those added only beneath, show at once.
 */
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type TableChange, useDebouncedChanges } from '../../../shared/realtime/table-changes.tsx';
import { useSignedIn } from '../../../shared/session/index.ts';
import { useFrozenRows } from '../../../shared/table/index.ts';
import { kycKeys, type ListedCheck, type QueueFilter, type QueuePage, readQueue } from './cases.ts';

/** The claims of colleagues come with the reads alone. */
const readEveryMs = 15_000;
const isOfChecks = ({ table }: TableChange): boolean => table === 'kyc_verifications';

export function useChecks(filter: QueueFilter, isOldestFirst: boolean, isFrozen: boolean) {
  const { supabase } = useSignedIn();
  const cache = useQueryClient();
  // A change may move a row from one list to another.
  const refetch = useCallback(() => refetchLists(cache), [cache]);
  useDebouncedChanges(refetch, isOfChecks);
  const pages = useInfiniteQuery({
    queryKey: kycKeys.list(filter, isOldestFirst),
    queryFn: ({ pageParam, signal }) => readQueue(supabase, filter, isOldestFirst, pageParam, signal),
    initialPageParam: null as ListedCheck | null,
    getNextPageParam: (page) => (page.is_more ? page.checks.at(-1) : undefined),
    refetchInterval: readEveryMs,
    staleTime: 0,
  });
  const { data: read } = pages;
  const current = useMemo(() => read?.pages.flatMap(({ checks }) => checks), [read]);
  const scope = `${JSON.stringify(filter)} ${isOldestFirst} ${read?.pages.length}`;
  const frozen = useFrozenRows(current, scope, isFrozen, { isOpenBelow: true });
  return { ...frozen, pages, latest: read?.pages[0] };
}

/** Removes a decided check from the lists at once, and reads the lists again. */
export function removeDecided(cache: QueryClient, id: string): void {
  cache.setQueriesData<InfiniteData<QueuePage>>(
    { queryKey: kycKeys.lists },
    (listed) =>
      listed && {
        ...listed,
        pages: listed.pages.map((page) => ({ ...page, checks: page.checks.filter((row) => row.id !== id) })),
      },
  );
  refetchLists(cache);
}

export function refetchLists(cache: QueryClient): void {
  void cache.invalidateQueries({ queryKey: kycKeys.lists });
}
