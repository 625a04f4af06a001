/**
 * A conversation on the page: its channel, its timeline, its outbox and what both sides see of each other, joined into the
 * one picture that the screens show. Order on opening: the channel first, then the reading, so that nothing falls between.
 */
import { texts } from '@fulcrum/contract/texts';
import { parseMessage } from '@fulcrum/domain';
import { newClientId } from '../../../shared/ids/index.ts';
import { log as appLog } from '../../../shared/log/log.ts';
import type { Supabase } from '../../../shared/supabase/index.ts';
import { type Followed, follow } from './channel.ts';
import { outboxFor, type SharedOutbox, scopeOf } from './outboxes.ts';
import { outgoingOf, queueMax } from './queue.ts';
import { Reading } from './reading.ts';
import { isFinalRefusal, markRead, readAfter, readBefore } from './requests.ts';
import { Sync } from './sync.ts';
import type { ChatMessage, Conversation, Side } from './terms.ts';
import { hasEarlier } from './timeline.ts';
import { Heard, isSayDue } from './typing.ts';
import { pause } from './wait.ts';

const log = appLog.of('chat');
/** Catches what a link loses that passes for a living one. */
const everyMs = 30_000;

export interface Viewer {
  readonly supabase: Supabase;
  readonly userId: string;
  readonly side: Side;
  /** `reads`: sees everything, writes nothing, marks nothing and is not seen (A45). */
  readonly mode: 'takes part' | 'reads';
}

const nothing = () => {};
export const noConversation: Conversation = {
  status: 'loading',
  error: null,
  session: null,
  messages: [],
  outgoing: [],
  isFull: false,
  hasEarlier: false,
  loadEarlier: nothing,
  isLoadingEarlier: false,
  isLive: false,
  isGone: false,
  otherIsHere: false,
  otherIsTyping: false,
  send: nothing,
  retry: nothing,
  discard: nothing,
  typed: nothing,
  seen: nothing,
  reload: nothing,
  draftKey: null,
  continuedIn: null,
};

const isLookedAt = () => document.visibilityState === 'visible' && document.hasFocus();

export class LiveConversation {
  shown: Conversation;
  readonly #viewer: Viewer;
  readonly #sessionId: string;
  readonly #shared: SharedOutbox | null;
  readonly #listeners = new Set<() => void>();
  readonly #heard = new Heard(() => this.#show());
  #sync: Sync;
  #reading: Reading;
  #followed: Followed | undefined;
  #isJoined: boolean = false;
  #isGone: boolean = false;
  #present: ReadonlySet<Side> = new Set();
  #continuedIn: string | null = null;
  #saidTypingAt: number | null = null;
  /** Client ids of own messages that stand in the timeline. */
  #own = new Set<string>();
  #counted = 0;

  constructor(viewer: Viewer, sessionId: string) {
    this.#viewer = viewer;
    this.#sessionId = sessionId;
    const takesPart = viewer.mode === 'takes part';
    this.#shared = takesPart ? outboxFor(viewer.supabase, viewer.userId, viewer.side, sessionId) : null;
    this.#sync = this.#newSync();
    this.#reading = this.#newReading();
    const draftKey = `fulcrum-chat-draft.${viewer.userId}.${scopeOf(viewer.side, sessionId)}`;
    this.shown = {
      ...noConversation,
      draftKey: takesPart ? draftKey : null,
      loadEarlier: () => void this.#sync.readEarlier(),
      send: (content) => this.#send(content),
      retry: (clientId) => this.#shared?.outbox.retry(clientId),
      discard: (clientId) => this.#shared?.outbox.discard(clientId),
      typed: () => this.#typed(),
      seen: (seq) => {
        if (takesPart) this.#reading.see(seq);
      },
      reload: () => this.#sync.catchUp(),
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Until the returned function is called; may be called again after that. */
  start(): () => void {
    const { supabase, side, mode } = this.#viewer;
    this.#sync = this.#newSync();
    this.#reading = this.#newReading();
    this.#own = new Set();
    this.#counted = 0;
    const takesPart = mode === 'takes part';
    this.#followed = follow(supabase, this.#sessionId, takesPart ? side : null, {
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
        if (typing !== side) this.#heard.hear();
      },
    });
    const outboxListener = {
      onChange: () => this.#show(),
      onSent: (message: ChatMessage) => this.#sent(message),
    };
    this.#shared?.listeners.add(outboxListener);
    this.#shared?.outbox.flush();

    const look = () => {
      if (document.visibilityState !== 'visible') return;
      this.#reading.look();
      this.#sync.catchUp();
    };
    const onFocus = () => this.#reading.look();
    const timer = setInterval(() => this.#sync.catchUp(), everyMs);
    document.addEventListener('visibilitychange', look);
    addEventListener('focus', onFocus);
    addEventListener('online', look);
    const { data: refreshes } = supabase.auth.onAuthStateChange((event) => {
      if (event === 'TOKEN_REFRESHED') this.#sync.catchUp();
    });
    // Also without the channel: where sockets do not get through, it is at least read.
    this.#sync.catchUp();
    return () => {
      this.#followed?.leave();
      this.#sync.leave();
      this.#reading.leave();
      this.#heard.forget();
      this.#shared?.listeners.delete(outboxListener);
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      removeEventListener('focus', onFocus);
      removeEventListener('online', look);
      refreshes.subscription.unsubscribe();
      this.#isJoined = false;
      this.#present = new Set();
    };
  }

  #newSync(): Sync {
    const { supabase } = this.#viewer;
    const sync: Sync = new Sync({
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

  #newReading(): Reading {
    const { supabase } = this.#viewer;
    return new Reading({
      isLookedAt,
      mark: async (seq) => {
        try {
          this.#sync.offerSession(await markRead(supabase, this.#sessionId, seq));
        } catch (cause) {
          log.warn('What was read could not be marked', cause);
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
    this.#heard.forget();
    this.#sync.doubt();
    this.#show();
  }

  #end(): void {
    this.#isGone = true;
    this.#show();
  }

  #send(text: string): void {
    const parsed = parseMessage(text);
    // The composer holds back what is too long, and says so.
    if (parsed.kind === 'refused') return;
    this.#saidTypingAt = null;
    this.#shared?.outbox.add({
      clientId: newClientId(),
      sessionId: this.#sessionId,
      content: parsed.content,
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
      // Written long ago, and its answer was lost: it stands further up than what is read.
      const isAbove = timeline.isOpened && message.seq < (timeline.messages[0]?.seq ?? 0);
      if (isAbove && message.client_id !== null) this.#shared?.outbox.settle(message.client_id);
    } else {
      this.#continuedIn = message.session_id;
      this.#show();
    }
  }

  #typed(): void {
    if (this.#shared === null || !isSayDue(this.#saidTypingAt, Date.now())) return;
    this.#saidTypingAt = Date.now();
    this.#followed?.say(this.#viewer.side);
  }

  /** Own messages that arrived leave the outbox, and a message of the other side ends their typing. */
  #take(messages: readonly ChatMessage[]): void {
    // Earlier ones, which are read later, are no answer to anything written here.
    for (let at = messages.length - 1; at >= 0; at -= 1) {
      const message = messages[at];
      if (message === undefined || message.seq <= this.#counted) break;
      if (message.sender_id === this.#viewer.userId && message.client_id !== null) {
        this.#own.add(message.client_id);
      } else if (message.sender_role !== this.#viewer.side) this.#heard.forget();
    }
    this.#counted = Math.max(this.#counted, messages.at(-1)?.seq ?? 0);
    const { outbox } = this.#shared ?? {};
    for (const { clientId } of outbox?.queue ?? []) if (this.#own.has(clientId)) outbox?.settle(clientId);
  }

  #show(): void {
    const { side, mode } = this.#viewer;
    const { timeline, hasFailed, isComplete, isReadingEarlier } = this.#sync;
    const { session, messages } = timeline;
    this.#take(messages);
    if (session !== null && mode === 'takes part' && side === 'trader') {
      this.#reading.known(session.trader_seen_seq);
    }
    if (session?.status === 'closed') this.#shared?.ended.add(session.id);
    const hasOpened = timeline.isOpened;
    const other: Side = side === 'trader' ? 'support' : 'trader';
    this.shown = {
      ...this.shown,
      status: hasOpened ? 'ready' : hasFailed ? 'failed' : 'loading',
      error: hasFailed ? texts.loadMessagesFailed : null,
      session,
      messages,
      outgoing: outgoingOf(this.#shared?.outbox.queue ?? [], (clientId) => this.#own.has(clientId)),
      isFull: (this.#shared?.outbox.queue.length ?? 0) >= queueMax,
      hasEarlier: hasEarlier(timeline),
      isLoadingEarlier: isReadingEarlier,
      isLive: this.#isJoined && isComplete,
      isGone: this.#isGone,
      otherIsHere: this.#present.has(other),
      otherIsTyping: this.#heard.isTyping && session?.status === 'open',
      continuedIn: this.#continuedIn,
    };
    for (const listener of this.#listeners) listener();
  }
}
