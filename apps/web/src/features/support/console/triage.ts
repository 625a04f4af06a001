/**
 * Tags and snoozes of the open conversations, and the notes that mention this agent: read once, every half minute, and
 * updated by the feed's events. Invariant: a row is never replaced by an older one. A snooze ends at its time without a
 * request, and with the trader's next message.
 */
import type { Database } from '@fulcrum/contract/database';
import { hourMs } from '@fulcrum/domain';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { type Supabase, unwrap, unwrapOrNull } from '../../../shared/supabase/index.ts';
import { formatClock, formatWeekdayAndDay } from '../../../shared/time/dates.ts';

export type Triage = Database['public']['Tables']['chat_triage']['Row'];

/** What the list needs to know beside the conversations. */
export interface Inbox {
  readonly tagsOf: (sessionId: string) => readonly string[];
  /** The end of a snooze that lasts, ISO; null without one. */
  readonly snoozedUntil: (sessionId: string) => string | null;
  readonly mentioned: ReadonlySet<string>;
}

const everyMs = 30_000;
const listLimit = 1_000;
const timerMaxMs = 2_000_000_000;
const triageKey = ['chat-triage'] as const;
const mentionsKey = ['chat-mentions'] as const;
const tagsKey = ['chat-tags'] as const;

const isNewer = (row: Triage, held: Triage | undefined) =>
  held === undefined || Date.parse(row.updated_at) >= Date.parse(held.updated_at);

/** The rows with one of them replaced, unless what is there is newer. */
export const mergeTriage = (held: readonly Triage[], row: Triage): readonly Triage[] =>
  isNewer(
    row,
    held.find(({ session_id }) => session_id === row.session_id),
  )
    ? [...held.filter(({ session_id }) => session_id !== row.session_id), row]
    : held;

export const cacheTriage = (cache: QueryClient, row: Triage): void => {
  cache.setQueryData<readonly Triage[]>(triageKey, (held) => held && mergeTriage(held, row));
};

/** The trader wrote: the server has ended the snooze. */
export const endSnooze = (cache: QueryClient, sessionId: string): void => {
  cache.setQueryData<readonly Triage[]>(triageKey, (held) =>
    held?.some((row) => row.session_id === sessionId && row.snoozed_until !== null)
      ? held.map((row) => (row.session_id === sessionId ? { ...row, snoozed_until: null } : row))
      : held,
  );
};

export function refetchInbox(cache: QueryClient): void {
  for (const queryKey of [triageKey, mentionsKey, tagsKey]) {
    void cache.invalidateQueries({ queryKey });
  }
}

/** Whether a note names the agent, as the server reads it; an extra request does no harm. */
export const mentions = ({ content }: { readonly content: string }, username: string): boolean =>
  content.toLowerCase().includes(`@${username.toLowerCase()}`);

/** The earliest end of a snooze after `now`, ms; null without one. */
export const nextEndMs = (rows: readonly Triage[], now: number): number | null => {
  const ends = rows.map(({ snoozed_until: end }) => (end === null ? 0 : Date.parse(end)));
  const next = Math.min(...ends.filter((end) => end > now));
  return Number.isFinite(next) ? next : null;
};

const noRows: readonly Triage[] = [];
const noTags: readonly string[] = [];

export function useInbox(): Inbox {
  const { supabase } = useSignedIn();
  const { data: rows = noRows } = useQuery<readonly Triage[]>({
    queryKey: triageKey,
    queryFn: ({ signal }) =>
      unwrap(
        supabase.rest
          .from('chat_triage')
          .select('*')
          .eq('is_open', true)
          .order('updated_at', { ascending: false })
          .limit(listLimit)
          .abortSignal(signal),
      ),
    refetchInterval: everyMs,
  });
  const { data: mentionedIds = noTags } = useQuery<readonly string[]>({
    queryKey: mentionsKey,
    queryFn: async ({ signal }) => {
      const request = supabase.rest.from('chat_mentions').select('session_id').limit(listLimit);
      return (await unwrap(request.abortSignal(signal))).map(({ session_id }) => session_id);
    },
    refetchInterval: everyMs,
  });
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const next = nextEndMs(rows, Date.now());
    if (next === null) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(next - Date.now() + 1, timerMaxMs));
    return () => clearTimeout(timer);
  });
  return useMemo(() => {
    const bySession = new Map(rows.map((row) => [row.session_id, row]));
    // The clock of the last render may be behind a snooze that has just begun; it is never ahead of one that ends.
    const present = Math.max(now, Date.now());
    return {
      tagsOf: (id) => bySession.get(id)?.tags ?? noTags,
      snoozedUntil: (id) => {
        const end = bySession.get(id)?.snoozed_until ?? null;
        return end !== null && Date.parse(end) > present ? end : null;
      },
      mentioned: new Set(mentionedIds),
    };
  }, [rows, mentionedIds, now]);
}

/** The tags of the team's list. */
export function useTeamTags(): readonly string[] {
  const { supabase } = useSignedIn();
  const { data = noTags } = useQuery<readonly string[]>({
    queryKey: tagsKey,
    queryFn: async ({ signal }) =>
      (await unwrap(supabase.rest.rpc('get_chat_tags', {}).abortSignal(signal))).tags,
    staleTime: everyMs,
  });
  return data;
}

/** The commands, each with the cache that it changes. */
export function useTriageCommands() {
  const { supabase } = useSignedIn();
  const cache = useQueryClient();
  return useMemo(() => createCommands(supabase, cache), [supabase, cache]);
}

const createCommands = (supabase: Supabase, cache: QueryClient) => ({
  tag: async (sessionId: string, tag: string, isOn: boolean): Promise<void> => {
    const args = { p_session_id: sessionId, p_tag: tag, p_is_on: isOn };
    cacheTriage(cache, await unwrap(supabase.rest.rpc('tag_chat_session', args)));
    await cache.invalidateQueries({ queryKey: tagsKey });
  },
  snooze: async (sessionId: string, until: number | null): Promise<void> => {
    const p_until = until === null ? null : new Date(until).toISOString();
    const args = { p_session_id: sessionId, p_until };
    cacheTriage(cache, await unwrap(supabase.rest.rpc('snooze_chat_session', args)));
  },
  deleteTag: async (tag: string): Promise<void> => {
    const { tags } = await unwrap(supabase.rest.rpc('delete_chat_tag', { p_tag: tag }));
    cache.setQueryData(tagsKey, tags);
    await cache.invalidateQueries({ queryKey: triageKey });
  },
  /** Reading a conversation reads what mentions the agent in it. */
  readMentions: async (sessionId: string): Promise<void> => {
    cache.setQueryData<readonly string[]>(mentionsKey, (held) => held?.filter((id) => id !== sessionId));
    await unwrapOrNull(supabase.rest.from('chat_mentions').delete().eq('session_id', sessionId));
  },
});

/** The end of a snooze where space is short: `15:30` today, else `Mon 30 Nov`. */
export const formatSnoozeEnd = (end: string, now: number): string =>
  formatWeekdayAndDay(end) === formatWeekdayAndDay(now) ? formatClock(end) : formatWeekdayAndDay(end);

export interface SnoozeOption {
  readonly label: string;
  readonly until: number;
}

const morningHour = 9;

/** In an hour, in four, and the next mornings of the agent's time zone. */
export function snoozeOptions(now: number): readonly SnoozeOption[] {
  const morning = (daysAhead: number) => {
    const day = new Date(now);
    day.setDate(day.getDate() + daysAhead);
    return day.setHours(morningHour, 0, 0, 0);
  };
  const daysToMonday = (8 - new Date(now).getDay()) % 7 || 7;
  const options = [
    { label: 'For an hour', until: now + hourMs },
    { label: 'For four hours', until: now + 4 * hourMs },
    { label: 'Until tomorrow', until: morning(1) },
  ];
  return daysToMonday === 1 ? options : [...options, { label: 'Until Monday', until: morning(daysToMonday) }];
}
