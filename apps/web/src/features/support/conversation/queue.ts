/**
 * Messages that wait to be sent, in the order in which they were written. Pure; how it is kept and sent stands in outbox.ts.
 * Invariant: an item keeps its `clientId` through every attempt, so that the server makes one message of it at most. Limit:
 * `queueMax` items.
 */
import type { Outgoing } from './terms.ts';

export interface Queued {
  readonly clientId: string;
  /** The conversation that it was last meant for. */
  readonly sessionId: string;
  readonly content: string;
  readonly writtenAt: string;
  /** The server has been asked to take it: it may have done so even when its answer was lost. */
  readonly isTried: boolean;
  /** What to tell when it was not taken; null while it is on its way. */
  readonly error: string | null;
  /** Sending it again unchanged is of no use, unless the person says so. */
  readonly isRefused: boolean;
}
export type Queue = readonly Queued[];

export const queueMax = 50;

export const enqueue = (queue: Queue, item: Queued): Queue =>
  queue.length >= queueMax || queue.some(({ clientId }) => clientId === item.clientId)
    ? queue
    : [...queue, item];

export const without = (queue: Queue, clientId: string): Queue =>
  queue.some((item) => item.clientId === clientId)
    ? queue.filter((item) => item.clientId !== clientId)
    : queue;

export const changed = (queue: Queue, clientId: string, change: Partial<Queued>): Queue =>
  queue.map((item) => (item.clientId === clientId ? { ...item, ...change } : item));

/** The one to send now: the first that has no answer yet. One that was refused holds back those behind it. */
export function nextOf(queue: Queue, answered: ReadonlySet<string>): Queued | null {
  const first = queue.find(({ clientId }) => !answered.has(clientId));
  return first === undefined || first.isRefused ? null : first;
}

/** The queue as it is shown, without what the conversation holds already. */
export function outgoingOf(queue: Queue, isHeld: (clientId: string) => boolean): readonly Outgoing[] {
  let isBehindFailed = false;
  const shown: Outgoing[] = [];
  for (const { clientId, content, writtenAt, error } of queue) {
    if (isHeld(clientId)) continue;
    const state: Outgoing['state'] = error !== null ? 'failed' : isBehindFailed ? 'waiting' : 'pending';
    isBehindFailed ||= state === 'failed';
    shown.push({ clientId, content, writtenAt, state, error });
  }
  return shown;
}

const isQueued = (item: unknown): item is Queued =>
  typeof item === 'object' &&
  item !== null &&
  ['clientId', 'sessionId', 'content', 'writtenAt'].every(
    (name) => typeof Reflect.get(item, name) === 'string',
  ) &&
  ['isTried', 'isRefused'].every((name) => typeof Reflect.get(item, name) === 'boolean') &&
  (Reflect.get(item, 'error') === null || typeof Reflect.get(item, 'error') === 'string');

/** What was kept; what is no queue of ours is none. */
export function parseQueue(text: string | null): Queue {
  if (text === null) return [];
  try {
    const kept: unknown = JSON.parse(text);
    return Array.isArray(kept) ? kept.filter(isQueued).slice(0, queueMax) : [];
  } catch {
    // Written by somebody else, or cut off: there is nothing in it that could be sent.
    return [];
  }
}
