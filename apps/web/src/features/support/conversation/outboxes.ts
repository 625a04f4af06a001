/**
 * The outboxes of this page: one for everything a trader writes, whose messages go on in the next conversation when one is
 * closed, and one per conversation of an agent. They outlive the screen they were written on, so that what was sent there
 * arrives although another conversation is looked at. Invariant: nothing is sent as anybody but its author: with the end
 * of a session, and when it becomes somebody else's, they all stop; what they hold waits for that person's next visit.
 */
import { texts } from '@fulcrum/contract/texts';
import { log as appLog } from '../../../shared/log/log.ts';
import { onPersonGone } from '../../../shared/session/index.ts';
import { keptKeys } from '../../../shared/storage/index.ts';
import type { Supabase } from '../../../shared/supabase/index.ts';
import { keptQueue } from './kept-queue.ts';
import { Outbox } from './outbox.ts';
import { openSession, sendMessage } from './requests.ts';
import type { ChatMessage, Side } from './terms.ts';
import { pause } from './wait.ts';

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

/** What is meant for the trader's one open conversation, whichever it is then. */
const own = 'own';
const prefixOf = (userId: string) => `fulcrum-outbox.${userId}.`;
export const scopeOf = (side: Side, sessionId: string): string => (side === 'trader' ? own : sessionId);

const outboxes = new Map<string, SharedOutbox>();

/** Browsers have locks on https and localhost alone. */
async function alone(key: string, work: () => Promise<void>): Promise<void> {
  const { locks }: { readonly locks?: LockManager } = navigator;
  await (locks === undefined ? work() : locks.request(key, work));
}

function createOutbox(supabase: Supabase, userId: string, scope: string): SharedOutbox {
  const key = `${prefixOf(userId)}${scope}`;
  const queue = keptQueue(key);
  const listeners = new Set<OutboxListener>();
  const ended = new Set<string>();
  const onChange = () => {
    for (const listener of listeners) listener.onChange();
  };
  const outbox: Outbox = new Outbox({
    ...queue,
    send: (item) => sendMessage(supabase, userId, item),
    isEnded: (sessionId) => ended.has(sessionId),
    reopen: scope === own ? async () => (await openSession(supabase)).id : null,
    onSent: (message) => {
      for (const listener of listeners) listener.onSent(message);
      // Nobody looks on: the conversation has it when it is opened again.
      if (listeners.size === 0 && message.client_id !== null) outbox.settle(message.client_id);
    },
    onChange,
    alone: (work) => alone(key, work),
    onBroken: (cause) => log.error('Sending messages broke', cause),
    wait: pause,
    missedText: texts.sendMessageFailed,
  });
  return { outbox, listeners, ended };
}

function outboxOf(supabase: Supabase, userId: string, scope: string): SharedOutbox {
  const key = `${prefixOf(userId)}${scope}`;
  const there = outboxes.get(key) ?? createOutbox(supabase, userId, scope);
  outboxes.set(key, there);
  return there;
}

/** The outbox of a conversation; what other ones of that person still hold is sent too. */
export function outboxFor(supabase: Supabase, userId: string, side: Side, sessionId: string): SharedOutbox {
  if (side === 'support') {
    for (const key of keptKeys(prefixOf(userId))) {
      const scope = key.slice(prefixOf(userId).length);
      if (scope !== own) outboxOf(supabase, userId, scope).outbox.flush();
    }
  }
  return outboxOf(supabase, userId, scopeOf(side, sessionId));
}

onPersonGone(() => {
  for (const { outbox } of outboxes.values()) outbox.leave();
  outboxes.clear();
});

if (typeof window !== 'undefined') {
  // Another tab wrote, sent or discarded something.
  addEventListener('storage', ({ key }) => {
    const there = key === null ? undefined : outboxes.get(key);
    if (there === undefined) return;
    for (const { onChange } of there.listeners) onChange();
    there.outbox.flush();
  });
  addEventListener('online', () => {
    for (const { outbox } of outboxes.values()) outbox.flush();
  });
}
