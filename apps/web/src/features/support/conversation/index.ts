/**
 * One conversation, live: what both the trader's page and the console show and do. Messages are in the order of `seq`,
 * without a gap and none twice, however the socket behaves (docs/people.md, Support chat).
 */
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { LiveConversation, noConversation } from './live.ts';
import type { Conversation, Side } from './terms.ts';

export { Composer, type ComposerHandle, type ComposerProps } from './Composer.tsx';
export { type Insert, Log, type LogProps } from './Log.tsx';
export {
  type ChatMessage,
  type ChatSession,
  type Conversation,
  messageMax,
  type Outgoing,
  type Side,
} from './terms.ts';

const never = () => () => {};

/**
 * The conversation of that id; null: none is chosen. `reads` is for one that is only looked at: nothing is marked, sent or
 * announced, as always while acting as somebody else.
 */
export function useConversation(
  sessionId: string | null,
  side: Side,
  mode: 'takes part' | 'reads' = 'takes part',
): Conversation {
  const { supabase, user, acting } = useSignedIn();
  const userId = user.id;
  const isActing = acting !== null;
  const live = useMemo(() => {
    if (sessionId === null) return null;
    return new LiveConversation({ supabase, userId, side, mode: isActing ? 'reads' : mode }, sessionId);
  }, [supabase, userId, side, mode, isActing, sessionId]);
  useEffect(() => live?.start(), [live]);
  return useSyncExternalStore(live?.subscribe ?? never, () => live?.shown ?? noConversation);
}
