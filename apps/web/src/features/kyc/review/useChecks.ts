/**
 * The list of one status, in pages, read again with each change event and every 30 s. While `isPaused` the displayed
 * rows do not change; the number of differing rows is returned.
 */
import type { KycAttemptStatus } from '@fulcrum/domain';
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { type TableChangeListener, useTableChanges } from '../../../shared/realtime/table-changes.tsx';
import { useSignedIn } from '../../../shared/session/index.ts';
import { kycKeys, type ListedCheck, pageRows, readList } from './cases.ts';

const readEveryMs = 30_000;
/** A burst of changes causes one read. */
const settleMs = 300;

interface FrozenRows {
  readonly status: KycAttemptStatus;
  readonly rows: readonly ListedCheck[];
}

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

export function useChecks(status: KycAttemptStatus, isPaused: boolean) {
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
  const [shown, setShown] = useState<FrozenRows | null>(null);
  const frozenRows = shown !== null && shown.status === status ? shown.rows : null;
  useEffect(() => {
    if (!isPaused) setShown(null);
    // Rows added only beneath move nothing.
    else if (
      current &&
      (frozenRows === null || (frozenRows !== current && startsWith(current, frozenRows)))
    ) {
      setShown({ status, rows: current });
    }
  }, [isPaused, status, current, frozenRows]);
  const show = useCallback(() => setShown(null), []);
  const isFrozen = isPaused && frozenRows !== null;
  return {
    rows: isFrozen ? frozenRows : current,
    waiting: isFrozen && current ? countChanges(frozenRows, current) : 0,
    show,
    pages,
  };
}

/** Removes a decided check from the list of pending ones at once, and reads the lists again. */
export function removeDecided(cache: QueryClient, id: string): void {
  cache.setQueryData<InfiniteData<readonly ListedCheck[]>>(kycKeys.list('pending'), (frozenRows) =>
    frozenRows === undefined
      ? frozenRows
      : { ...frozenRows, pages: frozenRows.pages.map((page) => page.filter((row) => row.id !== id)) },
  );
  refetchLists(cache);
}

export function refetchLists(cache: QueryClient): void {
  cache
    .invalidateQueries({ queryKey: kycKeys.lists })
    .catch((cause: unknown) => log.error('Reading the list again failed', cause));
}

const startsWith = (rows: readonly ListedCheck[], beginning: readonly ListedCheck[]): boolean =>
  beginning.every(({ id }, index) => rows[index]?.id === id);

/** The number of added and removed rows. */
function countChanges(
  before: readonly Pick<ListedCheck, 'id'>[],
  after: readonly Pick<ListedCheck, 'id'>[],
): number {
  const had = new Set(before.map(({ id }) => id));
  const has = new Set(after.map(({ id }) => id));
  const came = after.filter(({ id }) => !had.has(id)).length;
  return came + before.filter(({ id }) => !has.has(id)).length;
}
