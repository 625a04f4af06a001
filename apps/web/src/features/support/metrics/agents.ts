/**
 * The support agents for the admin: read once, then updated by realtime. Invariant: after each (re)join the list is
 * read again, because changes in between are lost.
 *
 * Known limitation: the first 100 by name.
 */
import type { Database } from '@fulcrum/contract/database';
import type { SupportStatus } from '@fulcrum/domain';
import type { RealtimeChannel } from '@supabase/realtime-js';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { log as appLog } from '../../../shared/log/log.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { type Supabase, unwrap } from '../../../shared/supabase/index.ts';

const log = appLog.of('support');
const agentsMax = 100;
const retryAfterMs = 5_000;

type Details = Database['public']['Tables']['support_details']['Row'];

export interface Agent {
  readonly userId: string;
  readonly username: string;
  readonly status: SupportStatus;
  readonly level: string;
  readonly department: string;
  /** Such as `09:00–17:00 UTC`; null when it cannot be parsed. */
  readonly hours: string | null;
  readonly specializations: readonly string[];
}

/** Working hours are JSON from the server: a value of another shape is left out. */
function formatWorkingHours(json: Details['workingHours']): string | null {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  const { start, end, timezone } = json;
  if (typeof start !== 'string' || typeof end !== 'string') return null;
  return `${start}–${end}${typeof timezone === 'string' ? ` ${timezone}` : ''}`;
}

async function readAgents({ rest }: Supabase, signal: AbortSignal): Promise<readonly Agent[]> {
  const rows = await unwrap(
    rest.from('support_details').select('*, user:users(username)').limit(agentsMax).abortSignal(signal),
  );
  return rows
    .map(({ user, user_id, workingHours, ...row }) => ({
      userId: user_id,
      username: user?.username ?? 'Deleted account',
      status: row.status,
      level: row.level,
      department: row.department,
      hours: formatWorkingHours(workingHours),
      specializations: row.specializations,
    }))
    .sort((left, right) => left.username.localeCompare(right.username));
}

interface RowChange {
  readonly eventType: string;
  readonly new: object;
}

/** A new status applies at once; added or removed agents cause a read. */
function onRowChange(cache: QueryClient, change: RowChange): void {
  if (change.eventType === 'UPDATE') {
    const row = change.new as Details;
    cache.setQueryData<readonly Agent[]>(queryKeys.agents, (agents) =>
      agents?.map((agent) => (agent.userId === row.user_id ? { ...agent, status: row.status } : agent)),
    );
  } else refetchAgents(cache);
}

function refetchAgents(cache: QueryClient): void {
  void cache.invalidateQueries({ queryKey: queryKeys.agents });
}

/**
 * Resolves after the previous channel is gone: until then the client would return the leaving one for the same topic.
 */
let previousChannelClosed: Promise<unknown> = Promise.resolve();

/** Updates `cache` and reports who has a socket, until the returned function is called. */
function followAgents(
  { realtime }: Supabase,
  cache: QueryClient,
  onPresent: (userIds: ReadonlySet<string>) => void,
): () => void {
  let channel: RealtimeChannel | undefined;
  let isOver = false;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  const join = () => {
    const joined = realtime.channel('presence:support', { config: { private: true } });
    joined
      .on(
        'postgres_changes',
        { event: '*', schema: 'public', table: 'support_details' },
        (change: RowChange) => onRowChange(cache, change),
      )
      .on('presence', { event: 'sync' }, () => onPresent(new Set(Object.keys(joined.presenceState()))))
      .subscribe((status, cause) => {
        if (status === 'SUBSCRIBED') refetchAgents(cache);
        else if (status !== 'CLOSED') log.warn(`Channel of the agents: ${status}`, cause);
      });
    return joined;
  };
  // The server would refuse a join without a token, so the socket reads one first.
  const enter = async (): Promise<void> => {
    if (isOver) return;
    try {
      await realtime.setAuth();
      if (!isOver) channel = join();
    } catch (cause) {
      log.warn('The channel of the agents could not be joined; it is tried again', cause);
      if (!isOver) retryTimer = setTimeout(enter, retryAfterMs);
    }
  };
  previousChannelClosed
    .then(enter)
    .catch((cause: unknown) => log.error('Following the agents failed', cause));
  return () => {
    isOver = true;
    clearTimeout(retryTimer);
    if (!channel) return;
    previousChannelClosed = realtime
      .removeChannel(channel)
      .catch((cause: unknown) => log.warn('Leaving the channel of the agents failed', cause));
  };
}

/** The agents, and which consoles are connected; null until that is known. */
export function useAgents() {
  const { supabase } = useSignedIn();
  const cache = useQueryClient();
  const [present, setPresent] = useState<ReadonlySet<string> | null>(null);
  useEffect(() => followAgents(supabase, cache, setPresent), [supabase, cache]);
  const agents = useQuery({
    queryKey: queryKeys.agents,
    queryFn: ({ signal }) => readAgents(supabase, signal),
  });
  return { agents, present };
}
