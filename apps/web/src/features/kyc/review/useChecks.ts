/**
 * The list of one status, in pages, kept current. While `isHeld` the rows that are shown stay as and where they are; how many
 * differ by now is told.
 */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
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
  const isShown = shown !== null && shown.status === status;
  const waiting = isShown && current ? changesBetween(shown.rows, current) : 0;
  const show = useCallback(() => setShown(current ? { status, rows: current } : null), [status, current]);
  // What is only added beneath moves nothing.
  const isLonger = isShown && current !== undefined && startsWith(current, shown.rows);
  useEffect(() => {
    if (!isHeld || !isShown || isLonger) show();
  }, [isHeld, isShown, isLonger, show]);
  return { rows: isShown ? shown.rows : current, waiting, show, pages };
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
