/** An earlier conversation of the same trader, read-only. */
import { texts } from '@fulcrum/contract/texts';
import { formatDay } from '../../../shared/time/dates.ts';
import { Dialog, ErrorState } from '../../../shared/ui/index.ts';
import { Log, useConversation } from '../conversation/index.ts';
import type { CurrentTrader } from './current-trader.ts';

interface EarlierSessionProps {
  readonly session: CurrentTrader['earlier'][number];
  readonly username: string;
  readonly onClose: () => void;
}

const formatRating = (rating: number | null): string =>
  rating === null ? 'Not rated.' : `Rated ${rating} of 5.`;

export function EarlierSession({ session, username, onClose }: EarlierSessionProps) {
  const conversation = useConversation(session.id, 'support');
  const closed = session.closed_at === null ? '' : ` Closed ${formatDay(session.closed_at)}.`;
  const comment = conversation.session?.rating_comment;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${username}, ${formatDay(session.created_at)}`}
      description={`${formatRating(session.rating)}${closed}${comment ? ` “${comment}”` : ''}`}
    >
      <div className="-mx-5 flex h-[min(55dvh,420px)] flex-col border-y border-line bg-canvas">
        {conversation.status === 'failed' ? (
          <ErrorState title={conversation.error ?? texts.loadMessagesFailed} onRetry={conversation.reload} />
        ) : (
          <Log
            conversation={conversation}
            side="support"
            label={`Earlier conversation with ${username}`}
            otherName={username}
          />
        )}
      </div>
    </Dialog>
  );
}
