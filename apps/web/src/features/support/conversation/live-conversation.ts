/**
 * A conversation on the page: it combines channel, timeline, outbox and read receipts into one view for the screens.
 * It joins the channel before it reads messages, so that no message is lost between them.
 */
import type { ChatSide } from '@fulcrum/contract/roles';
import { texts } from '@fulcrum/contract/texts';
import { parseMessage } from '@fulcrum/domain';
import { newClientId } from '../../../shared/ids/index.ts';
import { log as appLog } from '../../../shared/log/log.ts';
import type { Supabase } from '../../../shared/supabase/index.ts';
import { type FollowedConversation, followConversation } from './channel.ts';
import { getOutbox, getScope, type SharedOutbox } from './outboxes.ts';
import { pause } from './pause.ts';
import { queueMax, toOutgoing } from './queue.ts';
import { ReadReceipts } from './read-receipts.ts';
import { isFinalRefusal, markRead, readAfter, readBefore } from './requests.ts';
import { TimelineSync } from './sync.ts';
import { hasEarlier } from './timeline.ts';
import type { ChatMessage, Conversation } from './types.ts';
import { isTypingDue, TypingIndicator } from './typing.ts';

const log = appLog.of('chat');
/** Finds messages that a dead connection lost unnoticed. */
const everyMs = 30_000;

export interface Viewer {
  readonly supabase: Supabase;
  readonly userId: string;
  readonly side: ChatSide;
  /** `reads`: loads everything, sends nothing, marks nothing and stays invisible (A45). */
  readonly mode: 'takes part' | 'reads';
}

const noop = () => {};
export const noConversation: Conversation = {
  status: 'loading',
  error: null,
  session: null,
  messages: [],
  outgoing: [],
  isFull: false,
  hasEarlier: false,
  loadEarlier: noop,
  isLoadingEarlier: false,
  isLive: false,
  isGone: false,
  otherIsHere: false,
  otherIsTyping: false,
  send: noop,
  retry: noop,
  discard: noop,
  typed: noop,
  seen: noop,
  reload: noop,
  draftKey: null,
  continuedIn: null,
};

const isPageActive = () => document.visibilityState === 'visible' && document.hasFocus();

export class LiveConversation {
  shown: Conversation;
  readonly #viewer: Viewer;
  readonly #sessionId: string;
  readonly #shared: SharedOutbox | null;
  readonly #listeners = new Set<() => void>();
  readonly #typingIndicator = new TypingIndicator(() => this.#show());
  #sync: TimelineSync;
  #reading: ReadReceipts;
  #followed: FollowedConversation | undefined;
  #isJoined: boolean = false;
  #isGone: boolean = false;
  #present: ReadonlySet<ChatSide> = new Set();
  #continuedIn: string | null = null;
  #sentTypingAt: number | null = null;
  /** Client ids of own messages in the timeline. */
  #own = new Set<string>();
  #counted = 0;

  constructor(viewer: Viewer, sessionId: string) {
    this.#viewer = viewer;
    this.#sessionId = sessionId;
    const takesPart = viewer.mode === 'takes part';
    this.#shared = takesPart ? getOutbox(viewer.supabase, viewer.userId, viewer.side, sessionId) : null;
    this.#sync = this.#newSync();
    this.#reading = this.#newReading();
    const draftKey = `fulcrum-chat-draft.${viewer.userId}.${getScope(viewer.side, sessionId)}`;
    this.shown = {
      ...noConversation,
      draftKey: takesPart ? draftKey : null,
      loadEarlier: () => void this.#sync.readEarlier(),
      send: (content, attachmentId) => this.#send(content, attachmentId),
      retry: (clientId) => this.#shared?.outbox.retry(clientId),
      discard: (clientId) => this.#shared?.outbox.discard(clientId),
      typed: () => this.#typed(),
      seen: (seq) => {
        if (takesPart) this.#reading.markInView(seq);
      },
      reload: () => this.#sync.catchUp(),
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Runs until the returned function is called; may be called again afterwards. */
  start(): () => void {
    const { supabase, side, mode } = this.#viewer;
    this.#sync = this.#newSync();
    this.#reading = this.#newReading();
    this.#own = new Set();
    this.#counted = 0;
    const takesPart = mode === 'takes part';
    this.#followed = followConversation(
      supabase,
      this.#sessionId,
      takesPart && side === 'trader' ? 'trader' : null,
      {
        onMessage: (row) => this.#sync.offerMessage(row),
        onSession: (row) => this.#sync.offerSession(row),
        onGone: () => this.#end(),
        onJoined: () => this.#joined(),
        onLost: () => this.#lost(),
        onPresence: (sides) => {
          this.#present = sides;
          this.#show();
        },
        onTyping: (typing) => {
          if (typing !== side) this.#typingIndicator.onTyping();
        },
      },
    );
    const outboxListener = {
      onChange: () => this.#show(),
      onSent: (message: ChatMessage) => this.#sent(message),
    };
    this.#shared?.listeners.add(outboxListener);
    this.#shared?.outbox.flush();

    const catchUpIfVisible = () => {
      if (document.visibilityState !== 'visible') return;
      this.#reading.flush();
      this.#sync.catchUp();
    };
    const onFocus = () => this.#reading.flush();
    const timer = setInterval(() => this.#sync.catchUp(), everyMs);
    document.addEventListener('visibilitychange', catchUpIfVisible);
    addEventListener('focus', onFocus);
    addEventListener('online', catchUpIfVisible);
    const { data: refreshes } = supabase.auth.onAuthStateChange((event) => {
      if (event === 'TOKEN_REFRESHED') this.#sync.catchUp();
    });
    // Also runs without a channel: where sockets are blocked, messages are still read.
    this.#sync.catchUp();
    return () => {
      this.#followed?.leave();
      this.#sync.stop();
      this.#reading.stop();
      this.#typingIndicator.clear();
      this.#shared?.listeners.delete(outboxListener);
      clearInterval(timer);
      document.removeEventListener('visibilitychange', catchUpIfVisible);
      removeEventListener('focus', onFocus);
      removeEventListener('online', catchUpIfVisible);
      refreshes.subscription.unsubscribe();
      this.#isJoined = false;
      this.#present = new Set();
    };
  }

  #newSync(): TimelineSync {
    const { supabase } = this.#viewer;
    const sync: TimelineSync = new TimelineSync({
      readAfter: (seq) => readAfter(supabase, this.#sessionId, seq),
      readBefore: (seq) => readBefore(supabase, this.#sessionId, seq),
      onChange: () => {
        if (sync === this.#sync) this.#show();
      },
      onFailure: (cause) => {
        log.warn('A conversation could not be read', cause);
        if (isFinalRefusal(cause)) this.#isGone = true;
      },
      isFinal: isFinalRefusal,
      wait: pause,
    });
    return sync;
  }

  #newReading(): ReadReceipts {
    const { supabase } = this.#viewer;
    return new ReadReceipts({
      isPageActive,
      mark: async (seq) => {
        try {
          this.#sync.offerSession(await markRead(supabase, this.#sessionId, seq));
        } catch (cause) {
          log.warn('Messages could not be marked as read', cause);
          throw cause;
        }
      },
    });
  }

  #joined(): void {
    this.#isJoined = true;
    this.#sync.catchUp();
    this.#shared?.outbox.flush();
    this.#show();
  }

  #lost(): void {
    this.#isJoined = false;
    this.#present = new Set();
    this.#typingIndicator.clear();
    this.#sync.markIncomplete();
    this.#show();
  }

  #end(): void {
    this.#isGone = true;
    this.#show();
  }

  #send(text: string, attachmentId: string | null): void {
    const parsed = parseMessage(text);
    // The composer does not send a text that is too long, and reports it.
    if (parsed.kind === 'refused') return;
    this.#sentTypingAt = null;
    this.#shared?.outbox.add({
      clientId: newClientId(),
      sessionId: this.#sessionId,
      content: parsed.content,
      attachmentId,
      writtenAt: new Date().toISOString(),
      isTried: false,
      error: null,
      isRefused: false,
    });
  }

  #sent(message: ChatMessage): void {
    if (message.session_id === this.#sessionId) {
      this.#sync.offerMessage(message);
      const { timeline } = this.#sync;
      // Sent long ago, with its answer lost: it is above the loaded messages.
      const isAbove = timeline.isOpened && message.seq < (timeline.messages[0]?.seq ?? 0);
      if (isAbove && message.client_id !== null) this.#shared?.outbox.settle(message.client_id);
    } else {
      this.#continuedIn = message.session_id;
      this.#show();
    }
  }

  #typed(): void {
    if (this.#shared === null || !isTypingDue(this.#sentTypingAt, Date.now())) return;
    this.#sentTypingAt = Date.now();
    this.#followed?.sendTyping(this.#viewer.side);
  }

  /** Removes delivered messages from the outbox. A message of the other side ends its typing. */
  #take(messages: readonly ChatMessage[]): void {
    // Earlier messages that load later do not confirm anything in the outbox.
    for (let at = messages.length - 1; at >= 0; at -= 1) {
      const message = messages[at];
      if (message === undefined || message.seq <= this.#counted) break;
      if (message.sender_id === this.#viewer.userId && message.client_id !== null) {
        this.#own.add(message.client_id);
      } else if (message.sender_role !== this.#viewer.side) this.#typingIndicator.clear();
    }
    this.#counted = Math.max(this.#counted, messages.at(-1)?.seq ?? 0);
    const outbox = this.#shared?.outbox;
    for (const { clientId } of outbox?.queue ?? []) if (this.#own.has(clientId)) outbox?.settle(clientId);
  }

  #show(): void {
    const { side, mode } = this.#viewer;
    const { timeline, hasFailed, isComplete, isReadingEarlier } = this.#sync;
    const { session, messages } = timeline;
    this.#take(messages);
    if (session !== null && mode === 'takes part' && side === 'trader') {
      this.#reading.setKnown(session.trader_seen_seq);
    }
    if (session?.status === 'closed') this.#shared?.ended.add(session.id);
    const hasOpened = timeline.isOpened;
    const other: ChatSide = side === 'trader' ? 'support' : 'trader';
    this.shown = {
      ...this.shown,
      status: hasOpened ? 'ready' : hasFailed ? 'failed' : 'loading',
      error: hasFailed ? texts.loadMessagesFailed : null,
      session,
      messages,
      outgoing: toOutgoing(this.#shared?.outbox.queue ?? [], (clientId) => this.#own.has(clientId)),
      isFull: (this.#shared?.outbox.queue.length ?? 0) >= queueMax,
      hasEarlier: hasEarlier(timeline),
      isLoadingEarlier: isReadingEarlier,
      isLive: this.#isJoined && isComplete,
      isGone: this.#isGone,
      otherIsHere: this.#present.has(other),
      otherIsTyping: this.#typingIndicator.isTyping && session?.status === 'open',
      continuedIn: this.#continuedIn,
    };
    for (const listener of this.#listeners) listener();
  }
}
