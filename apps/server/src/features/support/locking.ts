/**
 * The rows that a change of a conversation locks, and their order: the accounts of its foreign keys, then the session. The
 * deletion of an account uses the same order, so the two cannot deadlock. The session's lock serialises the numbers of
 * messages.
 */
import { AppError, type SignedIn, texts } from '@fulcrum/contract';
import type { ChatStatus } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';

export interface LockedSession {
  readonly id: string;
  readonly user_id: string;
  readonly status: ChatStatus;
  readonly last_seq: number;
  readonly trader_seen_seq: number;
  readonly updated_at: Date;
  readonly rated_at: Date | null;
}
type StoredSession = Omit<LockedSession, 'last_seq' | 'trader_seen_seq'> & {
  readonly last_seq: string;
  readonly trader_seen_seq: string;
};

export const chatNotFound = () => new AppError('not_found', texts.chatNotFound);

/** Locks the caller's account and those of the sessions' traders against deletion until the commit. */
export async function lockUsers(
  tx: Queryable,
  caller: SignedIn,
  sessionIds: readonly string[],
): Promise<void> {
  await tx.query(
    `select from app.users u
     where u.id = any(array(
       select $1::uuid union select s.user_id from app.chat_sessions s where s.id = any($2::uuid[])))
     order by u.id for key share`,
    [caller.userId, sessionIds],
    'chat_people',
  );
}

/** The session, held until the commit; null when there is none within the caller's reach. */
export async function lockSession(
  tx: Queryable,
  caller: SignedIn,
  sessionId: string,
): Promise<LockedSession | null> {
  const { rows } = await tx.query<StoredSession>(
    `select id, user_id, status, last_seq, trader_seen_seq, updated_at, rated_at from app.chat_sessions
     where id = $1 and ($2::uuid is null or user_id = $2) for no key update`,
    [sessionId, caller.role === 'trader' ? caller.userId : null],
    'chat_session_held',
  );
  const [stored] = rows;
  if (!stored) return null;
  return {
    ...stored,
    last_seq: Number(stored.last_seq),
    trader_seen_seq: Number(stored.trader_seen_seq),
  };
}

/** Of the server, and later than everything that was written there before. */
export const nextInstant = (session: LockedSession, now: Date): Date =>
  new Date(Math.max(now.getTime(), session.updated_at.getTime() + 1));
