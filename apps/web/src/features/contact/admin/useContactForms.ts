/**
 * The list and one opened message, live. Invariant: no row of the list moves by itself. A changed message is updated
 * in place; a new one waits behind a button, except where the list is empty.
 */
import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type TableChangeListener, useTableChanges } from '../../../shared/realtime/table-changes.tsx';
import { useSupabase } from '../../../shared/supabase/index.ts';
import {
  type ContactForm,
  type FormsFilter,
  formKey,
  listKey,
  newestKey,
  pageRows,
  pickNewer,
  readForm,
  readForms,
} from './contact-forms.ts';

type Pages = InfiniteData<readonly ContactForm[]>;
/** Interval of the reads that find changes the socket missed. */
const everyMs = 30_000;

/** Updates a changed message in every cached query. */
export function useCacheContactForm(): (row: Omit<ContactForm, 'user'>) => void {
  const cache = useQueryClient();
  return useCallback(
    (row) => {
      cache.setQueriesData<Pages>(
        { queryKey: listKey },
        (cached) =>
          cached && {
            ...cached,
            pages: cached.pages.map((page) =>
              page.map((one) => (one.id === row.id ? pickNewer(one, row) : one)),
            ),
          },
      );
      cache.setQueryData<ContactForm | null>(formKey(row.id), (cached) => cached && pickNewer(cached, row));
    },
    [cache],
  );
}

export function useContactForms({ status, search }: FormsFilter) {
  const supabase = useSupabase();
  const cache = useQueryClient();
  const cacheForm = useCacheContactForm();
  /** Arrived since the list was read, by id. */
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());
  const pages = useInfiniteQuery({
    queryKey: [...listKey, status, search],
    queryFn: ({ pageParam, signal }) => readForms(supabase, { status, search, after: pageParam }, signal),
    initialPageParam: null as ContactForm | null,
    getNextPageParam: (page) => (page.length < pageRows ? undefined : page.at(-1)),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const { data: read, refetch } = pages;
  const forms = useMemo(() => read?.pages.flat(), [read]);

  const listener = useMemo((): TableChangeListener => {
    const onChange: TableChangeListener['onChange'] = ({ table, eventType, new: row }) => {
      if (table !== 'contact_forms' || eventType === 'DELETE') return;
      const form = row as ContactForm;
      if (eventType === 'INSERT') setArrived((cached) => new Set(cached).add(form.id));
      else cacheForm(form);
    };
    const refetchNewest = () => void cache.invalidateQueries({ queryKey: newestKey });
    return { onChange, onJoined: refetchNewest };
  }, [cache, cacheForm]);
  useTableChanges(listener);

  /** The newest messages, which show new arrivals also without the socket. */
  const { data: newest } = useQuery({
    queryKey: [...newestKey, status, search],
    queryFn: ({ signal }) => readForms(supabase, { status, search, after: null }, signal),
    refetchInterval: everyMs,
    enabled: read !== undefined,
  });
  const shown = useMemo(() => new Set(forms?.map(({ id }) => id)), [forms]);
  const latest = forms?.[0]?.created_at ?? '';
  // Whether an announced message matches a search only a read can tell.
  const seenArriving = search === '' && (status === 'all' || status === 'new') ? [...arrived] : [];
  const found = newest?.filter((form) => form.created_at > latest).map(({ id }) => id) ?? [];
  const waiting = new Set([...seenArriving, ...found].filter((id) => !shown.has(id)));

  const showNew = useCallback(() => {
    setArrived(new Set());
    void Promise.all([refetch(), cache.invalidateQueries({ queryKey: newestKey })]);
  }, [refetch, cache]);
  const hasFirst = forms?.length === 0 && waiting.size > 0;
  useEffect(() => {
    if (hasFirst) showNew();
  }, [hasFirst, showNew]);
  return { forms, pages, waiting: forms === undefined ? 0 : waiting.size, showNew };
}

/** One message, which may be on no page of the list. */
export function useContactForm(id: string, listed: ContactForm | undefined) {
  const supabase = useSupabase();
  return useQuery({
    queryKey: formKey(id),
    queryFn: ({ signal }) => readForm(supabase, id, signal),
    ...(listed && { initialData: listed, initialDataUpdatedAt: 0 }),
  });
}
