/**
 * The support team as agents see it: names, states, open conversations, and who answers a conversation. Read again every
 * half minute, and when the list of agents opens.
 */
import type { Database } from '@fulcrum/contract/database';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { type Supabase, unwrap } from '../../../shared/supabase/index.ts';
import type { ChatSession } from '../conversation/index.ts';

const everyMs = 30_000;
const key = ['support-team'] as const;

export type Agent = Database['public']['Functions']['get_support_team']['Returns']['agents'][number];

export interface Team {
  readonly agents: readonly Agent[];
  /** 'You', the username of a colleague, or 'A colleague' for an account that is no agent any more. */
  readonly nameOf: (agentId: string | null) => string;
  readonly refetch: () => void;
}

const none: readonly Agent[] = [];

export function useTeam(): Team {
  const { supabase, user } = useSignedIn();
  const cache = useQueryClient();
  const { data: agents = none } = useQuery<readonly Agent[]>({
    queryKey: key,
    queryFn: async ({ signal }) =>
      (await unwrap(supabase.rest.rpc('get_support_team', {}).abortSignal(signal))).agents,
    refetchInterval: everyMs,
    staleTime: everyMs / 2,
  });
  const refetch = useCallback(() => void cache.invalidateQueries({ queryKey: key }), [cache]);
  return useMemo(() => {
    const names = new Map(agents.map(({ id, username }) => [id, username]));
    const nameOf = (agentId: string | null) =>
      agentId === user.id ? 'You' : ((agentId === null ? undefined : names.get(agentId)) ?? 'A colleague');
    return { agents, nameOf, refetch };
  }, [agents, user.id, refetch]);
}

export interface Assignment {
  readonly sessionId: string;
  /** Null gives the conversation back to all. */
  readonly agentId: string | null;
  /** The assignee that this agent saw: the server refuses when another one was chosen meanwhile. */
  readonly expected: string | null;
  readonly note: string;
  readonly clientId: string;
}

export async function assignSession(
  supabase: Supabase,
  { sessionId, agentId, expected, note, clientId }: Assignment,
): Promise<ChatSession> {
  return unwrap(
    supabase.rest.rpc('assign_chat_session', {
      p_session_id: sessionId,
      p_agent_id: agentId,
      p_expected: expected,
      p_note: note.trim() === '' ? null : note,
      p_client_id: clientId,
    }),
  );
}
