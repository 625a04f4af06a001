/**
 * One conversation, live: shared by the trader's page and the console. Messages are ordered by `seq`, without gaps or
 * duplicates, however the socket behaves (docs/support.md).
 */
import type { ChatSide } from '@fulcrum/contract/roles';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { LiveConversation, noConversation } from './live-conversation.ts';
import type { Conversation } from './types.ts';

export { Composer, type ComposerHandle, type ComposerProps } from './Composer.tsx';
export { Divider, Entries, type Insert, Log, type LogProps } from './Log.tsx';
export { noConversation } from './live-conversation.ts';
export { pause } from './pause.ts';
export { isSendKey } from './send-key.ts';
export { useSuggestedAnswer } from './suggested-answer.ts';
export type {
  ChatMessage,
  ChatSession,
  Conversation,
  Outgoing,
} from './types.ts';
export { typingExpiryMs } from './typing.ts';

const never = () => () => {};

/**
 * The conversation of that id; null when none is selected. Impersonation is read-only: nothing is marked, sent or
 * announced.
 */
export function useConversation(sessionId: string | null, side: ChatSide): Conversation {
  const { supabase, user, impersonation } = useSignedIn();
  const userId = user.id;
  const isImpersonating = impersonation !== null;
  const live = useMemo(() => {
    if (sessionId === null) return null;
    return new LiveConversation(
      { supabase, userId, side, mode: isImpersonating ? 'reads' : 'takes part' },
      sessionId,
    );
  }, [supabase, userId, side, isImpersonating, sessionId]);
  useEffect(() => live?.start(), [live]);
  return useSyncExternalStore(live?.subscribe ?? never, () => live?.shown ?? noConversation);
}
