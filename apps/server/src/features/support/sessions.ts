/**
 * The life of a conversation: opened, deleted while empty, closed once, rated (CHAT-03 … CHAT-05, CHAT-28 … CHAT-31, A65,
 * A66). Invariants: a trader has one open conversation at most, which a unique index enforces for concurrent tabs; one with
 * messages is deleted only with its account; a closed one never opens again.
 */
import {
  AppError,
  type ArgsOf,
  type ChatSessionRow,
  type RowChange,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import { chatLimits } from '@fulcrum/domain';
import { toRowDeletion } from '../../platform/changes/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import type { Services } from '../../platform/services.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { refuseWhileImpersonating } from '../identity/index.ts';
import { chatNotFound, lockSession, lockUsers, nextInstant } from './locking.ts';
import { changesOf, readRows } from './rows.ts';

type UntrustedRow = Readonly<Record<string, unknown>>;

/** Deleted conversations stored per trader: as many as a trader may have tabs. */
const deletedIdsMax = 20;
/** Messages of a closed session that are announced one by one; the session's row covers the rest. */
const announcedMessages = 200;
const openAttempts = 5;

/** The trader's open conversation, made if there is none; a conversation that is being closed meanwhile is none. */
export async function findOrOpenSession(
  tx: Queryable,
  userId: string,
  now: Date,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  for (let attempt = 0; attempt < openAttempts; attempt += 1) {
    const { rows: open } = await tx.query<{ id: string }>(
      `select id from app.chat_sessions where user_id = $1 and status = 'open'`,
      [userId],
      'chat_open',
    );
    if (open[0]) return { id: open[0].id, isNew: false };
    const { rows: made } = await tx.query<{ id: string }>(
      `insert into app.chat_sessions (user_id, created_at, updated_at) values ($1, $2, $2)
       on conflict (user_id) where status = 'open' do nothing returning id`,
      [userId, now],
      'chat_opened',
    );
    if (made[0]) return { id: made[0].id, isNew: true };
  }
  throw new Error('a conversation was neither there nor could it be made');
}

type SessionsDependencies = Pick<Services, 'db' | 'bus' | 'timers'>;

export function createSessions({ db, bus, timers }: SessionsDependencies) {
  const now = () => new Date(timers.now());
  const publish = (changes: readonly RowChange[]) => {
    if (changes.length > 0) bus.publish('account.changed', { changes });
  };

  async function open(caller: SignedIn): Promise<ChatSessionRow> {
    refuseWhileImpersonating(caller);
    const at = now();
    const { session, changes } = await db.transaction(async (tx) => {
      const { id, isNew } = await findOrOpenSession(tx, caller.userId, at);
      const rows = await readRows(tx, id);
      return { session: rows.session, changes: isNew ? changesOf(rows, { session: 'INSERT' }, at) : [] };
    });
    publish(changes);
    return session;
  }

  /** CALL-68, A100: the open one, or a new one; of the claims only whose it is counts, and that must be the caller. */
  async function insert(caller: SignedIn, rows: readonly UntrustedRow[]) {
    const [row, ...others] = rows;
    if (!row || others.length > 0) throw new AppError('invalid_argument', 'Insert one row at a time.');
    if (row.user_id != null && row.user_id !== caller.userId) {
      throw new AppError('not_allowed', 'You can only write your own row.');
    }
    if (row.status != null && row.status !== 'open') {
      throw new AppError('invalid_argument', 'A session begins open.');
    }
    const session = await open(caller);
    return { ids: [session.id], rows: [session] };
  }

  /** CALL-69: the caller's own that are open and empty; the others stay. */
  async function remove(caller: SignedIn, ids: readonly string[]): Promise<readonly string[]> {
    refuseWhileImpersonating(caller);
    const at = now();
    const gone = await db.transaction(async (tx) => {
      await lockUsers(tx, caller, []);
      const { rows } = await tx.query<{ id: string }>(
        `delete from app.chat_sessions
         where id = any($1::uuid[]) and user_id = $2 and status = 'open' and last_seq = 0 returning id`,
        [ids, caller.userId],
        'chat_delete_empty',
      );
      if (rows.length > 0)
        await rememberDeleted(tx, { userId: caller.userId, ids: rows.map(({ id }) => id), at });
      return rows.map(({ id }) => id);
    });
    publish(gone.map((id) => toRowDeletion('chat_sessions', id, caller.userId, at.toISOString())));
    return gone;
  }

  /** CALL-70: to closed, by the caller and as of now, whatever else is claimed. Those that are closed already are left out. */
  async function close(
    caller: SignedIn,
    ids: readonly string[],
    untrusted: UntrustedRow,
  ): Promise<readonly string[]> {
    refuseWhileImpersonating(caller);
    if (untrusted.status !== 'closed')
      throw new AppError('invalid_argument', 'A session can only be closed.');
    const { closed, changes } = await db.transaction(async (tx) => {
      await lockUsers(tx, caller, ids);
      const closed: string[] = [];
      const changes: RowChange[] = [];
      // In the order of their ids, so that two who close the same ones wait for each other and not in a ring.
      for (const id of [...ids].sort()) {
        const some = await closeOne(tx, caller, id);
        if (some === null) continue;
        closed.push(id);
        changes.push(...some);
      }
      return { closed, changes };
    });
    publish(changes);
    return closed;
  }

  async function closeOne(tx: Queryable, caller: SignedIn, id: string): Promise<RowChange[] | null> {
    const session = await lockSession(tx, caller, id);
    if (session?.status !== 'open') return null;
    const at = nextInstant(session, now());
    const { rows } = await tx.query<{ read: string[] }>(
      `with read as (
         update app.chat_messages set read_at = $2 where session_id = $1 and read_at is null returning id, seq
       ), closed as (
         update app.chat_sessions
         set status = 'closed', closed_at = $2, updated_at = $2, support_id = $3, waiting_since = null,
             support_seen_seq = last_seq, version = version + 1
         where id = $1 returning id
       )
       select array(select r.id from read r order by r.seq desc limit ${announcedMessages}) as read from closed`,
      [id, at, caller.userId],
      'chat_close',
    );
    await recordAuditEntry(tx, {
      at,
      actorId: caller.userId,
      subjectId: session.user_id,
      action: 'chat_session.close',
      objectId: id,
      detail: { session_id: id },
    });
    return changesOf(await readRows(tx, id, rows[0]?.read ?? []), { session: 'UPDATE' }, at);
  }

  /** @throws AppError `not_found`, `conflict` for one that is open, or that was rated more than a day ago */
  async function rate(caller: SignedIn, args: ArgsOf<'rate_chat_session'>): Promise<ChatSessionRow> {
    refuseWhileImpersonating(caller);
    const { session, changes } = await db.transaction(async (tx) => {
      const locked = await lockSession(tx, caller, args.p_session_id);
      if (!locked) throw chatNotFound();
      if (locked.status !== 'closed') throw new AppError('conflict', texts.chatNotClosed);
      const at = nextInstant(locked, now());
      if (locked.rated_at && at.getTime() - locked.rated_at.getTime() > chatLimits.ratingMs) {
        throw new AppError('conflict', texts.chatRatingFinal);
      }
      await tx.query(
        `update app.chat_sessions set rating = $2, rating_comment = $3, rated_at = coalesce(rated_at, $4),
           updated_at = $4, version = version + 1
         where id = $1`,
        [locked.id, args.p_score, args.p_comment?.trim() || null, at],
        'chat_rate',
      );
      const rows = await readRows(tx, locked.id);
      return { session: rows.session, changes: changesOf(rows, { session: 'UPDATE' }, at) };
    });
    publish(changes);
    return session;
  }

  return { open, insert, remove, close, rate };
}

async function rememberDeleted(
  tx: Queryable,
  { userId, ids, at }: { readonly userId: string; readonly ids: readonly string[]; readonly at: Date },
): Promise<void> {
  await tx.query(
    `insert into app.chat_sessions_deleted (id, user_id, deleted_at) select id, $2, $3 from unnest($1::uuid[]) as id`,
    [ids, userId, at],
    'chat_remember_deleted',
  );
  await tx.query(
    `delete from app.chat_sessions_deleted where user_id = $1 and id not in
       (select d.id from app.chat_sessions_deleted d where d.user_id = $1 order by d.deleted_at desc limit $2)`,
    [userId, deletedIdsMax],
    'chat_forget_deleted',
  );
}
