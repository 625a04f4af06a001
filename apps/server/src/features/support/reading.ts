/**
 * Read marks (CHAT-09 … CHAT-11, A64): marks of either side, which never go back or beyond the last message, and `read_at`
 * of the trader's messages. Reading the last message also clears its notice. A call that changes nothing is not announced.
 * It also reads a conversation as one snapshot, for a client that opens it or missed messages.
 */
import {
  AppError,
  type ArgsOf,
  type ChatMessageRow,
  type ChatSessionRow,
  chatPageMax,
  type ResultOf,
  type RowChange,
  type SignedIn,
} from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import type { Services } from '../../platform/services.ts';
import { refuseWhileImpersonating } from '../identity/index.ts';
import { markRead } from '../notifications/index.ts';
import { chatNotFound, type LockedSession, lockSession, lockUsers, nextInstant } from './locking.ts';
import { changesOf, readRows } from './rows.ts';

type UntrustedRow = Readonly<Record<string, unknown>>;

/** Messages whose change is announced one by one; the session's marks tell of the rest. */
const announcedMessages = 200;

type ReadingDependencies = Pick<Services, 'db' | 'bus' | 'timers'>;

/** The part of a session that support has read. */
type ReadRange =
  | { readonly kind: 'up to'; readonly seq: number }
  | { readonly kind: 'these'; readonly messageIds: readonly string[] };

export function createReading({ db, bus, timers }: ReadingDependencies) {
  const now = () => new Date(timers.now());
  const publish = (changes: readonly RowChange[]) => {
    if (changes.length > 0) bus.publish('account.changed', { changes });
  };

  /** What changed by it, to be announced. */
  async function traderHasSeen(
    tx: Queryable,
    session: LockedSession,
    seq: number,
    at: Date,
  ): Promise<readonly RowChange[]> {
    const changes: RowChange[] = [];
    if (seq > session.trader_seen_seq) {
      await tx.query(
        `update app.chat_sessions set trader_seen_seq = $2, trader_seen_at = $3, updated_at = $3, version = version + 1
         where id = $1`,
        [session.id, seq, at],
        'chat_trader_seen',
      );
      changes.push(...changesOf(await readRows(tx, session.id), { session: 'UPDATE' }, at));
    }
    if (seq >= session.last_seq) {
      changes.push(...(await markRead(tx, { userId: session.user_id, kind: 'chat_reply', at })));
    }
    return changes;
  }

  /** The mark moves up to the first message that is still unread; what changed by it, to be announced. */
  async function supportHasRead(
    tx: Queryable,
    session: LockedSession,
    read: ReadRange,
    at: Date,
  ): Promise<readonly RowChange[]> {
    const { rows } = await tx.query<{ read: string[]; is_changed: boolean }>(
      `with read as (
         update app.chat_messages set read_at = $4
         where session_id = $1 and sender_role = 'trader' and read_at is null
           and (seq <= $2 or id = any($3::uuid[]))
         returning id, seq
       ), free as (
         select coalesce(min(m.seq) - 1, $5) as seq from app.chat_messages m
         where m.session_id = $1 and m.sender_role = 'trader' and m.read_at is null
           and not exists (select from read r where r.id = m.id)
       ), reached as (
         select least(free.seq, greatest($2, (select max(m.seq) from app.chat_messages m
           where m.session_id = $1 and m.sender_role = 'trader' and m.seq <= free.seq))) as seq
         from free
       ), moved as (
         update app.chat_sessions s
         set support_seen_seq = greatest(s.support_seen_seq, reached.seq), updated_at = $4,
             version = s.version + 1
         from reached
         where s.id = $1
           and (exists (select from read) or reached.seq > s.support_seen_seq)
         returning s.id
       )
       select array(select r.id from read r order by r.seq desc limit ${announcedMessages}) as read,
              exists (select from moved) as is_changed`,
      [
        session.id,
        read.kind === 'up to' ? read.seq : 0,
        read.kind === 'these' ? read.messageIds : [],
        at,
        session.last_seq,
      ],
      'chat_support_read',
    );
    const [done] = rows;
    if (!done?.is_changed) return [];
    return changesOf(await readRows(tx, session.id, done.read), { session: 'UPDATE' }, at);
  }

  /** @throws AppError `not_found` */
  async function mark(caller: SignedIn, args: ArgsOf<'mark_chat_read'>): Promise<ChatSessionRow> {
    refuseWhileImpersonating(caller);
    const { session, changes } = await db.transaction(async (tx) => {
      await lockUsers(tx, caller, [args.p_session_id]);
      const locked = await lockSession(tx, caller, args.p_session_id);
      if (!locked) throw chatNotFound();
      const at = nextInstant(locked, now());
      const seq = Math.min(args.p_seq, locked.last_seq);
      const changes =
        caller.role === 'trader'
          ? await traderHasSeen(tx, locked, seq, at)
          : await supportHasRead(tx, locked, { kind: 'up to', seq }, at);
      return { session: (await readRows(tx, locked.id)).session, changes };
    });
    publish(changes);
    return session;
  }

  /** CALL-73: of the messages that were found, those of the other side are read as of now, whatever time is claimed. */
  async function update(
    caller: SignedIn,
    ids: readonly string[],
    untrusted: UntrustedRow,
  ): Promise<readonly string[]> {
    refuseWhileImpersonating(caller);
    if (untrusted.read_at == null) {
      throw new AppError('invalid_argument', 'A message that was read stays read.');
    }
    const { read, changes } = await db.transaction(async (tx) => {
      const { rows: sessions } = await tx.query<{ session_id: string; seq: string; messages: string[] }>(
        `select session_id, max(seq) as seq, array_agg(id) as messages from app.chat_messages
         where id = any($1::uuid[]) and sender_role <> $2 group by session_id order by session_id`,
        [ids, caller.role],
        'chat_read_targets',
      );
      const changes: RowChange[] = [];
      const read: string[] = [];
      await lockUsers(
        tx,
        caller,
        sessions.map(({ session_id }) => session_id),
      );
      for (const { session_id, seq, messages } of sessions) {
        const locked = await lockSession(tx, caller, session_id);
        if (!locked) continue;
        const at = nextInstant(locked, now());
        changes.push(
          ...(caller.role === 'trader'
            ? await traderHasSeen(tx, locked, Number(seq), at)
            : await supportHasRead(tx, locked, { kind: 'these', messageIds: messages }, at)),
        );
        read.push(...messages);
      }
      return { read, changes };
    });
    publish(changes);
    return read;
  }

  /** One statement, so that the session and its messages are of one moment. @throws AppError `not_found` */
  async function updates(
    caller: SignedIn,
    { p_session_id, p_after_seq, p_before_seq }: ArgsOf<'get_chat_updates'>,
  ): Promise<ResultOf<'get_chat_updates'>> {
    const isEarlier = p_before_seq != null;
    const { rows } = await db.query<{ session: ChatSessionRow; messages: ChatMessageRow[] }>(
      `select to_json(s) as session, (
         select coalesce(json_agg(p order by p.seq), '[]') from (
           select * from api.chat_messages m
           where m.session_id = $1 and m.seq > $2 ${isEarlier ? 'and m.seq < $4' : ''}
           order by m.seq ${isEarlier ? 'desc' : 'asc'} limit ${chatPageMax + 1}
         ) p) as messages
       from api.chat_sessions s where s.id = $1 and ($3::uuid is null or s.user_id = $3)`,
      [
        p_session_id,
        p_after_seq,
        caller.role === 'trader' ? caller.userId : null,
        ...(isEarlier ? [p_before_seq] : []),
      ],
      isEarlier ? 'chat_earlier' : 'chat_updates',
    );
    const [found] = rows;
    if (!found) throw chatNotFound();
    const { session, messages } = found;
    const page = isEarlier ? messages.slice(-chatPageMax) : messages.slice(0, chatPageMax);
    return { session, messages: page, has_more: messages.length > chatPageMax };
  }

  return { mark, update, updates };
}
