/**
 * Search in the messages of all sessions, and in the names of closed ones. The server finds whole words, the last one also
 * by its beginning; the excerpt shows the first of them.
 */
import type { Database } from '@fulcrum/contract/database';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { replaceBidiControls } from '../../../shared/linked-text/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';
import { pause } from '../conversation/index.ts';

type Results = Database['public']['Functions']['search_chats']['Returns'];
export type FoundMessage = Results['messages'][number];
export type FoundSession = Results['sessions'][number];

const debounceMs = 200;
const charsMin = 2;
const beforeMatch = 24;
const excerptMax = 140;

export const isSearchable = (text: string): boolean => text.trim().length >= charsMin;

export function useChatSearch(text: string) {
  const { supabase } = useSignedIn();
  const trimmed = text.trim();
  const search = useInfiniteQuery({
    queryKey: ['chat-search', trimmed],
    queryFn: async ({ pageParam, signal }): Promise<Results> => {
      // The next key ends the pause and this request with it.
      await pause(debounceMs, signal);
      const args = { p_text: trimmed, p_before: pageParam };
      return unwrap(supabase.rest.rpc('search_chats', args).abortSignal(signal));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ has_more, messages }) => (has_more ? messages.at(-1)?.id : undefined),
    enabled: isSearchable(trimmed),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 60_000,
  });
  const pages = search.data?.pages ?? [];
  return {
    search,
    messages: pages.flatMap(({ messages }) => messages),
    sessions: pages.flatMap(({ sessions }) => sessions),
  };
}

export interface Excerpt {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

const labelPattern = /[\p{L}\p{M}\p{N}]+/gu;

/** One line of `content` around the first word that begins with one of the typed ones. */
export function getExcerpt(content: string, text: string): Excerpt {
  const line = replaceBidiControls(content.replace(/\s+/g, ' ').trim());
  const typed = (text.match(labelPattern) ?? []).map((one) => one.toLowerCase());
  for (const { 0: label, index } of line.matchAll(labelPattern)) {
    const found = typed.find((one) => label.toLowerCase().startsWith(one));
    if (found === undefined) continue;
    const from = Math.max(0, index - beforeMatch);
    const end = index + Math.min(label.length, found.length);
    return {
      before: `${from > 0 ? '…' : ''}${line.slice(from, index)}`,
      match: line.slice(index, end),
      after: line.slice(end, from + excerptMax),
    };
  }
  return { before: line.slice(0, excerptMax), match: '', after: '' };
}
