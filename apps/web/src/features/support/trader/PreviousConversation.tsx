/** The recently closed conversation, shown above its successor, so that the thread stays readable. */
import { useEffect } from 'react';
import { Button } from '../../../shared/ui/index.ts';
import { type Conversation, Entries, useConversation } from '../conversation/index.ts';
import { ConversationEnd } from './ConversationEnd.tsx';

const noOutgoing: Conversation['outgoing'] = [];

export function PreviousConversation({
  sessionId,
  offersRating,
  onDismissed,
}: {
  readonly sessionId: string;
  /** Whether this conversation shows the rating card. */
  readonly offersRating: boolean;
  readonly onDismissed: () => void;
}) {
  const conversation = useConversation(sessionId, 'trader');
  const { status, seen, hasEarlier, isLoadingEarlier, loadEarlier } = conversation;
  const lastSeq = conversation.messages.at(-1)?.seq ?? 0;
  useEffect(() => {
    if (lastSeq > 0) seen(lastSeq);
  }, [lastSeq, seen]);
  if (status !== 'ready') return null;
  return (
    <>
      {hasEarlier ? (
        <div className="flex justify-center pb-2">
          <Button tone="quiet" size="compact" pending={isLoadingEarlier} onClick={loadEarlier}>
            Earlier messages
          </Button>
        </div>
      ) : null}
      {/* Unsent messages go into the next conversation and are shown there. */}
      <Entries conversation={{ ...conversation, outgoing: noOutgoing }} side="trader" inserts={[]} />
      <ConversationEnd conversation={conversation} offersRating={offersRating} onDismissed={onDismissed} />
    </>
  );
}
