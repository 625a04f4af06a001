/** The end of a conversation: a line that states the close, and the rating card (A66). */
import { texts } from '@fulcrum/contract/texts';
import { chatLimits } from '@fulcrum/domain';
import { useState } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { getStored, setStored } from '../../../shared/storage/index.ts';
import { formatClock } from '../../../shared/time/dates.ts';
import { type Conversation, Divider } from '../conversation/index.ts';
import { RatingCard } from './RatingCard.tsx';

const dismissedKey = (userId: string) => `fulcrum-chat-rating-dismissed.${userId}`;

/** The name of the agent who wrote last. */
const getAgentName = ({ messages }: Conversation): string | null =>
  messages.findLast(({ sender_role }) => sender_role === 'support')?.sender_name ?? null;

export function ConversationEnd({
  conversation,
  offersRating = true,
  onDismissed,
}: {
  readonly conversation: Conversation;
  /** Whether this conversation shows the rating card. */
  readonly offersRating?: boolean;
  readonly onDismissed: () => void;
}) {
  const { user, impersonation } = useSignedIn();
  const { session } = conversation;
  const [dismissed, setDismissed] = useState(() => getStored(dismissedKey(user.id)));
  if (session?.status !== 'closed' || session.closed_at === null) return null;
  const canRate =
    offersRating &&
    impersonation === null &&
    session.last_seq > 0 &&
    dismissed !== session.id &&
    Date.now() - Date.parse(session.closed_at) < chatLimits.ratingMs;
  const dismiss = () => {
    setStored(dismissedKey(user.id), session.id);
    setDismissed(session.id);
    onDismissed();
  };
  return (
    <>
      <Divider>
        {texts.sessionClosed}
        <span className="figures">, {formatClock(session.closed_at)}</span>
      </Divider>
      {canRate ? (
        <RatingCard
          key={session.id}
          session={session}
          agent={getAgentName(conversation)}
          onDismiss={dismiss}
        />
      ) : null}
    </>
  );
}
