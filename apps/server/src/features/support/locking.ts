/**
 * Which rows a change of a conversation holds, and in which order: the accounts that its foreign keys will ask for, then
 * the session. The deletion of an account goes the same way (user, then what hangs on it), so the two cannot lock each
 * other out. The session's lock is the turn in which messages get their numbers.
 */
import { AppError, type SignedIn, texts } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';

export interface HeldSession {
  readonly id: string;
  readonly user_id: string;
  readonly status: 'open' | 'closed';
  readonly last_seq: number;
  readonly trader_seen_seq: number;
  readonly updated_at: Date;
  readonly rated_at: Date | null;
}
type StoredSession = Omit<HeldSession, 'last_seq' | 'trader_seen_seq'> & {
  readonly last_seq: string;
  readonly trader_seen_seq: string;
};

export const chatNotFound = () => new AppError('not_found', texts.chatNotFound);

/** Keeps the caller's account and those of the sessions' traders from being deleted until the commit. */
export async function holdPeople(
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
export async function holdSession(
  tx: Queryable,
  caller: SignedIn,
  sessionId: string,
): Promise<HeldSession | null> {
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
export const nextInstant = (session: HeldSession, now: Date): Date =>
  new Date(Math.max(now.getTime(), session.updated_at.getTime() + 1));
