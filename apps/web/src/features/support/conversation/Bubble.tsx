/**
 * One message: its bubble, and beneath the last of a group its author, time and state. A colleague's bubble stands on the
 * surface with a line at its edge, so that no agent takes it for their own.
 */
import { pictureText } from '@fulcrum/domain';
import Check from 'lucide-react/icons/check';
import CheckCheck from 'lucide-react/icons/check-check';
import CircleAlert from 'lucide-react/icons/circle-alert';
import ImageIcon from 'lucide-react/icons/image';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { memo, type ReactNode } from 'react';
import { LinkedText } from '../../../shared/linked-text/index.ts';
import { formatClock } from '../../../shared/time/dates.ts';
import { Avatar, Spinner } from '../../../shared/ui/index.ts';
import { MessagePicture } from './MessagePicture.tsx';
import type { ChatMessage, Outgoing } from './types.ts';

const bubble =
  'w-fit max-w-[min(508px,86%)] rounded-[12px] px-3 py-2 text-13 leading-[1.5] max-md:max-w-[300px] max-md:rounded-[16px] max-md:px-3.5 max-md:py-2.5 max-md:text-14 max-md:leading-[1.45]';
const ownTail = 'ml-auto rounded-br-[4px] max-md:rounded-br-[5px]';
const otherTail = 'rounded-bl-[4px] max-md:rounded-bl-[5px]';
const own = 'bg-[color-mix(in_srgb,var(--accent)_20%,var(--surface))]';
const colleague = 'border border-r-2 border-line border-r-accent bg-surface';
const meta = 'mt-1 flex min-h-4 items-center gap-1 px-1 text-11 text-text-3 max-md:text-12';

function Receipt({ isRead }: { readonly isRead: boolean }) {
  return isRead ? (
    <>
      <CheckCheck size={14} aria-hidden="true" className="text-accent" /> Read
    </>
  ) : (
    <>
      <Check size={14} aria-hidden="true" /> Sent
    </>
  );
}

export type Authorship = 'own' | 'colleague' | 'other';
const bubbleStyles = {
  own: `${own} ${ownTail}`,
  colleague: `${colleague} ${ownTail}`,
  other: `border border-line bg-raised ${otherTail}`,
} as const satisfies Record<Authorship, string>;

interface MessageBubbleProps {
  readonly message: ChatMessage;
  /** `colleague`: another agent of the reader's side. */
  readonly authorship: Authorship;
  /** The author's name, 'You' for the reader. */
  readonly author: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isRead: boolean;
  /** The message that a search opened. */
  readonly isFound: boolean;
  readonly className: string;
}

export const MessageBubble = memo(function MessageBubble({
  message,
  authorship,
  author,
  isFirst,
  isLast,
  isRead,
  isFound,
  className,
}: MessageBubbleProps) {
  const isOwnSide = authorship !== 'other';
  // The reader knows their own name and the trader's initials stand in the header.
  const hasInitials = message.sender_role === 'support' && authorship !== 'own';
  return (
    <div
      className={`${isFirst ? 'pt-3' : 'pt-1'} ${className}`}
      data-seq={message.seq}
      data-session={message.session_id}
    >
      <div
        className={`${bubble} ${bubbleStyles[authorship]} ${isFound ? 'outline-2 outline-offset-2 outline-accent' : ''}`}
      >
        <span className="sr-only">{author}: </span>
        {message.attachment_id === null ? null : <MessagePicture message={message} author={author} />}
        {message.attachment_id !== null && message.content === pictureText ? null : (
          <LinkedText text={message.content} />
        )}
      </div>
      {isLast ? (
        <p className={`${meta} ${isOwnSide ? 'justify-end' : ''}`}>
          {authorship === 'own' ? null : (
            <>
              {hasInitials ? <Avatar username={author} size="small" /> : null}
              <span className="truncate">{author}</span>
              <span aria-hidden="true">·</span>
            </>
          )}
          <time dateTime={message.created_at} className="figures">
            {formatClock(message.created_at)}
          </time>
          {isOwnSide ? (
            <>
              <span aria-hidden="true">·</span>
              <Receipt isRead={isRead} />
            </>
          ) : null}
        </p>
      ) : null}
    </div>
  );
});

interface OutgoingBubbleProps {
  readonly outgoing: Outgoing;
  readonly isFirst: boolean;
  readonly onRetry: (clientId: string) => void;
  readonly onDiscard: (clientId: string) => void;
}

function OutgoingState({ outgoing, onRetry, onDiscard }: Omit<OutgoingBubbleProps, 'isFirst'>): ReactNode {
  const { clientId, state, error } = outgoing;
  if (state === 'pending') {
    return (
      <p className={`${meta} justify-end`}>
        <Spinner size={12} /> Sending
      </p>
    );
  }
  if (state === 'waiting') {
    return (
      <p className={`${meta} justify-end`}>
        <Spinner size={12} /> Waits for the one above
      </p>
    );
  }
  const actionStyles =
    'inline-flex h-7 items-center gap-1.5 rounded-control px-1.5 text-12 font-semibold hover:bg-raised max-md:h-9';
  return (
    <div className="flex flex-col items-end">
      <div className="flex items-center justify-end gap-2 text-12">
        <span role="alert" className="inline-flex items-center gap-1.5 font-medium text-down">
          <CircleAlert size={14} aria-hidden="true" /> Not sent
        </span>
        <button type="button" onClick={() => onRetry(clientId)} className={`${actionStyles} text-accent`}>
          <RotateCw size={14} aria-hidden="true" /> Retry
        </button>
        <button type="button" onClick={() => onDiscard(clientId)} className={`${actionStyles} text-text-2`}>
          Discard
        </button>
      </div>
      {error === null ? null : <p className="px-1 text-right text-12 text-text-2">{error}</p>}
    </div>
  );
}

/** A message that the server has not accepted yet; the same bubble stays afterwards. */
export function OutgoingBubble({ outgoing, isFirst, onRetry, onDiscard }: OutgoingBubbleProps) {
  const bubbleStyle =
    outgoing.state === 'failed'
      ? 'border border-down bg-[color-mix(in_srgb,var(--down)_11%,var(--surface))]'
      : `${own} opacity-72`;
  return (
    <div className={isFirst ? 'pt-3' : 'pt-1'} data-outgoing={outgoing.state}>
      <div className={`${bubble} ${ownTail} ${bubbleStyle}`}>
        <span className="sr-only">You: </span>
        {outgoing.hasPicture ? (
          <ImageIcon size={16} aria-hidden="true" className="mr-1.5 inline align-[-3px]" />
        ) : null}
        <LinkedText text={outgoing.content} />
      </div>
      <OutgoingState outgoing={outgoing} onRetry={onRetry} onDiscard={onDiscard} />
    </div>
  );
}
