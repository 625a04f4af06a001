/**
 * The list of one status, in pages, read again with each change event and every 30 s. While `isFrozen` the displayed
 * rows stay in place (`useFrozenRows`); the rows of a further page, and those added only beneath, show at once.
 */
import type { KycAttemptStatus } from '@fulcrum/domain';
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { log } from '../../../shared/log/log.ts';
import { type TableChangeListener, useTableChanges } from '../../../shared/realtime/table-changes.tsx';
import { useSignedIn } from '../../../shared/session/index.ts';
import { useFrozenRows } from '../../../shared/table/index.ts';
import { kycKeys, type ListedCheck, pageRows, readList } from './cases.ts';

const readEveryMs = 30_000;
/** A burst of changes causes one read. */
const settleMs = 300;

/** A change may move a row from one list to another. */
function useRefetchOnChange(): void {
  const cache = useQueryClient();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const listener = useMemo((): TableChangeListener => {
    const scheduleRefetch = () => {
      clearTimeout(waiting.current);
      waiting.current = setTimeout(() => refetchLists(cache), settleMs);
    };
    return {
      onChange: ({ table }) => table === 'kyc_verifications' && scheduleRefetch(),
      onJoined: scheduleRefetch,
    };
  }, [cache]);
  useTableChanges(listener);
  useEffect(() => () => clearTimeout(waiting.current), []);
}

export function useChecks(status: KycAttemptStatus, isFrozen: boolean) {
  const { supabase } = useSignedIn();
  useRefetchOnChange();
  const pages = useInfiniteQuery({
    queryKey: kycKeys.list(status),
    queryFn: ({ pageParam, signal }) => readList(supabase, status, pageParam, signal),
    initialPageParam: null as ListedCheck | null,
    getNextPageParam: (page) => (page.length < pageRows ? undefined : page.at(-1)),
    refetchInterval: readEveryMs,
    staleTime: 0,
  });
  const { data: read } = pages;
  const current = useMemo(() => read?.pages.flat(), [read]);
  const scope = `${status} ${read?.pages.length}`;
  const frozen = useFrozenRows(current, scope, isFrozen, { isOpenBelow: true });
  return { ...frozen, pages };
}

/** Removes a decided check from the list of pending ones at once, and reads the lists again. */
export function removeDecided(cache: QueryClient, id: string): void {
  cache.setQueryData<InfiniteData<readonly ListedCheck[]>>(
    kycKeys.list('pending'),
    (listed) =>
      listed && { ...listed, pages: listed.pages.map((page) => page.filter((row) => row.id !== id)) },
  );
  refetchLists(cache);
}

export function refetchLists(cache: QueryClient): void {
  cache
    .invalidateQueries({ queryKey: kycKeys.lists })
    .catch((cause: unknown) => log.error('Reading the list again failed', cause));
}
