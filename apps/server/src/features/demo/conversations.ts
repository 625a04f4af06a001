/**
 * Conversations and contact messages of the demo: written as support writes them (`app.write_chat_message_v1`), at times of the
 * past, with the audit rows of what staff did.
 */
import { texts } from '@fulcrum/contract';
import { minuteMs } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { recordAuditEntry } from '../audit/index.ts';
import type { DemoDependencies } from './dependencies.ts';
import { type ChatScript, type ContactScript, chats, contactMessages } from './script/conversations.ts';
import { recordStep } from './steps.ts';
import { findDemoUsers } from './users.ts';

async function findStaff(db: Queryable, role: 'support' | 'admin'): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(`select id from app.users where email = $1 and role = $2`, [
    `${role}@fulcrum.local`,
    role,
  ]);
  return rows[0]?.id ?? null;
}

export async function writeChats({ db, clock }: DemoDependencies): Promise<void> {
  const now = clock.now();
  const support = await findStaff(db, 'support');
  const known = await findDemoUsers(db);
  const { rows } = await db.query<{ id: string }>(
    `select id from app.users where email = 'trader@fulcrum.local' and role = 'trader'`,
  );
  const idOf = (username: string) => (username === 'demo_trader' ? rows[0]?.id : known.get(username)?.id);
  if (support === null) return;
  await db.transaction(async (tx) => {
    await recordStep(tx, 'chats');
    for (const chat of chats) {
      const traderId = idOf(chat.username);
      if (traderId !== undefined) await writeChat(tx, chat, { traderId, support, now });
    }
  });
}

interface ChatContext {
  readonly traderId: string;
  readonly support: string;
  readonly now: number;
}

async function writeChat(
  tx: Queryable,
  chat: ChatScript,
  { traderId, support, now }: ChatContext,
): Promise<void> {
  const begin = now - chat.minutesAgo * minuteMs;
  const timeOf = (minute: number): Date => new Date(begin + minute * minuteMs);
  const { rows } = await tx.query<{ id: string }>(
    `insert into app.chat_sessions (user_id, created_at, updated_at) values ($1, $2, $2)
     on conflict (user_id) where status = 'open' do nothing returning id`,
    [traderId, timeOf(0)],
  );
  // A conversation that is open already stays as it is.
  const sessionId = rows[0]?.id;
  if (sessionId === undefined) return;
  for (const [side, minute, text] of chat.lines) {
    const sender = side === 'trader' ? traderId : support;
    await tx.query(
      `select outcome from app.write_chat_message_v1($1, $2, $3, $4, null, $5, null, null, false, $6, '10 minutes', '2 minutes', null)`,
      [sender, side, sessionId, text, timeOf(minute), texts.chatReply],
    );
  }
  const last = chat.lines.at(-1)?.[1] ?? 0;
  await tx.query(
    `update app.chat_messages set read_at = coalesce(read_at, created_at + interval '1 minute')
     where session_id = $1 and seq < (select coalesce(max(seq) filter (where sender_role = 'support'), 0)
                                      from app.chat_messages where session_id = $1)`,
    [sessionId],
  );
  await tx.query(
    `update app.chat_sessions s set
       trader_seen_seq = answered.seq, trader_seen_at = answered.at, support_seen_seq = answered.seq
     from (select coalesce(max(seq), 0) as seq, max(created_at) as at from app.chat_messages
           where session_id = $1 and sender_role = 'support') answered
     where s.id = $1`,
    [sessionId],
  );
  await tx.query(
    `update app.notifications set read_at = created_at + interval '1 minute'
     where user_id = $1 and kind = 'chat_reply' and read_at is null`,
    [traderId],
  );
  if (chat.closedAfter === null) return;
  const closedAt = timeOf(last + chat.closedAfter);
  await tx.query(`update app.chat_messages set read_at = $2 where session_id = $1 and read_at is null`, [
    sessionId,
    closedAt,
  ]);
  await tx.query(
    `update app.chat_sessions set status = 'closed', closed_at = $2, updated_at = $2, support_id = $3, waiting_since = null,
       support_seen_seq = last_seq, trader_seen_seq = last_seq, version = version + 1,
       rating = $4::integer, rating_comment = $5, rated_at = case when $4::integer is null then null else $6::timestamptz end
     where id = $1`,
    [sessionId, closedAt, support, chat.rating, chat.comment, new Date(closedAt.getTime() + 2 * minuteMs)],
  );
  await recordAuditEntry(tx, {
    at: closedAt,
    actorId: support,
    subjectId: traderId,
    action: 'chat_session.close',
    objectId: sessionId,
    detail: { session_id: sessionId },
  });
}

export async function writeContactMessages({ db, clock }: DemoDependencies): Promise<void> {
  const now = clock.now();
  const admin = await findStaff(db, 'admin');
  if (admin === null) return;
  await db.transaction(async (tx) => {
    await recordStep(tx, 'contact');
    for (const [index, message] of contactMessages.entries()) {
      await writeContactMessage(tx, message, { admin, now, clientId: contactIdOf(index) });
    }
  });
}

/** Of a message, so that the clearing finds it. */
export const contactIdOf = (index: number): string => `demo-message-${index}`;

/** The steps that lead to each status, as their audit rows. */
const stepsTo = {
  new: [],
  read: ['read'],
  replied: ['read', 'replied'],
  archived: ['read', 'archived'],
} as const satisfies Record<ContactScript['status'], readonly ContactScript['status'][]>;
const actions = {
  read: 'contact_form.read',
  replied: 'contact_form.reply',
  archived: 'contact_form.archive',
} as const;
const minutesPerStep = 45;

async function writeContactMessage(
  tx: Queryable,
  { name, email, subject, message, status, reply, minutesAgo }: ContactScript,
  { admin, now, clientId }: { readonly admin: string; readonly now: number; readonly clientId: string },
): Promise<void> {
  const begin = now - minutesAgo * minuteMs;
  const steps = stepsTo[status];
  const timeOf = (step: number): Date => new Date(begin + step * minutesPerStep * minuteMs);
  const replied = reply === null ? null : admin;
  const { rows } = await tx.query<{ id: string }>(
    `insert into app.contact_forms (name, email, subject, message, status, created_at, updated_at, reply, replied_by,
       replied_at, client_id, version)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, case when $8::text is null then null else $7::timestamptz end, $10, $11)
     on conflict (client_id) do nothing returning id`,
    [
      name,
      email,
      subject,
      message,
      status,
      timeOf(0),
      timeOf(steps.length),
      reply,
      replied,
      clientId,
      1 + steps.length,
    ],
  );
  const id = rows[0]?.id;
  if (id === undefined) return;
  let from: ContactScript['status'] = 'new';
  for (const [index, to] of steps.entries()) {
    await recordAuditEntry(tx, {
      at: timeOf(index + 1),
      actorId: admin,
      subjectId: null,
      action: actions[to],
      objectId: id,
      detail: { from, ...(to === 'replied' && { answered: 'by mail' }) },
    });
    from = to;
  }
}
