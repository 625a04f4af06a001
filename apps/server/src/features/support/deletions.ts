/**
 * Announces conversations that are deleted with their trader's account (A73). The engine's commit removes them, so they are
 * read before it and announced after it, if they are gone.
 *
 * Known limitation: a conversation opened in between is not announced; lists show it until they are read again.
 */
import { toRowDeletion } from '../../platform/changes/index.ts';
import type { SupportDependencies } from './dependencies.ts';

const accountsMax = 1_000;
const sessionsMax = 1_000;

export function createChatDeletions({ db, bus, timers, log }: SupportDependencies) {
  const pendingIds = new Map<string, readonly string[]>();
  return {
    async prepare(userId: string): Promise<void> {
      const { rows } = await db.query<{ id: string }>(
        `select id from app.chat_sessions where user_id = $1 order by status desc, created_at desc limit ${sessionsMax}`,
        [userId],
      );
      // Of a deletion that was refused after all, it stays here until there are many of them.
      if (pendingIds.size >= accountsMax) pendingIds.clear();
      pendingIds.set(
        userId,
        rows.map(({ id }) => id),
      );
    },
    /** Never rejects: the deletion is done. */
    async announce(userId: string): Promise<void> {
      const ids = pendingIds.get(userId) ?? [];
      pendingIds.delete(userId);
      try {
        const { rows } = await db.query<{ id: string }>(
          'select id from app.chat_sessions where id = any($1::uuid[])',
          [ids],
        );
        const remaining = new Set(rows.map(({ id }) => id));
        const committedAt = new Date(timers.now()).toISOString();
        const changes = ids
          .filter((id) => !remaining.has(id))
          .map((id) => toRowDeletion('chat_sessions', id, userId, committedAt));
        if (changes.length > 0) bus.publish('account.changed', { changes });
      } catch (error) {
        log.warn({ err: error }, 'the conversations of a deleted account could not be announced');
      }
    },
  };
}
