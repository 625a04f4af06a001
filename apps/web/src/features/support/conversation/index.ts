/**
 * One conversation, live: what both the trader's page and the console show and do. Messages are in the order of `seq`,
 * without a gap and none twice, however the socket behaves (docs/people.md, Support chat).
 */
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { LiveConversation, noConversation } from './live.ts';
import type { Conversation, Side } from './terms.ts';

export { Composer, type ComposerHandle, type ComposerProps } from './Composer.tsx';
export { Divider, Entries, type Insert, Log, type LogProps } from './Log.tsx';
export { noConversation } from './live.ts';
export { isSendKey } from './send-key.ts';
export type {
  ChatMessage,
  ChatSession,
  Conversation,
  Outgoing,
  Side,
} from './terms.ts';

const never = () => () => {};

/**
 * The conversation of that id; null: none is chosen. While acting as somebody else it is only looked at: nothing is marked,
 * sent or announced.
 */
export function useConversation(sessionId: string | null, side: Side): Conversation {
  const { supabase, user, acting } = useSignedIn();
  const userId = user.id;
  const isActing = acting !== null;
  const live = useMemo(() => {
    if (sessionId === null) return null;
    return new LiveConversation(
      { supabase, userId, side, mode: isActing ? 'reads' : 'takes part' },
      sessionId,
    );
  }, [supabase, userId, side, isActing, sessionId]);
  useEffect(() => live?.start(), [live]);
  return useSyncExternalStore(live?.subscribe ?? never, () => live?.shown ?? noConversation);
}
