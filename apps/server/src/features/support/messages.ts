/**
 * Writing a message (CALL-74). Invariants: who writes is who the token says; messages of a session are numbered 1, 2, 3 …
 * under its lock, so that they are committed in the order of their numbers, and their times grow with them; a repeat with
 * the same `client_id` is the same message, also when the session was closed since; nothing is written into a closed one.
 *
 * Known limitation: two commits that follow each other within the same turn of the event loop may be announced the other
 * way round; whoever listens sees the gap by the numbers and reads it.
 */
import { AppError, busy, type ChatMessageRow, type RowChange, type SignedIn, texts } from '@fulcrum/contract';
import { chatLimits, parseMessage } from '@fulcrum/domain';
import type { Bus } from '../../platform/bus/index.ts';
import type { Timers } from '../../platform/clock/index.ts';
import type { Database, Queryable } from '../../platform/database/index.ts';
import { requireNotActing } from '../accounts/index.ts';
import { notify } from '../notifications/index.ts';
import { chatNotFound, type HeldSession, holdPeople, holdSession, nextInstant } from './locking.ts';
import { createMessagePace } from './message-pace.ts';
import { changesOf, readRows } from './rows.ts';
import { openSessionOf } from './sessions.ts';

type Claims = Readonly<Record<string, unknown>>;

interface Draft {
  readonly sessionId: string;
  readonly content: string;
  readonly clientId: string | null;
  readonly role: 'trader' | 'support';
}
interface Place {
  readonly session: HeldSession;
  /** Opened for this message. */
  readonly isNew: boolean;
  /** Instead of a deleted one, which the sender still has. */
  readonly isOther: boolean;
}
interface Sent {
  readonly message: ChatMessageRow;
  /** None for a repeat. */
  readonly changes: readonly RowChange[];
}

/** While somebody writes, one bell is enough: the badge counts the rest. */
const quietMs = 10 * 60_000;
/** Who has just seen an answer is in the conversation, or saw the badge on the way out. */
const seenQuietMs = 2 * 60_000;
const placeAttempts = 5;

/** @throws AppError `invalid_argument`, `not_allowed` for somebody else as the sender */
function draftOf(caller: SignedIn, rows: readonly Claims[]): Draft {
  const [row, ...others] = rows;
  if (!row || others.length > 0) throw new AppError('invalid_argument', 'Insert one row at a time.');
  if (row.sender_id != null && row.sender_id !== caller.userId) {
    throw new AppError('not_allowed', 'You can only write as yourself.');
  }
  if (typeof row.session_id !== 'string') throw chatNotFound();
  const parsed = parseMessage(typeof row.content === 'string' ? row.content : '');
  if (parsed.kind === 'refused') {
    throw new AppError('invalid_argument', parsed.fault === 'blank' ? texts.chatBlank : texts.chatTooLong);
  }
  const clientId = typeof row.client_id === 'string' ? row.client_id : null;
  if (clientId !== null && (clientId === '' || clientId.length > chatLimits.clientIdChars)) {
    throw new AppError('invalid_argument', `client_id has 1 to ${chatLimits.clientIdChars} characters.`);
  }
  const role = caller.role === 'trader' ? 'trader' : 'support';
  return { sessionId: row.session_id, content: parsed.content, clientId, role };
}

export interface MessagesDependencies {
  readonly db: Database;
  readonly bus: Bus;
  readonly timers: Timers;
}

export function createMessages({ db, bus, timers }: MessagesDependencies) {
  const now = () => new Date(timers.now());
  const pace = createMessagePace({ messages: chatLimits.paceMessages, withinMs: chatLimits.paceMs }, () =>
    timers.now(),
  );

  /** @throws AppError `not_found`, `session_closed`, `not_allowed`, `invalid_argument`; TooManyAttempts */
  async function insert(caller: SignedIn, rows: readonly Claims[]) {
    requireNotActing(caller);
    const draft = draftOf(caller, rows);
    let giveBack = () => {};
    try {
      const { message, changes } = await db.transaction(async (tx) => {
        const place = await placeOf(tx, caller, draft, now());
        const repeated = await repeatedOf(tx, caller, draft, place);
        if (repeated) return { message: repeated, changes: [] };
        if (place.session.status === 'closed') throw new AppError('session_closed', texts.sessionClosed);
        giveBack = pace.take(caller.userId);
        return write(tx, caller, draft, place);
      });
      if (changes.length > 0) bus.publish('account.changed', { changes });
      return { ids: [message.id], rows: [message] };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  async function write(
    tx: Queryable,
    caller: SignedIn,
    { content, clientId, role }: Draft,
    { session, isNew }: Place,
  ): Promise<Sent> {
    const at = nextInstant(session, now());
    const { rows } = await tx.query<{ id: string; is_first_unseen: boolean }>(
      `with moved as (
         update app.chat_sessions
         set last_seq = $3, version = version + 1, updated_at = $8,
             waiting_since = case when $5 = 'support' then null else coalesce(waiting_since, $8) end
         where id = $1
       )
       insert into app.chat_messages
         (session_id, user_id, seq, sender_id, sender_role, content, client_id, created_at, read_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, case when $5 = 'support' then $8::timestamptz end)
       returning id, $5 = 'support' and not exists (
         select from app.chat_messages m
         where m.session_id = $1 and m.sender_role = 'support' and m.seq > $9) as is_first_unseen`,
      [
        session.id,
        session.user_id,
        session.last_seq + 1,
        caller.userId,
        role,
        content,
        clientId,
        at,
        session.trader_seen_seq,
      ],
      'chat_write',
    );
    const [stored] = rows;
    if (!stored) throw new Error('a message was not written');
    const conversation = await readRows(tx, session.id, [stored.id]);
    const [message] = conversation.messages;
    if (!message) throw new Error('a message was not found again');
    const changes = changesOf(conversation, { session: isNew ? 'INSERT' : 'UPDATE', messages: 'INSERT' }, at);
    const notice = stored.is_first_unseen ? await ring(tx, session.user_id, at) : null;
    return { message, changes: notice ? [...changes, notice] : changes };
  }

  return { insert };
}

/** The session that the message goes to, held. @throws AppError `not_found` */
async function placeOf(tx: Queryable, caller: SignedIn, { sessionId }: Draft, now: Date): Promise<Place> {
  await holdPeople(tx, caller, [sessionId]);
  const session = await holdSession(tx, caller, sessionId);
  if (session) return { session, isNew: false, isOther: false };
  if (caller.role !== 'trader' || !(await wasDeleted(tx, caller, sessionId))) throw chatNotFound();
  for (let attempt = 0; attempt < placeAttempts; attempt += 1) {
    const { id, isNew } = await openSessionOf(tx, caller.userId, now);
    const current = await holdSession(tx, caller, id);
    // Closed or deleted by the time that it was ours: there is a next one.
    if (current?.status === 'open') return { session: current, isNew, isOther: true };
  }
  throw busy();
}

async function wasDeleted(tx: Queryable, caller: SignedIn, sessionId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select from app.chat_sessions_deleted where id = $1 and user_id = $2',
    [sessionId, caller.userId],
    'chat_was_deleted',
  );
  return rowCount > 0;
}

/** The message that this is a repeat of. What was meant for a deleted session may stand in any of the trader's own. */
async function repeatedOf(
  tx: Queryable,
  caller: SignedIn,
  { clientId }: Draft,
  { session, isOther }: Place,
): Promise<ChatMessageRow | null> {
  if (clientId === null) return null;
  const { rows } = await tx.query<{ message: ChatMessageRow }>(
    `select to_json(m) as message from api.chat_messages m
     where m.sender_id = $2 and m.client_id = $3 and (m.session_id = $1 or $4 and m.user_id = $2)
     order by m.session_id = $1 desc limit 1`,
    [session.id, caller.userId, clientId, isOther],
    'chat_repeated',
  );
  return rows[0]?.message ?? null;
}

/** Tells the trader of an answer, unless they have been told lately and have not looked, or have looked just now. */
async function ring(tx: Queryable, userId: string, at: Date): Promise<RowChange | null> {
  const { rowCount } = await tx.query(
    `select from app.notifications
     where user_id = $1 and created_at > $2 and kind = 'chat_reply' and (read_at is null or read_at > $3)
     limit 1`,
    [userId, new Date(at.getTime() - quietMs), new Date(at.getTime() - seenQuietMs)],
    'chat_has_rung',
  );
  if (rowCount > 0) return null;
  return notify(tx, { userId, kind: 'chat_reply', message: texts.chatReply, at });
}
