/**
 * The list of one status, in pages, kept current: read again with each announced change and every 30 s. While `isHeld` the rows that are shown stay as and where they are; how many
 * differ by now is told.
 */
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { type AnnouncementListener, useAnnounced } from '../../../shared/realtime/announced.tsx';
import { useSignedIn } from '../../../shared/session/index.ts';
import { type KycStatus, kycKeys, type ListedCheck, pageRows, readList } from './cases.ts';

const readEveryMs = 30_000;
/** A burst of changes is read once. */
const settleMs = 300;

interface Shown {
  readonly status: KycStatus;
  readonly rows: readonly ListedCheck[];
}

/** A change may take a row out of one list and put it into another one. */
function useReadWhenAnnounced(): void {
  const cache = useQueryClient();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const listener = useMemo((): AnnouncementListener => {
    const readAgain = () => {
      clearTimeout(waiting.current);
      waiting.current = setTimeout(() => readListsAgain(cache), settleMs);
    };
    return { onChange: ({ table }) => table === 'kyc_verifications' && readAgain(), onJoined: readAgain };
  }, [cache]);
  useAnnounced(listener);
  useEffect(() => () => clearTimeout(waiting.current), []);
}

export function useChecks(status: KycStatus, isHeld: boolean) {
  const { supabase } = useSignedIn();
  useReadWhenAnnounced();
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
  const [shown, setShown] = useState<Shown | null>(null);
  const held = shown !== null && shown.status === status ? shown.rows : null;
  useEffect(() => {
    if (!isHeld) setShown(null);
    // What is only added beneath moves nothing.
    else if (current && (held === null || (held !== current && startsWith(current, held)))) {
      setShown({ status, rows: current });
    }
  }, [isHeld, status, current, held]);
  const show = useCallback(() => setShown(null), []);
  const isFrozen = isHeld && held !== null;
  return {
    rows: isFrozen ? held : current,
    waiting: isFrozen && current ? changesBetween(held, current) : 0,
    show,
    pages,
  };
}

/** Takes a check that is decided out of the list of pending ones at once, and has the lists read again. */
export function dropDecided(cache: QueryClient, id: string): void {
  cache.setQueryData<InfiniteData<readonly ListedCheck[]>>(kycKeys.list('pending'), (held) =>
    held === undefined
      ? held
      : { ...held, pages: held.pages.map((page) => page.filter((row) => row.id !== id)) },
  );
  readListsAgain(cache);
}

export function readListsAgain(cache: QueryClient): void {
  cache
    .invalidateQueries({ queryKey: kycKeys.lists })
    .catch((cause: unknown) => log.error('Reading the list again broke', cause));
}

const startsWith = (rows: readonly ListedCheck[], beginning: readonly ListedCheck[]): boolean =>
  beginning.every(({ id }, place) => rows[place]?.id === id);

/** Rows that came or went. */
function changesBetween(
  before: readonly Pick<ListedCheck, 'id'>[],
  after: readonly Pick<ListedCheck, 'id'>[],
): number {
  const had = new Set(before.map(({ id }) => id));
  const has = new Set(after.map(({ id }) => id));
  const came = after.filter(({ id }) => !had.has(id)).length;
  return came + before.filter(({ id }) => !has.has(id)).length;
}
