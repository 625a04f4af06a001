/**
 * Messages to the members of a class. Invariants: a tutor reaches their own classes only; message, notifications and audit row are one
 * transaction; a repeat of the client id sends nothing.
 * A member has it as a notification, and as a mail where they have stated that they want one (`user_settings`, group `mails`).
 */
import { AppError, type ArgsOf, type ResultOf, type SignedIn, texts } from '@fulcrum/contract';
import { classMailsSetting } from '@fulcrum/domain';
import type { Database, Queryable } from '../../platform/database/index.ts';
import { defaultLimits } from '../../platform/limits/index.ts';
import { enqueueStaffMail, type MailWriter } from '../../platform/mail/queue.ts';
import { countAttempt } from '../../platform/rate-limit/window-counter.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { lockStaffChanges } from '../identity/index.ts';
import { notifyAll } from '../notifications/index.ts';
import type { ClassesDependencies } from './dependencies.ts';

type Args = ArgsOf<'message_class'>;
type Sent = ResultOf<'message_class'>;

interface Message {
  readonly classId: string;
  readonly subject: string;
  readonly text: string;
  readonly clientId: string;
}

interface Member {
  readonly id: string;
  readonly email: string;
  readonly getsMail: boolean;
  readonly className: string;
}

/** SQL: whether the user `u` has switched on mails of class messages. */
const getsMail = `exists (
  select from app.user_settings s where s.user_id = u.id and s.key = 'mails' and s.value -> '${classMailsSetting}' = 'true')`;

interface StoredMessage {
  readonly id: string;
  readonly recipients: number;
  readonly mailed: number;
  readonly createdAt: Date;
  readonly isSame: boolean;
}

/** `requireReach`: throws for a class that is none, or not the caller's. */
export function createClassMessages(
  { db, clock, bus, wakeMails }: Pick<ClassesDependencies, 'db' | 'clock' | 'bus' | 'wakeMails'>,
  requireReach: (tx: Queryable, caller: SignedIn, classId: string) => Promise<void>,
) {
  async function findSent(tx: Queryable, caller: SignedIn, message: Message): Promise<Sent | null> {
    const { rows } = await tx.query<StoredMessage>(
      `select id, recipients, mailed, created_at as "createdAt", (class_id = $3 and subject = $4 and message = $5) as "isSame"
       from app.class_messages where sender_id = $1 and client_id = $2`,
      [caller.userId, message.clientId, message.classId, message.subject, message.text],
      'find_class_message',
    );
    const [sent] = rows;
    if (!sent) return null;
    if (!sent.isSame) throw new AppError('idempotency_conflict', texts.clientIdUsed);
    const { id, recipients, mailed, createdAt } = sent;
    return { id, recipients, mailed, created_at: createdAt.toISOString() };
  }

  async function send(tx: Queryable, caller: SignedIn, message: Message, at: Date) {
    const { classId, subject, text, clientId } = message;
    const { rows: members } = await tx.query<Member>(
      `select u.id, u.email, ${getsMail} as "getsMail", c.name as "className"
       from app.trading_accounts a join app.classes c on c.id = a.class_id join app.users u on u.id = a.owner_id
       where a.class_id = $1 and a.status = 'active'`,
      [classId],
      'members_to_notify',
    );
    const [first] = members;
    if (!first) throw new AppError('conflict', 'This class has no members.');
    const recipients = members.length;
    const mailedTo = members.filter((member) => member.getsMail).map(({ email }) => email);
    const mailed = mailedTo.length;
    const { rows } = await tx.query<{ id: string }>(
      `insert into app.class_messages (class_id, sender_id, client_id, subject, message, recipients, created_at, mailed)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [classId, caller.userId, clientId, subject, text, recipients, at, mailed],
      'write_class_message',
    );
    const id = rows[0]?.id ?? '';
    const changes = await notifyAll(
      tx,
      members.map((member) => member.id),
      { kind: 'class_message', message: `${first.className}: ${subject}\n${text}`, at },
    );
    await enqueueStaffMail(
      tx,
      { kind: 'class_message', recipients: mailedTo, detail: { message_id: id } },
      at,
    );
    await recordAuditEntry(tx, {
      ...{ at, actorId: caller.userId, subjectId: null, action: 'class.message', objectId: classId },
      detail: { message_id: id, subject, recipients, mailed },
    });
    return { sent: { id, recipients, mailed, created_at: at.toISOString() }, changes };
  }

  return {
    /**
     * @throws AppError not_found, invalid_argument without a subject or a text, conflict for a class without members, idempotency_conflict;
     * TooManyAttempts; AccountError session_ended
     */
    message_class: async (caller: SignedIn, args: Args): Promise<Sent> => {
      const message: Message = {
        classId: args.p_class_id.toLowerCase(),
        subject: args.p_subject.trim(),
        text: args.p_text.trim(),
        clientId: args.p_client_id,
      };
      if (message.subject === '' || message.text === '') {
        throw new AppError('invalid_argument', 'A message has a subject and a text.');
      }
      const at = new Date(clock.now());
      const { sent, changes } = await db.transaction(async (tx) => {
        // Repeats at once wait here for each other.
        await lockStaffChanges(tx, caller);
        await requireReach(tx, caller, message.classId);
        const before = await findSent(tx, caller, message);
        if (before) return { sent: before, changes: [] };
        await countAttempt(tx, defaultLimits.messagesToClasses, caller.userId, at);
        return send(tx, caller, message, at);
      });
      if (changes.length > 0) bus.publish('account.changed', { changes });
      if (sent.mailed > 0) wakeMails();
      return sent;
    },
  };
}

/** Writes the mail from the stored message; nothing for who left the class or has switched mails off. */
export function createClassMailWriter(db: Database, publicUrl: () => string): MailWriter {
  return async ({ recipient, detail }) => {
    const { rows } = await db.query<{ className: string; subject: string; message: string }>(
      `select c.name as "className", m.subject, m.message
       from app.class_messages m
       join app.classes c on c.id = m.class_id
       join app.trading_accounts a on a.class_id = c.id and a.status = 'active'
       join app.users u on u.id = a.owner_id
       where m.id = $1 and u.email = $2 and ${getsMail}`,
      [detail.message_id, recipient],
      'mailed_class_message',
    );
    const [written] = rows;
    if (!written) return null;
    const { className, subject, message } = written;
    const footer = `Sent to the members of ${className}. You get it because mails are switched on in your account settings: ${publicUrl()}/profile`;
    return {
      to: recipient,
      subject: `${className}: ${subject}`,
      text: `${message}\n\n${footer}\n`,
      writtenBy: 'user',
    };
  };
}
