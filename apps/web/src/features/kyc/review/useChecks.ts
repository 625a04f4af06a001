/**
 * The list of one status, in pages, kept current. While `isHeld` the rows that are shown stay as and where they are; how many
 * differ by now is told.
 */
import { type InfiniteData, type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { type KycStatus, kycKeys, type ListedCheck, pageRows, readList } from './cases.ts';

const readEveryMs = 30_000;

interface Shown {
  readonly status: KycStatus;
  readonly rows: readonly ListedCheck[];
}

export function useChecks(status: KycStatus, isHeld: boolean) {
  const { supabase } = useSignedIn();
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
export function changesBetween(
  before: readonly Pick<ListedCheck, 'id'>[],
  after: readonly Pick<ListedCheck, 'id'>[],
): number {
  const had = new Set(before.map(({ id }) => id));
  const has = new Set(after.map(({ id }) => id));
  const came = after.filter(({ id }) => !had.has(id)).length;
  return came + before.filter(({ id }) => !has.has(id)).length;
}
