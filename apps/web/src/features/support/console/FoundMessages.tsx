/** What a search found beyond the open sessions of the list: closed sessions by name, and messages of all sessions. */
import { getErrorMessage } from '../../../shared/supabase/index.ts';
import { formatClock, formatDay } from '../../../shared/time/dates.ts';
import { Button, EmptyState, ReadError, Skeleton } from '../../../shared/ui/index.ts';
import { type FoundMessage, type FoundSession, getExcerpt, useChatSearch } from './chat-search.ts';
import type { OpenedBy } from './SessionRow.tsx';

interface FoundMessagesProps {
  readonly text: string;
  /** Whether the list above has sessions with that name or email. */
  readonly above: 'some' | 'none';
  readonly onOpen: (sessionId: string, by: OpenedBy, seq: number | null) => void;
}

const rowStyles =
  'block w-full border-b border-line/60 px-4 py-2 text-left -outline-offset-2 transition-colors hover:bg-raised max-md:min-h-11';
const headingStyles = 'px-4 pt-3 pb-1 text-12 font-semibold text-text-2';

function MessageRow({
  message,
  text,
  onOpen,
}: Omit<FoundMessagesProps, 'above'> & { readonly message: FoundMessage }) {
  const { session_id, seq, username, status, sender_role, sender_name, content, created_at } = message;
  const { before, match, after } = getExcerpt(content, text);
  return (
    <li>
      <button
        type="button"
        onClick={({ detail }) => onOpen(session_id, detail > 0 ? 'pointer' : 'keys', seq)}
        className={rowStyles}
      >
        <span className="flex items-center gap-2">
          <span className="min-w-0 truncate text-13 font-medium">{username}</span>
          {status === 'closed' ? <span className="text-12 text-text-3">closed</span> : null}
          <time dateTime={created_at} className="figures ml-auto shrink-0 text-12 text-text-3">
            {`${formatDay(created_at)} ${formatClock(created_at)}`}
          </time>
        </span>
        <span className="line-clamp-2 text-12 wrap-anywhere text-text-2">
          {sender_role === 'support' ? `${sender_name ?? 'Support'}: ` : ''}
          {before}
          <mark className="rounded-[2px] bg-accent-weak text-text">{match}</mark>
          {after}
        </span>
      </button>
    </li>
  );
}

function SessionLine({
  session,
  onOpen,
}: Pick<FoundMessagesProps, 'onOpen'> & { readonly session: FoundSession }) {
  const { id, username, created_at, messages } = session;
  return (
    <li>
      <button
        type="button"
        onClick={({ detail }) => onOpen(id, detail > 0 ? 'pointer' : 'keys', null)}
        className={rowStyles}
      >
        <span className="flex items-center gap-2">
          <span className="min-w-0 truncate text-13 font-medium">{username}</span>
          <span className="figures ml-auto shrink-0 text-12 text-text-3">{formatDay(created_at)}</span>
        </span>
        <span className="text-12 text-text-2">{`Closed, ${messages} ${messages === 1 ? 'message' : 'messages'}`}</span>
      </button>
    </li>
  );
}

export function FoundMessages({ text, above, onOpen }: FoundMessagesProps) {
  const { search, messages, sessions } = useChatSearch(text);
  if (search.isError) {
    return (
      <ReadError
        title="Messages could not be searched"
        detail={getErrorMessage(search.error, 'Check your connection and try again.')}
        reading={search}
      />
    );
  }
  if (search.isPending) {
    return (
      <div role="status" aria-label="Searching messages" className="flex flex-col gap-3 p-4">
        <Skeleton className="h-3 w-40" />
        <Skeleton className="h-3 w-52" />
      </div>
    );
  }
  const isEmpty = messages.length === 0 && sessions.length === 0;
  if (isEmpty && above === 'none') {
    return (
      <EmptyState title="No matching sessions">
        No session has that name or email, and no message has a word that begins like this.
      </EmptyState>
    );
  }
  return (
    <div aria-busy={search.isFetching}>
      {sessions.length === 0 ? null : (
        <section aria-labelledby="found-sessions">
          <h3 id="found-sessions" className={headingStyles}>
            Closed sessions
          </h3>
          <ul>
            {sessions.map((session) => (
              <SessionLine key={session.id} session={session} onOpen={onOpen} />
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="found-messages">
        <h3 id="found-messages" className={headingStyles}>
          Messages
        </h3>
        <ul>
          {messages.map((message) => (
            <MessageRow key={message.id} message={message} text={text} onOpen={onOpen} />
          ))}
        </ul>
        {messages.length === 0 ? (
          <p className="px-4 pb-3 text-12 text-text-2">No message has a word that begins like this.</p>
        ) : null}
      </section>
      {search.hasNextPage ? (
        <div className="flex justify-center p-2">
          <Button
            tone="quiet"
            size="compact"
            pending={search.isFetchingNextPage}
            onClick={() => void search.fetchNextPage()}
          >
            Earlier messages
          </Button>
        </div>
      ) : null}
    </div>
  );
}
