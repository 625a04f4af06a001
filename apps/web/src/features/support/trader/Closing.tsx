/** The end of a conversation: the line that says so, and the question how it went (A66). */
import { texts } from '@fulcrum/contract/texts';
import { useState } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { keep, kept } from '../../../shared/storage/index.ts';
import { formatClock } from '../../../shared/time/dates.ts';
import { type Conversation, Divider } from '../conversation/index.ts';
import { RatingCard } from './RatingCard.tsx';

const ratedWithinMs = 86_400_000;
const dismissedKey = (userId: string) => `fulcrum-chat-rating-dismissed.${userId}`;

/** The name of who of support wrote last. */
const agentOf = ({ messages }: Conversation): string | null =>
  messages.findLast(({ sender_role }) => sender_role === 'support')?.sender_name ?? null;

export function Closing({
  conversation,
  isAsked = true,
  onDismissed,
}: {
  readonly conversation: Conversation;
  /** Whether it is this one that a rating is asked for. */
  readonly isAsked?: boolean;
  readonly onDismissed: () => void;
}) {
  const { user, acting } = useSignedIn();
  const { session } = conversation;
  const [dismissed, setDismissed] = useState(() => kept(dismissedKey(user.id)));
  if (session?.status !== 'closed' || session.closed_at === null) return null;
  const canRate =
    isAsked &&
    acting === null &&
    session.last_seq > 0 &&
    dismissed !== session.id &&
    Date.now() - Date.parse(session.closed_at) < ratedWithinMs;
  const dismiss = () => {
    keep(dismissedKey(user.id), session.id);
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
        <RatingCard key={session.id} session={session} agent={agentOf(conversation)} onDismiss={dismiss} />
      ) : null}
    </>
  );
}
