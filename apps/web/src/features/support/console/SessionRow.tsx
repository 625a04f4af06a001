/**
 * One open conversation in the list. Unread (a pill with a number) and unanswered (a ring with its time) are two
 * different marks. It renders only when its own row changes.
 */
import AtSign from 'lucide-react/icons/at-sign';
import BellOff from 'lucide-react/icons/bell-off';
import UserRound from 'lucide-react/icons/user-round';
import { memo } from 'react';
import { formatClock } from '../../../shared/time/dates.ts';
import { Avatar, Badge } from '../../../shared/ui/index.ts';
import { formatLastMessage, getTraderName, type ListedSession } from './sessions.ts';
import { formatSnoozeEnd } from './triage.ts';
import { WaitMark } from './WaitMark.tsx';

const mostShown = 99;

/** A click focuses the reply field. Keys leave the focus in the list, and R moves it to the field. */
export type OpenedBy = 'pointer' | 'keys';

interface SessionRowProps {
  readonly session: ListedSession;
  /** The agent of the last answer, 'You' for oneself. */
  readonly lastAgent: string;
  /** The agent who answers it; null while it is everyone's. */
  readonly assignee: string | null;
  readonly tags: readonly string[];
  /** The end of its snooze, ISO; null without one. */
  readonly snoozedUntil: string | null;
  /** Whether an unread note mentions this agent. */
  readonly mark: 'mentioned' | 'none';
  readonly current: 'current' | 'other';
  /** One row of the list is in the tab order. */
  readonly tabIndex: 0 | -1;
  /** Must be stable, so that it causes no render. */
  readonly onOpen: (id: string, by: OpenedBy) => void;
}

function Unread({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span className="grid h-[18px] min-w-[18px] shrink-0 place-items-center rounded-full bg-accent px-1.5 text-11 font-semibold text-on-fill">
      <span aria-hidden="true">{count > mostShown ? `${mostShown}+` : count}</span>
      <span className="sr-only">{`${count} unread ${count === 1 ? 'message' : 'messages'}`}</span>
    </span>
  );
}

/** The first tag, and how many more. */
function Tags({ tags: [first, ...more] }: Pick<SessionRowProps, 'tags'>) {
  if (first === undefined) return null;
  return (
    <span className="max-w-28 min-w-10 shrink-0 truncate rounded-badge bg-line px-1.5 text-11 leading-[18px] text-text-2">
      <span className="sr-only">tagged </span>
      {first}
      {more.length === 0 ? null : (
        <>
          <span aria-hidden="true">{` +${more.length}`}</span>
          <span className="sr-only">{`, ${more.join(', ')}`}</span>
        </>
      )}
    </span>
  );
}

export const SessionRow = memo(function SessionRow({
  session,
  lastAgent,
  assignee,
  tags,
  snoozedUntil,
  mark,
  current,
  tabIndex,
  onOpen,
}: SessionRowProps) {
  const { id, user, unread_count: unread, waiting_since: since, created_at: createdAt } = session;
  return (
    <li className="[contain-intrinsic-size:auto_76px] [content-visibility:auto]">
      <button
        type="button"
        data-session={id}
        tabIndex={tabIndex}
        aria-current={current === 'current' ? 'true' : undefined}
        onClick={({ detail }) => onOpen(id, detail > 0 ? 'pointer' : 'keys')}
        className="group relative flex h-[76px] w-full gap-3 border-b border-line/60 px-4 py-2 text-left -outline-offset-2 transition-colors hover:bg-raised aria-[current=true]:bg-accent-weak"
      >
        <span className="absolute inset-y-0 left-0 w-[3px] bg-accent opacity-0 group-aria-[current=true]:opacity-100" />
        <span className="pt-1">
          <Avatar username={getTraderName(session)} size="large" />
        </span>
        <span className="min-w-0 grow">
          <span className="flex items-center gap-2">
            <span className={`truncate text-13 ${unread > 0 ? 'font-semibold' : 'font-medium'}`}>
              {getTraderName(session)}
            </span>
            <span className="ml-auto flex shrink-0 items-center gap-2.5">
              {snoozedUntil === null ? null : (
                <span className="flex items-center gap-1 text-12 text-text-2">
                  <BellOff size={12} aria-hidden="true" />
                  <span className="sr-only">snoozed </span>
                  {`until ${formatSnoozeEnd(snoozedUntil, Date.now())}`}
                </span>
              )}
              {since === null || snoozedUntil !== null ? null : <WaitMark since={since} />}
              <time
                dateTime={createdAt}
                className="figures text-12 text-text-3 group-aria-[current=true]:text-text-2"
              >
                <span className="sr-only">began at </span>
                {formatClock(createdAt)}
              </time>
            </span>
          </span>
          <span className="flex gap-2 text-12 text-text-3 group-aria-[current=true]:text-text-2">
            <span className="min-w-0 truncate">{user?.email}</span>
            {assignee === null ? null : (
              <span className="ml-auto flex max-w-24 shrink-0 items-center gap-1 text-text-2">
                <UserRound size={12} aria-hidden="true" className="shrink-0" />
                <span className="truncate">
                  <span className="sr-only">assigned to </span>
                  {assignee}
                </span>
              </span>
            )}
          </span>
          <span className="flex items-center gap-2">
            <span
              className={`min-w-0 truncate text-12 ${unread > 0 ? 'font-medium text-text' : 'text-text-2'}`}
            >
              {formatLastMessage(session, lastAgent)}
            </span>
            <span className="ml-auto" />
            <Tags tags={tags} />
            {mark === 'mentioned' ? (
              <Badge tone="warn">
                <AtSign size={12} aria-hidden="true" />
                <span className="sr-only">You are mentioned</span>
              </Badge>
            ) : null}
            <Unread count={unread} />
          </span>
        </span>
      </button>
    </li>
  );
});

/** The placeholder of a row that is gone while the pointer is on the list. */
export function ClosedSessionRow() {
  return (
    <li className="flex h-[76px] items-center border-b border-line/60 px-4 text-12 text-text-3">
      This session was closed
    </li>
  );
}
