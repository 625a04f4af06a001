/** The conversation before, closed a while ago: above the one that goes on, so that the thread is not lost. */
import { useEffect } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { Button } from '../../../shared/ui/index.ts';
import { type Conversation, Entries, useConversation } from '../conversation/index.ts';
import { Closing } from './Closing.tsx';

const noOutgoing: Conversation['outgoing'] = [];

export function PreviousConversation({
  sessionId,
  isAsked,
  onDismissed,
}: {
  readonly sessionId: string;
  /** Whether it is this one that a rating is asked for. */
  readonly isAsked: boolean;
  readonly onDismissed: () => void;
}) {
  const { user } = useSignedIn();
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
      {/* What waits to be sent goes into the next one, and is shown there. */}
      <Entries
        conversation={{ ...conversation, outgoing: noOutgoing }}
        side="trader"
        inserts={[]}
        userId={user.id}
      />
      <Closing conversation={conversation} isAsked={isAsked} onDismissed={onDismissed} />
    </>
  );
}
