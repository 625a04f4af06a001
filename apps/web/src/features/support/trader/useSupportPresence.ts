/** The available agents: read every 30 s, and when an agent connects or leaves. */
import type { Database } from '@fulcrum/contract/database';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryKeys } from '../../../shared/query/index.ts';
import { subscribeToTopic } from '../../../shared/realtime/topic-subscription.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';

export type SupportPresence = Database['public']['Functions']['get_support_presence']['Returns'];

const everyMs = 30_000;
const topic = 'presence:support';

/** Null until it is known. */
export function useSupportPresence(): SupportPresence | null {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const { data: presence } = useQuery<SupportPresence>({
    queryKey: queryKeys.supportPresence(user.id),
    queryFn: ({ signal }) => unwrap(supabase.rest.rpc('get_support_presence', {}).abortSignal(signal)),
    refetchInterval: everyMs,
  });

  useEffect(() => {
    const refetch = () => void cache.invalidateQueries({ queryKey: queryKeys.supportPresence(user.id) });
    const { leave } = subscribeToTopic(supabase, topic, {
      listen: (channel) => void channel.on('presence', { event: 'sync' }, refetch),
      onJoined: refetch,
    });
    return leave;
  }, [supabase, cache, user.id]);
  return presence ?? null;
}
