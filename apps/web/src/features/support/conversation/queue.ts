/**
 * Pending messages in the order in which they were written. Pure; outbox.ts stores and sends them. Invariant: an item
 * has the same `clientId` for every attempt, so the server creates at most one message. Limit: `queueMax` items.
 */
import type { Outgoing } from './types.ts';

export interface Queued {
  readonly clientId: string;
  /** The conversation that it was last addressed to. */
  readonly sessionId: string;
  readonly content: string;
  /** The stored version of its picture; null or absent without one. */
  readonly attachmentId?: string | null;
  readonly writtenAt: string;
  /** The item was sent at least once: the server may have accepted it even if its answer was lost. */
  readonly isTried: boolean;
  /** The error to show after a failed attempt; null while there is none. */
  readonly error: string | null;
  /** A repeat without a change fails again; only the user can trigger it. */
  readonly isRefused: boolean;
}
export type Queue = readonly Queued[];

export const queueMax = 50;

export const enqueue = (queue: Queue, item: Queued): Queue =>
  queue.length >= queueMax || queue.some(({ clientId }) => clientId === item.clientId)
    ? queue
    : [...queue, item];

export const removeItem = (queue: Queue, clientId: string): Queue =>
  queue.some((item) => item.clientId === clientId)
    ? queue.filter((item) => item.clientId !== clientId)
    : queue;

export const updateItem = (queue: Queue, clientId: string, change: Partial<Queued>): Queue =>
  queue.map((item) => (item.clientId === clientId ? { ...item, ...change } : item));

/** The item to send next: the first without an answer. A refused item blocks those behind it. */
export function getNext(queue: Queue, answered: ReadonlySet<string>): Queued | null {
  const first = queue.find(({ clientId }) => !answered.has(clientId));
  return first === undefined || first.isRefused ? null : first;
}

/** The queue for display, without the messages that the conversation already contains. */
export function toOutgoing(queue: Queue, isHeld: (clientId: string) => boolean): readonly Outgoing[] {
  let isBehindFailed = false;
  const shown: Outgoing[] = [];
  for (const { clientId, content, attachmentId, writtenAt, error } of queue) {
    if (isHeld(clientId)) continue;
    const state: Outgoing['state'] = error !== null ? 'failed' : isBehindFailed ? 'waiting' : 'pending';
    isBehindFailed ||= state === 'failed';
    shown.push({ clientId, content, hasPicture: attachmentId != null, writtenAt, state, error });
  }
  return shown;
}

const isText = (value: unknown): boolean => value === null || typeof value === 'string';

const isQueued = (item: unknown): item is Queued =>
  typeof item === 'object' &&
  item !== null &&
  ['clientId', 'sessionId', 'content', 'writtenAt'].every(
    (name) => typeof Reflect.get(item, name) === 'string',
  ) &&
  ['isTried', 'isRefused'].every((name) => typeof Reflect.get(item, name) === 'boolean') &&
  isText(Reflect.get(item, 'error')) &&
  isText(Reflect.get(item, 'attachmentId') ?? null);

/** Parses a stored queue; any other value counts as empty. */
export function parseQueue(text: string | null): Queue {
  if (text === null) return [];
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored) ? stored.filter(isQueued).slice(0, queueMax) : [];
  } catch {
    // Written by other code, or truncated: nothing in it can be sent.
    return [];
  }
}
