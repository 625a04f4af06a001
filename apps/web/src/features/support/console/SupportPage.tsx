/**
 * The support console (`/support`): the list of open sessions, the selected conversation, and the trader beside it.
 * The address contains the selection, so a reload restores it and a phone's Back leaves it. A session that another
 * agent closes stays selected and readable, without a field.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type Action, useActions } from '../../../shared/actions/index.ts';
import ShortcutSheet from '../../../shared/actions/ShortcutSheet.tsx';
import { chatMessages, notifyOnDesktop } from '../../../shared/desktop-notifications/index.ts';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { showToast, useMediaQuery, usePhone } from '../../../shared/ui/index.ts';
import { type ChatMessage, type Conversation, useConversation } from '../conversation/index.ts';
import { ConversationPane, NothingSelected, narrow, type Selected } from './ConversationPane.tsx';
import { consoleAction } from './console-action.ts';
import { useConsoleFigures } from './console-figures.ts';
import { currentTraderKey } from './current-trader.ts';
import { findRow, moveFocus, SessionList } from './SessionList.tsx';
import type { OpenedBy } from './SessionRow.tsx';
import type { ChatNote } from './session-feed.ts';
import {
  countSessions,
  findSuccessor,
  getTraderName,
  type ListedSession,
  type Sessions,
} from './sessions.ts';
import { TraderPanel } from './TraderPanel.tsx';
import { useTeam } from './team.ts';
import { type Inbox, useInbox, useTriageCommands } from './triage.ts';
import { useClosedToday } from './useClosedToday.ts';
import { useSessionFeed } from './useSessionFeed.ts';

const parameter = 'session';
/** The message that a search found. */
const messageParameter = 'message';

/** The selected conversation in the address, and the message to open it at. */
function useSelection() {
  const [search, setSearch] = useSearchParams();
  const open = useCallback(
    (id: string, seq: number | null = null) =>
      setSearch({ [parameter]: id, ...(seq !== null && { [messageParameter]: `${seq}` }) }),
    [setSearch],
  );
  const clear = useCallback(() => setSearch({}, { replace: true }), [setSearch]);
  const seq = Number(search.get(messageParameter));
  const foundSeq = Number.isSafeInteger(seq) && seq > 0 ? seq : null;
  return { selectedId: search.get(parameter), foundSeq, open, clear };
}

/** The trader of the selected conversation: from the list, from the list's last known row, or from the messages. */
function useSelected(
  id: string | null,
  row: ListedSession | undefined,
  { messages }: Conversation,
): Selected | null {
  const [last, setLast] = useState<ListedSession | null>(null);
  if (row && row !== last) setLast(row);
  if (id === null) return null;
  const known = row ?? (last?.id === id ? last : null);
  if (known) return { id, username: getTraderName(known), email: known.user?.email ?? null };
  const trader = messages.find(({ sender_role }) => sender_role === 'trader');
  return { id, username: trader?.sender_name ?? 'Trader', email: null };
}

function useFigures(sessions: Sessions, me: string, inbox: Inbox) {
  const counts = useMemo(() => countSessions(sessions, me, inbox), [sessions, me, inbox]);
  const { closedToday, countAgain } = useClosedToday();
  const { longestSince } = counts;
  useEffect(() => useConsoleFigures.setState({ longestSince, closedToday }), [longestSince, closedToday]);
  useEffect(() => () => useConsoleFigures.setState({ longestSince: null, closedToday: null }), []);
  return { counts, countAgain };
}

/** A change of the conversation may follow a change of the account. */
function useRefetchTrader(sessionId: string | null, version: number | undefined) {
  const cache = useQueryClient();
  useEffect(() => {
    if (sessionId === null || version === undefined) return;
    void cache.invalidateQueries({ queryKey: currentTraderKey(sessionId) });
  }, [cache, sessionId, version]);
}

/** An open conversation on a visible page has been read, its notes included. */
function useReadMentions(sessionId: string | null, { mentioned }: Inbox) {
  const { impersonation } = useSignedIn();
  const { readMentions } = useTriageCommands();
  const isUnread = impersonation === null && sessionId !== null && mentioned.has(sessionId);
  useEffect(() => {
    if (!isUnread || sessionId === null) return;
    const read = () => {
      if (document.visibilityState !== 'visible') return;
      readMentions(sessionId).catch((cause: unknown) => log.warn('A mention stays unread', cause));
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [isUnread, sessionId, readMentions]);
}

export default function SupportPage() {
  const { user } = useSignedIn();
  const me = user.id;
  const { selectedId, foundSeq, open, clear } = useSelection();
  const isPhone = usePhone();
  // One pane at a time: the list, then the conversation with a way back.
  const isNarrow = useMediaQuery(narrow);
  const isWide = useMediaQuery('(min-width: 1280px)');
  const [drawer, setDrawer] = useState<'open' | 'shut'>('shut');
  const [refreshCount, setRefreshCount] = useState(0);
  const [sheet, setSheet] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const panelHeading = useRef<HTMLHeadingElement>(null);
  const beforePanel = useRef<Element | null>(null);

  const pane = useRef<HTMLDivElement>(null);
  const isToWrite = useRef(false);
  const openFromList = useCallback(
    (id: string, by: OpenedBy, seq: number | null = null) => {
      isToWrite.current = by === 'pointer' && !isNarrow;
      open(id, seq);
    },
    [open, isNarrow],
  );
  // The reply field exists once the conversation is selected. On a narrow screen the keyboard would hide the messages, so
  // nothing is focused there.
  useEffect(() => {
    if (selectedId !== null && isToWrite.current) pane.current?.querySelector('textarea')?.focus();
    isToWrite.current = false;
  }, [selectedId]);

  const onTraderMessage = ({ session_id: sessionId, sender_name: name, content }: ChatMessage) => {
    if (sessionId === selectedId && document.visibilityState === 'visible') return;
    notifyOnDesktop(chatMessages, {
      title: name ?? 'Trader',
      body: content,
      tag: sessionId,
      onOpen: () => open(sessionId),
    });
  };
  const onMention = ({ session_id: sessionId, author_name: name, content }: ChatNote) => {
    if (sessionId === selectedId && document.visibilityState === 'visible') return;
    const title = `${name ?? 'A colleague'} mentioned you`;
    showToast('info', title, { description: content.slice(0, 160), id: `mention ${sessionId}` });
    notifyOnDesktop(chatMessages, {
      title,
      body: content,
      tag: `mention ${sessionId}`,
      onOpen: () => open(sessionId),
    });
  };
  const { feed, snapshot } = useSessionFeed({ onTraderMessage, onMention, onClosed: () => countAgain() });
  const inbox = useInbox();
  useReadMentions(selectedId, inbox);
  const { sessions } = snapshot;
  const { counts, countAgain } = useFigures(sessions, me, inbox);
  const row = selectedId === null ? undefined : sessions.get(selectedId);
  const conversation = useConversation(selectedId, 'support');
  const selected = useSelected(selectedId, row, conversation);
  const team = useTeam();
  useRefetchTrader(selectedId, row?.version);

  const shutPanel = () => {
    setDrawer('shut');
    if (beforePanel.current instanceof HTMLElement) beforePanel.current.focus();
  };
  const togglePanel = () => {
    if (isWide || selectedId === null) return panelHeading.current?.focus();
    if (drawer === 'open') return shutPanel();
    beforePanel.current = document.activeElement;
    setDrawer('open');
    requestAnimationFrame(() => panelHeading.current?.focus());
  };
  const back = () => {
    const left = selectedId;
    clear();
    setDrawer('shut');
    requestAnimationFrame(() => left !== null && findRow(list.current, left)?.focus());
  };
  const onClosed = (id: string) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-session]') ?? [])];
    const next = findSuccessor(
      rows.map(({ dataset }) => dataset.session ?? ''),
      id,
    );
    feed.drop(id);
    setRefreshCount((before) => before + 1);
    setDrawer('shut');
    clear();
    countAgain();
    requestAnimationFrame(() => {
      const to = next === null || next === id ? null : findRow(list.current, next);
      (to ?? search.current)?.focus();
    });
  };

  const actions: readonly Action[] = [
    consoleAction('next', 'Next session', 'j', () => moveFocus(list.current, selectedId, 1)),
    consoleAction('previous', 'Previous session', 'k', () => moveFocus(list.current, selectedId, -1)),
    consoleAction('find', 'Find a session', 'f', () => search.current?.focus()),
    consoleAction('panel', 'About the trader', 'i', togglePanel),
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      group: 'General',
      keys: ['?'],
      perform: () => setSheet(true),
    },
  ];
  useActions(actions);

  const hasPanel = selected !== null && (isWide || drawer === 'open');
  const showsList = !isNarrow || selected === null;
  const showsConversation = !isNarrow || (selected !== null && !(isPhone && drawer === 'open'));
  const { unanswered } = counts;
  return (
    <div className="relative grid h-[calc(100dvh-var(--nav-height)-var(--impersonation-height))] grid-cols-[280px_minmax(0,1fr)] overflow-hidden max-lg:grid-cols-1 xl:grid-cols-[336px_minmax(0,1fr)_312px]">
      <title>{unanswered > 0 ? `(${unanswered}) Support · Fulcrum` : 'Support · Fulcrum'}</title>
      <h1 className="sr-only">Support console</h1>
      <div className={`min-h-0 border-line lg:border-r ${showsList ? '' : 'hidden'}`}>
        <SessionList
          feed={snapshot}
          counts={counts}
          inbox={inbox}
          me={me}
          nameOf={team.nameOf}
          selected={selectedId}
          onOpen={openFromList}
          onRetry={feed.refresh}
          list={list}
          search={search}
          refreshCount={refreshCount}
        />
      </div>
      <div
        ref={pane}
        // The drawer never covers a focusable element: it is beside the conversation or replaces it.
        className={`min-h-0 min-w-0 ${showsConversation ? '' : 'hidden'} ${selected === null ? 'xl:col-span-2' : ''} ${
          drawer === 'open' ? 'md:max-xl:pr-[312px]' : ''
        }`}
      >
        {selected === null ? (
          <NothingSelected />
        ) : (
          <ConversationPane
            selected={selected}
            conversation={conversation}
            inbox={inbox}
            assignedTo={(row ?? conversation.session)?.assigned_to ?? null}
            team={team}
            foundSeq={foundSeq}
            onBack={back}
            onClosed={onClosed}
            onPanel={togglePanel}
            panel={isWide ? null : drawer}
          />
        )}
      </div>
      {hasPanel ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the panel over the conversation
        <div
          onKeyDown={(event) => {
            // An earlier session that is open above handles its own Escape.
            if (event.key === 'Escape' && !event.defaultPrevented && !isWide) shutPanel();
          }}
          className="min-h-0 border-line max-xl:fade max-xl:absolute max-xl:inset-y-0 max-xl:right-0 max-xl:w-[312px] max-xl:border-l max-xl:shadow-raised max-md:w-full max-md:border-l-0 xl:border-l"
        >
          <TraderPanel
            sessionId={selected.id}
            state={row !== undefined && conversation.session?.status !== 'closed' ? 'open' : 'over'}
            onShut={isWide ? null : shutPanel}
            heading={panelHeading}
          />
        </div>
      ) : null}
      <ShortcutSheet open={sheet} onOpenChange={setSheet} about="staff" />
    </div>
  );
}
