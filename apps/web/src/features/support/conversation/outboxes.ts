/**
 * The outboxes of this page: one for everything a trader writes, whose messages continue in the next conversation
 * after a close, and one per conversation of an agent. They outlive the screen, so that messages are still sent after
 * another conversation is opened.
 *
 * Invariant: a message is sent only as its author. All outboxes stop when the session ends or changes its user; their
 * items wait for that user's next visit.
 */
import type { ChatSide } from '@fulcrum/contract/roles';
import { texts } from '@fulcrum/contract/texts';
import { log as appLog } from '../../../shared/log/log.ts';
import { onUserGone } from '../../../shared/session/index.ts';
import { getStoredKeys } from '../../../shared/storage/index.ts';
import type { Supabase } from '../../../shared/supabase/index.ts';
import { Outbox } from './outbox.ts';
import { pause } from './pause.ts';
import { openSession, sendMessage } from './requests.ts';
import { createStoredQueue } from './stored-queue.ts';
import type { ChatMessage } from './types.ts';

export interface OutboxListener {
  readonly onChange: () => void;
  readonly onSent: (message: ChatMessage) => void;
}

export interface SharedOutbox {
  readonly outbox: Outbox;
  readonly listeners: Set<OutboxListener>;
  /** Conversations that the page knows to be closed. */
  readonly ended: Set<string>;
}

const log = appLog.of('chat');

/** The scope of messages for the trader's open conversation, whichever it is when they are sent. */
const traderScope = 'own';
const getKeyPrefix = (userId: string) => `fulcrum-outbox.${userId}.`;
export const getScope = (side: ChatSide, sessionId: string): string =>
  side === 'trader' ? traderScope : sessionId;

const outboxes = new Map<string, SharedOutbox>();

/** Browsers provide locks only on https and localhost. */
async function runExclusive(key: string, work: () => Promise<void>): Promise<void> {
  const { locks }: { readonly locks?: LockManager } = navigator;
  await (locks === undefined ? work() : locks.request(key, work));
}

function createOutbox(supabase: Supabase, userId: string, scope: string): SharedOutbox {
  const key = `${getKeyPrefix(userId)}${scope}`;
  const queue = createStoredQueue(key);
  const listeners = new Set<OutboxListener>();
  const ended = new Set<string>();
  const onChange = () => {
    for (const listener of listeners) listener.onChange();
  };
  const outbox: Outbox = new Outbox({
    ...queue,
    send: (item) => sendMessage(supabase, userId, item),
    isEnded: (sessionId) => ended.has(sessionId),
    reopen: scope === traderScope ? async () => (await openSession(supabase)).id : null,
    onSent: (message) => {
      for (const listener of listeners) listener.onSent(message);
      // Nothing shows the conversation: it loads the message when it is opened again.
      if (listeners.size === 0 && message.client_id !== null) outbox.settle(message.client_id);
    },
    onChange,
    runExclusive: (work) => runExclusive(key, work),
    onError: (cause) => log.error('Sending messages failed', cause),
    wait: pause,
    missedText: texts.sendMessageFailed,
  });
  return { outbox, listeners, ended };
}

function getOrCreateOutbox(supabase: Supabase, userId: string, scope: string): SharedOutbox {
  const key = `${getKeyPrefix(userId)}${scope}`;
  const shared = outboxes.get(key) ?? createOutbox(supabase, userId, scope);
  outboxes.set(key, shared);
  return shared;
}

/** The outbox of a conversation; also sends what this user's other outboxes still hold. */
export function getOutbox(
  supabase: Supabase,
  userId: string,
  side: ChatSide,
  sessionId: string,
): SharedOutbox {
  if (side === 'support') {
    for (const key of getStoredKeys(getKeyPrefix(userId))) {
      const scope = key.slice(getKeyPrefix(userId).length);
      if (scope !== traderScope) getOrCreateOutbox(supabase, userId, scope).outbox.flush();
    }
  }
  return getOrCreateOutbox(supabase, userId, getScope(side, sessionId));
}

onUserGone(() => {
  for (const { outbox } of outboxes.values()) outbox.stop();
  outboxes.clear();
});

if (typeof window !== 'undefined') {
  // Another tab wrote, sent or discarded an item.
  addEventListener('storage', ({ key }) => {
    const shared = key === null ? undefined : outboxes.get(key);
    if (shared === undefined) return;
    for (const { onChange } of shared.listeners) onChange();
    shared.outbox.flush();
  });
  addEventListener('online', () => {
    for (const { outbox } of outboxes.values()) outbox.flush();
  });
}
