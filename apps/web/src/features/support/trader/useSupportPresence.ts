/** Who of support is there: asked every 30 s, and as soon as somebody comes or goes. */
import type { Database } from '@fulcrum/contract/database';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { log as appLog } from '../../../shared/log/log.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { followTopic } from '../../../shared/realtime/follow-topic.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { rowsOf } from '../../../shared/supabase/index.ts';

export type SupportPresence = Database['public']['Functions']['get_support_presence']['Returns'];

const log = appLog.of('chat');
const everyMs = 30_000;
const topic = 'presence:support';

/** Null until it is known. */
export function useSupportPresence(): SupportPresence | null {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const { data: presence } = useQuery<SupportPresence>({
    queryKey: queryKeys.supportPresence(user.id),
    queryFn: ({ signal }) => rowsOf(supabase.rest.rpc('get_support_presence', {}).abortSignal(signal)),
    refetchInterval: everyMs,
  });

  useEffect(() => {
    const askAgain = () => {
      cache
        .invalidateQueries({ queryKey: queryKeys.supportPresence(user.id) })
        .catch((cause: unknown) => log.warn('Who of support is there could not be read', cause));
    };
    const { leave } = followTopic(supabase, topic, {
      listen: (channel) => void channel.on('presence', { event: 'sync' }, askAgain),
      onJoined: askAgain,
    });
    return leave;
  }, [supabase, cache, user.id]);
  return presence ?? null;
}
