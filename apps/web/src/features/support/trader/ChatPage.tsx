/**
 * The trader's conversation with support (CHAT-01 … CHAT-12). It fills the layout; on a phone the keyboard replaces
 * the bottom bar. A close is announced at once and the field stays: the next message starts a new conversation (A66).
 */
import { texts } from '@fulcrum/contract/texts';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useSignedIn } from '../../../shared/session/index.ts';
import { formatClock } from '../../../shared/time/dates.ts';
import { EmptyState, ErrorState, Skeleton, useKeyboardHeight, usePhone } from '../../../shared/ui/index.ts';
import {
  Composer,
  type ComposerHandle,
  Divider,
  Log,
  noConversation,
  useConversation,
} from '../conversation/index.ts';
import { type ChatConnection, ChatHeader } from './ChatHeader.tsx';
import { CommonQuestions } from './CommonQuestions.tsx';
import { ConversationEnd } from './ConversationEnd.tsx';
import { EarlierConversation, EarlierList, filterEarlier } from './Earlier.tsx';
import { PreviousConversation } from './PreviousConversation.tsx';
import { findUnanswered, SuggestedAnswer } from './SuggestedAnswer.tsx';
import { type OwnConversation, useOwnConversation } from './useOwnConversation.ts';

/** The bar returns only after this delay, so that the tap that ends writing hits its target. */
const barBackAfterMs = 300;

/** On a phone the bottom bar is hidden while the trader writes. */
function useWriting(isWriting: boolean): void {
  useEffect(() => {
    const root = document.documentElement;
    if (isWriting) {
      root.dataset.writing = '';
      return;
    }
    const timer = setTimeout(() => delete root.dataset.writing, barBackAfterMs);
    return () => clearTimeout(timer);
  }, [isWriting]);
  useEffect(
    () => () => {
      delete document.documentElement.dataset.writing;
    },
    [],
  );
}

/** A shorter interruption is not shown. */
const breakMs = 3_000;

function useConnection(isLive: boolean, onConnection: (connection: ChatConnection) => void): void {
  useEffect(() => {
    if (isLive) {
      onConnection('held');
      return;
    }
    const late = setTimeout(() => onConnection('lost'), breakMs);
    return () => clearTimeout(late);
  }, [isLive, onConnection]);
  useEffect(() => () => onConnection('held'), [onConnection]);
}

function Current({
  own,
  onConnection,
}: {
  readonly own: OwnConversation;
  readonly onConnection: (connection: ChatConnection) => void;
}) {
  const { impersonation } = useSignedIn();
  const { currentId, previousId, sessions, goTo, openAgain } = own;
  const previousEnd = sessions.find(({ id }) => id === previousId)?.closed_at ?? null;
  const conversation = useConversation(currentId, 'trader');
  const composer = useRef<ComposerHandle | null>(null);
  const { status, error, session, messages, outgoing, continuedIn, isGone, reload } = conversation;
  useConnection(conversation.isLive || status !== 'ready' || session?.status !== 'open', onConnection);
  useEffect(() => {
    if (continuedIn !== null && continuedIn !== currentId) goTo(continuedIn);
  }, [continuedIn, currentId, goTo]);
  // An empty conversation may have been replaced by another (A65).
  useEffect(() => {
    if (isGone) openAgain();
  }, [isGone, openAgain]);
  const focusComposer = useCallback(() => composer.current?.focus(), []);
  const unanswered = impersonation === null && session?.status === 'open' ? findUnanswered(messages) : null;
  const hasBegun = messages.length > 0 || outgoing.length > 0;

  const before =
    previousId === null ? null : (
      <>
        <PreviousConversation
          key={previousId}
          sessionId={previousId}
          offersRating={session?.status === 'open'}
          onDismissed={focusComposer}
        />
        {hasBegun && session !== null ? (
          <Divider>
            New session
            <span className="figures">, {formatClock(messages[0]?.created_at ?? session.created_at)}</span>
          </Divider>
        ) : null}
      </>
    );
  return (
    <>
      {status === 'failed' ? (
        <div className="flex grow flex-col justify-center">
          <ErrorState title={error ?? texts.loadMessagesFailed} onRetry={reload} />
        </div>
      ) : (
        <Log
          conversation={conversation}
          side="trader"
          label="Messages"
          before={before}
          beforeIso={previousEnd}
          after={<ConversationEnd conversation={conversation} onDismissed={focusComposer} />}
          empty={previousId === null ? <CommonQuestions /> : null}
        />
      )}
      {/* The log announces only messages of the other side. */}
      <p role="status" className="sr-only">
        {session?.status === 'closed' ? texts.sessionClosed : ''}
      </p>
      <div className="shrink-0 border-t border-line bg-surface p-3 max-md:px-2 max-md:py-[7px]">
        {unanswered === null ? null : <SuggestedAnswer message={unanswered} />}
        <Composer
          ref={composer}
          conversation={conversation}
          label="Message"
          disabledBecause={impersonation === null ? null : texts.notWhileImpersonating}
        />
      </div>
    </>
  );
}

function Opening() {
  return (
    <>
      <div aria-busy="true" className="flex grow flex-col justify-end gap-3 p-4">
        <Skeleton className="h-10 w-56 rounded-[12px]" />
        <Skeleton className="ml-auto h-14 w-64 rounded-[12px]" />
      </div>
      <div className="shrink-0 border-t border-line bg-surface p-3 max-md:px-2 max-md:py-[7px]">
        <Composer conversation={noConversation} label="Message" disabledBecause="Opening the conversation…" />
      </div>
    </>
  );
}

function Chat({ own }: { readonly own: OwnConversation }) {
  const { status, sessions, currentId, openAgain, isOpening } = own;
  const [connection, setConnection] = useState<ChatConnection>('held');
  const container = ((): ReactNode => {
    if (status === 'loading') return <Opening />;
    if (status === 'failed') {
      return (
        <div className="flex grow flex-col justify-center">
          <ErrorState title={texts.loadChatSessionFailed} onRetry={openAgain} retrying={isOpening} />
        </div>
      );
    }
    if (currentId === null) return <EmptyState title="This trader has not written to support yet." />;
    return <Current own={own} onConnection={setConnection} />;
  })();
  return (
    <>
      <ChatHeader
        hasEarlier={filterEarlier(sessions).some(({ id }) => id !== currentId)}
        connection={connection}
      />
      {container}
    </>
  );
}

export default function ChatPage() {
  const own = useOwnConversation();
  const [search] = useSearchParams();
  const isPhone = usePhone();
  const keyboard = useKeyboardHeight();
  const [isInField, setInField] = useState(false);
  useWriting(isPhone && isInField);
  const earlier = search.get('earlier');
  const shown = ((): ReactNode => {
    if (earlier === null) return <Chat own={own} />;
    if (earlier === '') return <EarlierList sessions={filterEarlier(own.sessions)} />;
    return <EarlierConversation key={earlier} sessionId={earlier} />;
  })();
  return (
    <div className="relative min-h-80 grow">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only observes the focus */}
      <div
        className="absolute inset-0 mx-auto flex w-full max-w-[860px] flex-col md:border-x md:border-line"
        style={isPhone && keyboard > 0 ? { bottom: keyboard } : undefined}
        onFocus={({ target }) => setInField(target instanceof HTMLTextAreaElement && !target.readOnly)}
        onBlur={() => setInField(false)}
      >
        {shown}
      </div>
    </div>
  );
}
