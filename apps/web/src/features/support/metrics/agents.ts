/**
 * The people of support as the admin sees them: read once, then kept current by realtime. Invariant: after each (re)join the list is
 * read again, for what was announced meanwhile is lost.
 *
 * Known limitation: the first 100 by name.
 */
import type { Database } from '@fulcrum/contract/database';
import type { RealtimeChannel } from '@supabase/realtime-js';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { log as appLog } from '../../../shared/log/log.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { rowsOf, type Supabase } from '../../../shared/supabase/index.ts';

const log = appLog.of('support');
const agentsMax = 100;
const againAfterMs = 5_000;

type Details = Database['public']['Tables']['support_details']['Row'];
export type AgentStatus = Details['status'];

export interface Agent {
  readonly userId: string;
  readonly username: string;
  readonly status: AgentStatus;
  readonly level: string;
  readonly department: string;
  /** `09:00–17:00 UTC`; null when it cannot be read. */
  readonly hours: string | null;
  readonly specializations: readonly string[];
}

/** Working hours are JSON on the wire: whatever does not look like them is left out. */
export function hoursOf(json: Details['workingHours']): string | null {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  const { start, end, timezone } = json;
  if (typeof start !== 'string' || typeof end !== 'string') return null;
  return `${start}–${end}${typeof timezone === 'string' ? ` ${timezone}` : ''}`;
}

async function readAgents({ rest }: Supabase, signal: AbortSignal): Promise<readonly Agent[]> {
  const rows = await rowsOf(
    rest.from('support_details').select('*, user:users(username)').limit(agentsMax).abortSignal(signal),
  );
  return rows
    .map(({ user, user_id, workingHours, ...row }) => ({
      userId: user_id,
      username: user?.username ?? 'Deleted account',
      status: row.status,
      level: row.level,
      department: row.department,
      hours: hoursOf(workingHours),
      specializations: row.specializations,
    }))
    .sort((left, right) => left.username.localeCompare(right.username));
}

interface Announced {
  readonly eventType: string;
  readonly new: object;
}

/** A new status stands at once; who came or went is read. */
function onAnnounced(cache: QueryClient, change: Announced): void {
  if (change.eventType === 'UPDATE') {
    const row = change.new as Details;
    cache.setQueryData<readonly Agent[]>(queryKeys.agents, (agents) =>
      agents?.map((agent) => (agent.userId === row.user_id ? { ...agent, status: row.status } : agent)),
    );
  } else readAgain(cache);
}

function readAgain(cache: QueryClient): void {
  cache
    .invalidateQueries({ queryKey: queryKeys.agents })
    .catch((cause: unknown) => log.warn('Reading the agents again failed', cause));
}

/** Settled once the channel before is gone: until then the client would hand out the dying one for the same topic. */
let left: Promise<unknown> = Promise.resolve();

/** Keeps `cache` current and tells who has a socket, until the returned function is called. */
function followAgents(
  { realtime }: Supabase,
  cache: QueryClient,
  onPresent: (userIds: ReadonlySet<string>) => void,
): () => void {
  let channel: RealtimeChannel | undefined;
  let isOver = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  const join = () => {
    const joined = realtime.channel('presence:support', { config: { private: true } });
    joined
      .on(
        'postgres_changes',
        { event: '*', schema: 'public', table: 'support_details' },
        (change: Announced) => onAnnounced(cache, change),
      )
      .on('presence', { event: 'sync' }, () => onPresent(new Set(Object.keys(joined.presenceState()))))
      .subscribe((status, cause) => {
        if (status === 'SUBSCRIBED') readAgain(cache);
        else if (status !== 'CLOSED') log.warn(`Channel of the agents: ${status}`, cause);
      });
    return joined;
  };
  // A join without a token would be refused: the socket asks for one first.
  const enter = async (): Promise<void> => {
    if (isOver) return;
    try {
      await realtime.setAuth();
      if (!isOver) channel = join();
    } catch (cause) {
      log.warn('The channel of the agents could not be joined; it is tried again', cause);
      if (!isOver) again = setTimeout(enter, againAfterMs);
    }
  };
  left.then(enter).catch((cause: unknown) => log.error('Following the agents broke', cause));
  return () => {
    isOver = true;
    clearTimeout(again);
    if (!channel) return;
    left = realtime
      .removeChannel(channel)
      .catch((cause: unknown) => log.warn('Leaving the channel of the agents failed', cause));
  };
}

/** The agents, and whose console is connected; null until that is known. */
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
