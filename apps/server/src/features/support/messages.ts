/**
 * Writes a message (CALL-74). Invariants: the sender is the token's user; messages of a session are numbered 1, 2, 3 …
 * under its lock, so commits follow the numbers, and times grow with them. A repeat with the same `client_id` returns the
 * same message, also after the session was closed; another text under it is refused. A closed session accepts no message.
 * It is one call of `app.write_chat_message_v1`: one round trip, one transaction. It also counts the sender's pace, so that it holds
 * over all gateways.
 *
 * Known limitation: two commits within the same tick of the event loop may be announced in reverse order; clients see the
 * gap in the numbers and read it.
 */
import {
  AppError,
  busy,
  type ChatMessageRow,
  type ChatSessionRow,
  type ChatSide,
  type RowChange,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import { chatLimits, parseMessage } from '@fulcrum/domain';
import { toRowChange } from '../../platform/changes/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { defaultLimits } from '../../platform/limits/index.ts';
import { TooManyAttempts } from '../../platform/rate-limit/too-many-attempts.ts';
import type { Services } from '../../platform/services.ts';
import { refuseWhileImpersonating } from '../identity/index.ts';
import { chatNotFound, lockUsers } from './locking.ts';
import { changesOf } from './rows.ts';
import { findOrOpenSession } from './sessions.ts';

type UntrustedRow = Readonly<Record<string, unknown>>;

interface Draft {
  readonly sessionId: string;
  readonly content: string;
  readonly clientId: string | null;
  /** The version of a picture; null without one. */
  readonly attachmentId: string | null;
  readonly role: ChatSide;
}
interface Sent {
  readonly message: ChatMessageRow;
  /** None for a repeat. */
  readonly changes: readonly RowChange[];
}
/** Of one call of `app.write_chat_message_v1`. */
type Written =
  | { readonly outcome: 'missing' | 'closed' | 'no picture' }
  /** `at`: when the next one is allowed. */
  | { readonly outcome: 'too fast'; readonly at: Date }
  | { readonly outcome: 'repeated'; readonly message: ChatMessageRow }
  | {
      readonly outcome: 'written';
      readonly at: Date;
      readonly message: ChatMessageRow;
      readonly session: ChatSessionRow;
      readonly notice: UntrustedRow | null;
    };
/** Where a message goes. */
interface MessageTarget {
  readonly sessionId: string;
  /** `instead`: of a deleted one, which the sender still has; what was meant for that may stand in any of their own. */
  readonly kind: 'named' | 'instead';
}

/** One notice per burst of messages is enough: the badge counts the rest. */
const noticeInterval = '10 minutes';
/** Who has just seen an answer is in the conversation, or saw the badge on the way out. */
const noticeIntervalAfterRead = '2 minutes';
const targetAttempts = 5;
const { attemptsMax, windowMs } = defaultLimits.messagesOfUser;

/** @throws AppError `invalid_argument`, `not_allowed` for another user as the sender */
function parseDraft(caller: SignedIn, rows: readonly UntrustedRow[]): Draft {
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
  const attachmentId = typeof row.attachment_id === 'string' ? row.attachment_id : null;
  return { sessionId: row.session_id, content: parsed.content, clientId, attachmentId, role };
}

type MessagesDependencies = Pick<Services, 'db' | 'bus' | 'timers'>;

export function createMessages({ db, bus, timers }: MessagesDependencies) {
  const now = () => new Date(timers.now());

  /** @throws AppError `not_found`, `session_closed`, `not_allowed`, `invalid_argument`, `idempotency_conflict`; TooManyAttempts */
  async function insert(caller: SignedIn, rows: readonly UntrustedRow[]) {
    refuseWhileImpersonating(caller);
    const draft = parseDraft(caller, rows);
    const { message, changes } = await send(caller, draft);
    if (changes.length > 0) bus.publish('account.changed', { changes });
    return { ids: [message.id], rows: [message] };
  }

  async function send(caller: SignedIn, draft: Draft): Promise<Sent> {
    const written = await write(db, caller, draft, { sessionId: draft.sessionId, kind: 'named' });
    const sent = toSent(written, { draft, sessionChange: 'UPDATE', now: now() });
    if (sent) return sent;
    if (caller.role !== 'trader' || !(await wasDeleted(db, caller, draft.sessionId))) throw chatNotFound();
    return db.transaction((tx) => sendToOpenSession(tx, caller, draft));
  }

  /** Into the trader's open session, made if there is none. */
  async function sendToOpenSession(tx: Queryable, caller: SignedIn, draft: Draft): Promise<Sent> {
    await lockUsers(tx, caller, []);
    for (let attempt = 0; attempt < targetAttempts; attempt += 1) {
      const { id, isNew } = await findOrOpenSession(tx, caller.userId, now());
      const written = await write(tx, caller, draft, { sessionId: id, kind: 'instead' });
      // Closed or deleted by the time that it was ours: there is a next one.
      const sessionChange = isNew ? 'INSERT' : 'UPDATE';
      const sent =
        written.outcome === 'closed' ? null : toSent(written, { draft, sessionChange, now: now() });
      if (sent) return sent;
    }
    throw busy();
  }

  async function write(
    target: Queryable,
    caller: SignedIn,
    { role, content, clientId, attachmentId }: Draft,
    { sessionId, kind }: MessageTarget,
  ): Promise<Written> {
    const { rows } = await target.query<Written>(
      `select outcome, written_at as at, written_message as message, written_session as session, written_notice as notice
       from app.write_chat_message_v1($1, $2, $3, $4, $5, $6, $7, make_interval(secs => $8), $9, $10, $11, $12, $13)`,
      [
        caller.userId,
        role,
        sessionId,
        content,
        clientId,
        now(),
        attemptsMax,
        windowMs / 1000,
        kind === 'instead',
        texts.chatReply,
        noticeInterval,
        noticeIntervalAfterRead,
        attachmentId,
      ],
      'chat_write',
    );
    const [written] = rows;
    if (!written) throw new Error('the writing of a message has no outcome');
    return written;
  }

  return { insert };
}

interface SendContext {
  readonly draft: Draft;
  /** What writing it does to the session. */
  readonly sessionChange: 'INSERT' | 'UPDATE';
  readonly now: Date;
}

/** Null where there is no such session. @throws AppError `session_closed`, `idempotency_conflict`; TooManyAttempts */
function toSent(written: Written, { draft, sessionChange, now }: SendContext): Sent | null {
  switch (written.outcome) {
    case 'missing':
      return null;
    case 'closed':
      throw new AppError('session_closed', texts.sessionClosed);
    case 'too fast':
      throw new TooManyAttempts((written.at.getTime() - now.getTime()) / 1000);
    case 'no picture':
      throw new AppError('invalid_argument', texts.chatPictureUnknown);
    case 'repeated':
      if (written.message.content !== draft.content || written.message.attachment_id !== draft.attachmentId) {
        throw new AppError('idempotency_conflict', 'This client_id belongs to another message.');
      }
      return { message: written.message, changes: [] };
    case 'written': {
      const { at, message, session, notice } = written;
      const changes = changesOf(
        { session, messages: [message] },
        { session: sessionChange, messages: 'INSERT' },
        at,
      );
      if (!notice) return { message, changes };
      const notification = toRowChange(
        { table: 'notifications', type: 'INSERT', committedAt: at.toISOString() },
        notice,
      );
      return { message, changes: [...changes, notification] };
    }
  }
}

async function wasDeleted(db: Queryable, caller: SignedIn, sessionId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from app.chat_sessions_deleted where id = $1 and user_id = $2',
    [sessionId, caller.userId],
    'chat_was_deleted',
  );
  return rowCount > 0;
}
