/**
 * Finds the trader of a conversation, and tracks deleted conversations. Invariant: an answer is valid when it is given: a
 * deletion during the query counts, so no channel outlives its conversation.
 */
import type { RowChange } from '@fulcrum/contract';

/** Returns the trader of a chat session; null for an unknown id. */
export type ChatOwner = (sessionId: string) => Promise<string | null>;

/** A conversation that a channel takes part in. */
export interface Conversation {
  readonly sessionId: string;
  readonly ownerId: string;
}

/** Ids of the conversations and accounts that `changes` remove. */
export function removedBy(changes: readonly RowChange[]): ReadonlySet<string> {
  const removed = new Set<string>();
  for (const { table, type, oldRecord } of changes) {
    if (type !== 'DELETE' || (table !== 'chat_sessions' && table !== 'users')) continue;
    if (typeof oldRecord?.id === 'string') removed.add(oldRecord.id);
  }
  return removed;
}

export const isRemoved = (removed: ReadonlySet<string>, { sessionId, ownerId }: Conversation): boolean =>
  removed.has(sessionId) || removed.has(ownerId);

export class Conversations {
  readonly #chatOwner: ChatOwner;
  /** The removals since each running query began. */
  readonly #removedSince = new Set<Set<string>>();

  constructor(chatOwner: ChatOwner) {
    this.#chatOwner = chatOwner;
  }

  async find(sessionId: string): Promise<Conversation | null> {
    const removed = new Set<string>();
    this.#removedSince.add(removed);
    try {
      const ownerId = await this.#chatOwner(sessionId);
      if (ownerId === null) return null;
      const conversation = { sessionId, ownerId };
      return isRemoved(removed, conversation) ? null : conversation;
    } finally {
      this.#removedSince.delete(removed);
    }
  }

  forget(removed: ReadonlySet<string>): void {
    for (const since of this.#removedSince) for (const id of removed) since.add(id);
  }
}
