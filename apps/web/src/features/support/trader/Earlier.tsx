/** Closed conversations: a list by date, and each one to read. */
import { texts } from '@fulcrum/contract/texts';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useRef } from 'react';
import { Link } from 'react-router';
import type { SupportConversation } from '../../../shared/realtime/support-conversations.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { formatDay } from '../../../shared/time/dates.ts';
import { EmptyState, ErrorState } from '../../../shared/ui/index.ts';
import { Log, useConversation } from '../conversation/index.ts';
import { BackHeader } from './ChatHeader.tsx';
import { ConversationEnd } from './ConversationEnd.tsx';

const messagesText = (count: number): string => (count === 1 ? '1 message' : `${count} messages`);

/** The closed conversations that contain messages. */
export const filterEarlier = (sessions: readonly SupportConversation[]): readonly SupportConversation[] =>
  sessions.filter(({ status, last_seq }) => status === 'closed' && last_seq > 0);

export function EarlierList({ sessions }: { readonly sessions: readonly SupportConversation[] }) {
  return (
    <>
      <BackHeader title="Earlier conversations" to="/chat" />
      {sessions.length === 0 ? (
        <EmptyState title="No earlier conversations">
          Conversations appear here after support has closed them.
        </EmptyState>
      ) : (
        <ul className="grow overflow-y-auto">
          {sessions.map(({ id, created_at, last_seq, rating }) => (
            <li key={id} className="border-b border-line">
              <Link
                to={`/chat?earlier=${id}`}
                className="flex min-h-14 items-center gap-3 px-4 text-13 -outline-offset-2 hover:bg-raised"
              >
                <span className="grow font-medium">
                  <DateTime iso={created_at} />
                </span>
                <span className="text-text-2">{messagesText(last_seq)}</span>
                {rating === null ? null : <span className="text-text-2">Rated {rating} of 5</span>}
                <ChevronRight size={16} aria-hidden="true" className="text-text-3" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export function EarlierConversation({ sessionId }: { readonly sessionId: string }) {
  const conversation = useConversation(sessionId, 'trader');
  const { status, error, session, reload } = conversation;
  const container = useRef<HTMLDivElement>(null);
  return (
    <div ref={container} tabIndex={-1} className="flex min-h-0 grow flex-col outline-none">
      <BackHeader
        title={session === null ? 'Earlier conversation' : formatDay(session.created_at)}
        to="/chat?earlier"
      />
      {status === 'failed' ? (
        <ErrorState title={error ?? texts.loadMessagesFailed} onRetry={reload} />
      ) : (
        <Log
          conversation={{ ...conversation, outgoing: [] }}
          side="trader"
          label="Earlier conversation"
          after={
            <ConversationEnd conversation={conversation} onDismissed={() => container.current?.focus()} />
          }
        />
      )}
    </div>
  );
}
