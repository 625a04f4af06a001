/** Who of support is there: asked every 30 s, and as soon as somebody comes or goes. */
import type { Database } from '@fulcrum/contract/database';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { log as appLog } from '../../../shared/log/log.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { rowsOf } from '../../../shared/supabase/index.ts';

export type SupportPresence = Database['public']['Functions']['get_support_presence']['Returns'];

const log = appLog.of('chat');
const everyMs = 30_000;
const topic = 'presence:support';
/** The channel of the same topic can be joined once the one before is gone. */
let left: Promise<unknown> = Promise.resolve();

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
    let isOver = false;
    let leave = () => {};
    const askAgain = () => {
      cache
        .invalidateQueries({ queryKey: queryKeys.supportPresence(user.id) })
        .catch((cause: unknown) => log.warn('Who of support is there could not be read', cause));
    };
    const join = async () => {
      await supabase.realtime.setAuth();
      if (isOver) return;
      const channel = supabase.realtime
        .channel(topic, { config: { private: true } })
        .on('presence', { event: 'sync' }, askAgain)
        .subscribe();
      leave = () => {
        left = supabase.realtime
          .removeChannel(channel)
          .catch((cause: unknown) => log.warn('Leaving the presence of support failed', cause));
      };
    };
    left
      .then(() => (isOver ? undefined : join()))
      .catch((cause: unknown) => log.warn('The presence of support could not be followed', cause));
    return () => {
      isOver = true;
      leave();
    };
  }, [supabase, cache, user.id]);
  return presence ?? null;
}
