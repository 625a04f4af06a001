/** The selected conversation: its header, its messages and notes, and the reply area. */
import { texts } from '@fulcrum/contract/texts';
import { useQueryClient } from '@tanstack/react-query';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import PanelRight from 'lucide-react/icons/panel-right';
import { useEffect, useMemo, useRef } from 'react';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { getErrorMessage } from '../../../shared/supabase/index.ts';
import { formatClock } from '../../../shared/time/dates.ts';
import {
  Avatar,
  EmptyState,
  ErrorState,
  IconButton,
  showToast,
  useMediaQuery,
} from '../../../shared/ui/index.ts';
import { type Conversation, type Insert, Log } from '../conversation/index.ts';
import { CloseSession } from './CloseSession.tsx';
import { formatColleagues, useColleagues } from './colleagues.ts';
import { NoteLine } from './NoteLine.tsx';
import { refetchNotes, useNotes } from './notes.ts';
import { ReplyArea } from './ReplyArea.tsx';
import { TransferMenu } from './TransferMenu.tsx';
import { TriageBar } from './TriageBar.tsx';
import type { Team } from './team.ts';
import type { Inbox } from './triage.ts';

/** Below this width the console shows one pane at a time. */
export const narrow = '(max-width: 1023px)';

export interface Selected {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
}

interface PaneProps {
  readonly selected: Selected;
  readonly conversation: Conversation;
  /** The agent who answers it; null while it is everyone's. */
  readonly assignedTo: string | null;
  readonly team: Team;
  readonly inbox: Inbox;
  /** The message to open it at; null for the last one. */
  readonly foundSeq: number | null;
  readonly onBack: () => void;
  readonly onClosed: (sessionId: string) => void;
  readonly onPanel: () => void;
  /** Null where the panel is always shown beside it. */
  readonly panel: 'open' | 'shut' | null;
}

function getPresenceLabel({ otherIsHere, session }: Conversation): string {
  if (otherIsHere) return 'Here now';
  return session?.trader_seen_at == null ? 'Not here' : 'Not here now';
}

function Head({
  selected,
  conversation,
  assignedTo,
  team,
  onBack,
  onClosed,
  onPanel,
  panel,
  onAssigned,
}: PaneProps & { readonly onAssigned: () => void }) {
  const { impersonation } = useSignedIn();
  const isNarrow = useMediaQuery(narrow);
  const heading = useRef<HTMLHeadingElement>(null);
  const { session, otherIsHere } = conversation;
  // Where only one pane is shown the focus comes along with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each opened conversation
  useEffect(() => {
    if (isNarrow) heading.current?.focus();
  }, [isNarrow, selected.id]);
  return (
    <header className="flex h-16 shrink-0 items-center gap-3 border-b border-line bg-surface px-5 max-md:gap-2 max-md:px-2">
      <IconButton label="Back to the sessions" onClick={onBack} className="lg:hidden">
        <ArrowLeft size={18} aria-hidden="true" />
      </IconButton>
      <span className="relative max-md:hidden">
        <Avatar username={selected.username} size="large" />
        <span
          aria-hidden="true"
          className={`absolute -right-0.5 -bottom-0.5 size-2.5 rounded-full border-2 border-surface ${otherIsHere ? 'bg-up' : 'bg-text-3'}`}
        />
      </span>
      <div className="min-w-0 grow">
        <h2 ref={heading} tabIndex={-1} className="truncate text-14 font-semibold outline-none">
          {selected.username}
        </h2>
        <p className="truncate text-12 text-text-2">
          <span className={otherIsHere ? 'text-up' : ''}>{getPresenceLabel(conversation)}</span>
          {selected.email === null ? null : ` · ${selected.email}`}
        </p>
      </div>
      {session?.status === 'open' && impersonation === null ? (
        <TransferMenu
          key={selected.id}
          sessionId={selected.id}
          assignedTo={assignedTo}
          team={team}
          onAssigned={onAssigned}
        />
      ) : null}
      {session?.status === 'open' && impersonation === null ? (
        <CloseSession
          sessionId={selected.id}
          username={selected.username}
          answer={session.waiting_since === null ? 'given' : 'owed'}
          onClosed={onClosed}
        />
      ) : null}
      {panel === null ? null : (
        <IconButton
          label="About the trader"
          aria-expanded={panel === 'open'}
          aria-keyshortcuts="i"
          onClick={onPanel}
          className={panel === 'open' ? 'bg-raised' : ''}
        >
          <PanelRight size={18} aria-hidden="true" />
        </IconButton>
      )}
    </header>
  );
}

/** The reason why the agent cannot write now. */
function getDisabledReason(conversation: Conversation, isImpersonating: boolean, team: Team): string | null {
  const { session, isGone } = conversation;
  if (isImpersonating) return texts.notWhileImpersonating;
  if (isGone) return 'This session no longer exists: the trader has started another one.';
  if (session?.status !== 'closed') return null;
  const closer = team.nameOf(session.support_id);
  const at = session.closed_at === null ? '' : `, ${formatClock(session.closed_at)}`;
  return `Closed by ${closer === 'You' ? 'you' : closer}${at}. The trader’s next message starts a new session.`;
}

/** A colleague's answer since the message of `begunAtSeq`. */
function getAnsweredWarning({ messages }: Conversation, begunAtSeq: number, me: string): string | null {
  const answer = messages.findLast(
    ({ seq, sender_role, sender_id }) => seq > begunAtSeq && sender_role === 'support' && sender_id !== me,
  );
  if (answer === undefined) return null;
  return `${answer.sender_name ?? 'A colleague'} answered after you began to write. Press Send again to send yours too.`;
}

export function ConversationPane(props: PaneProps) {
  const { selected, conversation, team } = props;
  const { user, impersonation } = useSignedIn();
  const cache = useQueryClient();
  const { data: notes, isError, error } = useNotes(selected.id);
  const inserts = useMemo<readonly Insert[]>(
    () =>
      (notes ?? []).map((note) => ({
        key: `note ${note.id}`,
        afterSeq: note.after_seq,
        node: <NoteLine note={note} me={user.id} team={team} />,
      })),
    [notes, user.id, team],
  );
  useEffect(() => {
    if (!isError) return;
    showToast('error', 'Internal notes could not be loaded', {
      description: getErrorMessage(error, 'They load again when you return to the page.'),
      id: 'notes',
    });
  }, [isError, error]);
  const onNoted = () => {
    refetchNotes(cache).catch((cause: unknown) => log.warn('The notes could not be read again', cause));
  };
  const disabledReason = getDisabledReason(conversation, impersonation !== null, team);
  const { status } = conversation;
  const { colleagues, typed, stopped } = useColleagues(selected.id);
  const presence = formatColleagues(colleagues, team.nameOf);
  const onAssigned = () => {
    team.refetch();
    conversation.reload();
    onNoted();
  };
  return (
    <section aria-label={`Session of ${selected.username}`} className="flex h-full min-h-0 min-w-0 flex-col">
      <Head {...props} onAssigned={onAssigned} />
      {conversation.session?.status === 'open' && impersonation === null ? (
        <TriageBar key={`triage ${selected.id}`} sessionId={selected.id} inbox={props.inbox} />
      ) : null}
      {status === 'failed' && !conversation.isGone ? (
        <div className="grow">
          <ErrorState title={conversation.error ?? texts.loadMessagesFailed} onRetry={conversation.reload} />
        </div>
      ) : (
        <Log
          conversation={conversation}
          side="support"
          inserts={inserts}
          label={`Conversation with ${selected.username}`}
          otherName={selected.username}
          foundSeq={props.foundSeq}
          aside={
            <span role="status" aria-label="Colleagues" className="ml-auto truncate text-text-2">
              {presence}
            </span>
          }
          empty={
            <EmptyState title="No messages yet">
              The trader has opened the chat but not written yet.
            </EmptyState>
          }
        />
      )}
      <ReplyArea
        key={selected.id}
        conversation={conversation}
        sessionId={selected.id}
        username={selected.username}
        team={team}
        disabledBecause={disabledReason}
        getWarning={(begunAtSeq) => getAnsweredWarning(conversation, begunAtSeq, user.id)}
        onTyped={typed}
        onSent={stopped}
        onNoted={onNoted}
      />
    </section>
  );
}

export function NothingSelected() {
  return (
    <div className="grid h-full place-items-center max-lg:hidden">
      <EmptyState title="Select a session to start chatting">
        Press J and K to move through the list, Enter to open, ? to see all keys.
      </EmptyState>
    </div>
  );
}
