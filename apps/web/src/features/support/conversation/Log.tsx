/**
 * The messages of a conversation, `role="log"`. It stays at its end until the user scrolls up. Then nothing moves,
 * and a button shows new messages. Only new messages are announced, by a separate live region; loaded history is not.
 * The log reports the visible messages to the conversation, which decides whether they count as read.
 */
import type { ChatSide } from '@fulcrum/contract/roles';
import ArrowDown from 'lucide-react/icons/arrow-down';
import { type ReactNode, useEffect, useMemo } from 'react';
import { replaceBidiControls } from '../../../shared/linked-text/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { formatDay } from '../../../shared/time/dates.ts';
import { Button, Skeleton } from '../../../shared/ui/index.ts';
import { type Authorship, MessageBubble, OutgoingBubble } from './Bubble.tsx';
import { buildEntries, type Entry, isReadByOther, nearDay } from './entries.ts';
import type { ChatMessage, Conversation } from './types.ts';
import { useLogPosition } from './useLogPosition.ts';

/** An element between two messages, such as an internal note or a close. */
export interface Insert {
  readonly key: string;
  /** Placed after the message of that `seq`. */
  readonly afterSeq: number;
  readonly node: ReactNode;
}

export interface LogProps {
  readonly conversation: Conversation;
  /** The side of the reader. */
  readonly side: ChatSide;
  readonly inserts?: readonly Insert[];
  /** The accessible name of the log. */
  readonly label?: string;
  /** The name of the other side, for its typing indicator. */
  readonly otherName?: string;
  /** Shown above the first message, such as the previous conversation. */
  readonly before?: ReactNode;
  /** When `before` was written; its day is not repeated. */
  readonly beforeIso?: string | null;
  /** Shown beneath the last message, in the log. */
  readonly after?: ReactNode;
  /** Shown instead of messages while there are none. */
  readonly empty?: ReactNode;
  /** Shown beside the typing indicator, such as colleagues who are here. */
  readonly aside?: ReactNode;
  /** The message to scroll to once it is loaded; the conversation opens there. */
  readonly foundSeq?: number | null;
}

/** Above this number of messages, those out of view are not laid out. */
const manyMessages = 200;
const outOfSight = '[content-visibility:auto] [contain-intrinsic-size:auto_60px]';
const announcedMax = 300;

/** A text between two lines. */
export function Divider({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex items-center gap-3 pt-4 pb-1 text-12 text-text-3">
      <span aria-hidden="true" className="h-px grow bg-line" />
      <span>{children}</span>
      <span aria-hidden="true" className="h-px grow bg-line" />
    </div>
  );
}

const nameOf = ({ sender_role, sender_name }: ChatMessage): string =>
  sender_name ?? (sender_role === 'trader' ? 'Trader' : 'Support');

const getAuthorship = (isOwnSide: boolean, { sender_id }: ChatMessage, userId: string): Authorship =>
  isOwnSide ? (sender_id === userId ? 'own' : 'colleague') : 'other';

interface EntriesProps extends Pick<LogProps, 'conversation' | 'side'> {
  readonly inserts: readonly Insert[];
  readonly afterIso?: string | null;
  readonly foundSeq?: number | null;
}

/** The messages alone, without a scroll container. */
export function Entries({ conversation, side, inserts, afterIso = null, foundSeq = null }: EntriesProps) {
  const { id: userId } = useSignedIn().user;
  const { messages, outgoing, session, retry, discard } = conversation;
  const entries = useMemo(
    () => buildEntries(side, messages, outgoing, inserts, afterIso),
    [side, messages, outgoing, inserts, afterIso],
  );
  const entryStyle = messages.length > manyMessages ? outOfSight : '';
  const drawn = (entry: Entry<Insert>): ReactNode => {
    if (entry.kind === 'day') {
      const day = nearDay(entry.iso, Date.now()) ?? formatDay(entry.iso);
      return <Divider key={entry.key}>{day}</Divider>;
    }
    if (entry.kind === 'insert') return <div key={entry.key}>{entry.insert.node}</div>;
    if (entry.kind === 'outgoing') {
      return (
        <OutgoingBubble
          key={entry.key}
          outgoing={entry.outgoing}
          isFirst={entry.isFirst}
          onRetry={retry}
          onDiscard={discard}
        />
      );
    }
    const { message } = entry;
    return (
      <MessageBubble
        key={entry.key}
        message={message}
        authorship={getAuthorship(entry.isOwnSide, message, userId)}
        author={message.sender_id === userId ? 'You' : nameOf(message)}
        isFirst={entry.isFirst}
        isLast={entry.isLast}
        isRead={entry.isOwnSide && isReadByOther(message, session)}
        isFound={message.seq === foundSeq}
        className={entryStyle}
      />
    );
  };
  return entries.map(drawn);
}

/** A placeholder in the shape of a conversation. */
function LogSkeleton() {
  return (
    <div aria-hidden="true" className="flex grow flex-col justify-end gap-3">
      <Skeleton className="h-10 w-56 rounded-[12px]" />
      <Skeleton className="ml-auto h-14 w-64 rounded-[12px]" />
      <Skeleton className="h-10 w-40 rounded-[12px]" />
    </div>
  );
}

interface TypingLineProps {
  readonly name: string;
  readonly isTyping: boolean;
  readonly aside: ReactNode;
}

function TypingLine({ name, isTyping, aside }: TypingLineProps) {
  return (
    <div className="flex h-7 shrink-0 items-center gap-2 px-6 text-12 text-text-3 max-md:px-4">
      {isTyping ? (
        <>
          <span aria-hidden="true" className="flex gap-1">
            {[0, 1, 2].map((dot) => (
              <span
                key={dot}
                className="size-1.5 animate-pulse rounded-full bg-text-3 motion-reduce:animate-none"
                style={{ animationDelay: `${dot * 160}ms` }}
              />
            ))}
          </span>
          <span className="truncate">{name} is typing</span>
        </>
      ) : null}
      {aside}
    </div>
  );
}

const none: readonly Insert[] = [];

export function Log({
  conversation,
  side,
  inserts = none,
  label = 'Conversation',
  otherName = side === 'trader' ? 'Support' : 'Trader',
  before,
  beforeIso = null,
  after,
  empty,
  aside,
  foundSeq = null,
}: LogProps) {
  const { messages, outgoing, status, hasEarlier, isLoadingEarlier, loadEarlier, seen } = conversation;
  const position = useLogPosition(conversation, side, foundSeq);
  const { lastInView } = position;
  useEffect(() => {
    if (lastInView > 0) seen(lastInView);
  }, [lastInView, seen]);
  const isEmpty = messages.length === 0 && outgoing.length === 0 && inserts.length === 0;
  const { arrived } = position;

  return (
    <div className="relative flex min-h-0 grow flex-col">
      <div
        ref={position.box}
        role="log"
        aria-label={label}
        // The live region beneath announces new messages, so loaded history is silent.
        aria-live="off"
        aria-busy={status === 'loading'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
        tabIndex={0}
        onScroll={position.onScroll}
        className={`min-h-0 grow overflow-y-auto overscroll-contain px-6 -outline-offset-2 max-md:px-4 ${position.isScrolled ? '[mask-image:linear-gradient(to_bottom,transparent,black_28px)]' : ''}`}
      >
        <div className="flex min-h-full flex-col justify-end pt-3 pb-1">
          {hasEarlier ? (
            <div className="flex justify-center pb-2">
              <Button tone="quiet" size="compact" pending={isLoadingEarlier} onClick={loadEarlier}>
                Earlier messages
              </Button>
            </div>
          ) : (
            before
          )}
          {status === 'loading' ? <LogSkeleton /> : null}
          {status === 'ready' && isEmpty ? empty : null}
          <Entries
            conversation={conversation}
            side={side}
            inserts={inserts}
            afterIso={hasEarlier ? null : beforeIso}
            foundSeq={foundSeq}
          />
          {after}
        </div>
      </div>
      <p aria-live="polite" className="sr-only">
        {arrived === null
          ? ''
          : `${nameOf(arrived)}: ${replaceBidiControls(arrived.content.slice(0, announcedMax))}`}
      </p>
      {position.newCount > 0 ? (
        <div className="pointer-events-none absolute inset-x-0 bottom-9 flex justify-center">
          <Button
            tone="primary"
            size="compact"
            className="pointer-events-auto rounded-full shadow-raised"
            onClick={position.toEnd}
          >
            <ArrowDown size={14} aria-hidden="true" />
            New messages
          </Button>
        </div>
      ) : null}
      <TypingLine name={otherName} isTyping={conversation.otherIsTyping} aside={aside} />
    </div>
  );
}
