/**
 * The journal's data: pages of the filtered entries, and the index of all entries with their number and tags. Both
 * are read shortly before the section becomes visible, and again after each change.
 */
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useOpenPositions } from '../../shared/account/index.ts';
import { queryKeys } from '../../shared/query/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { useInView } from '../../shared/widget/index.ts';
import { type JournalEntry, pageRows, readIndex, readPage } from './entries.ts';
import { countTags, isFiltered, isTagSearchCut, type JournalFilter } from './filter.ts';

export const failedText = 'Failed to fetch journal entries';

export function useJournal(filter: JournalFilter) {
  const [ref, inView] = useInView();
  const { accountId, supabase } = useSignedIn();
  const key = queryKeys.journal(accountId);
  const index = useQuery({
    queryKey: [...key, 'index'],
    queryFn: ({ signal }) => readIndex(supabase, accountId, signal),
    enabled: inView,
  });
  const { data: indexed } = index;
  const ids = useMemo(() => (indexed ? new Set(indexed.map(({ id }) => id)) : null), [indexed]);
  const tags = useMemo(() => countTags(indexed ?? []), [indexed]);
  const isCut = useMemo(() => isTagSearchCut(filter, tags), [filter, tags]);
  const pages = useInfiniteQuery({
    queryKey: [...key, 'entries', filter.text.trim(), filter.tag],
    queryFn: ({ pageParam, signal }) =>
      readPage(supabase, { accountId, filter, tags, from: pageParam, rows: pageRows }, signal),
    initialPageParam: null as JournalEntry | null,
    getNextPageParam: (page) => (page.length < pageRows ? undefined : page.at(-1)),
    // A tag filter needs every spelling, which the index contains.
    enabled: inView && (!isFiltered(filter) || indexed !== undefined),
    placeholderData: keepPreviousData,
  });
  const { data: read } = pages;
  const entries = useMemo(() => read?.pages.flat(), [read]);
  const staleSince = pages.isError && entries !== undefined ? pages.dataUpdatedAt : null;
  return { ref, entries, staleSince, pages, index, ids, tags, isCut, total: indexed?.length };
}

/** Reads the journal again after a change. */
export function useRefetchJournal(): () => void {
  const { accountId } = useSignedIn();
  const cache = useQueryClient();
  return useCallback(() => {
    void cache.invalidateQueries({ queryKey: queryKeys.journal(accountId) });
  }, [cache, accountId]);
}

/** Reads it again when an open linked position was closed: its result comes with the entry. */
export function useRefetchClosedPositions(entries: readonly JournalEntry[] | undefined): void {
  const { data: open } = useOpenPositions();
  const refetch = useRefetchJournal();
  const requestedIds = useRef(new Set<string>());
  useEffect(() => {
    if (!open || !entries) return;
    const openIds = new Set(open.map(({ id }) => id));
    const closedIds = entries.flatMap(({ position }) =>
      position?.status === 'open' && !openIds.has(position.id) && !requestedIds.current.has(position.id)
        ? [position.id]
        : [],
    );
    if (closedIds.length === 0) return;
    for (const id of closedIds) requestedIds.current.add(id);
    refetch();
  }, [open, entries, refetch]);
}
