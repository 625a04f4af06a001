/**
 * A reply to a visitor by mail (`reply_contact_form`). Invariants: the status `replied` and the queued mail are one
 * transaction; a repeated request with its client id sends nothing again; the text of the reply is in the message only,
 * neither in the audit log nor in the queue.
 *
 * Known limitations: an undeliverable mail is tried for two days and then only logged. A visitor may give another person's
 * address, so the reply, with the original message, goes there; the administrator sees the message first.
 */
import { AppError, type ArgsOf, type ResultOf, type SignedIn, texts } from '@fulcrum/contract';
import { checkReply, normaliseMessage, replySubject } from '@fulcrum/domain';
import type { Config } from '../../platform/config/index.ts';
import { isMailAddress } from '../../platform/config/mail.ts';
import type { Database } from '../../platform/database/index.ts';
import { enqueueStaffMail, type MailWriter } from '../../platform/mail/queue.ts';
import { type ContactDependencies, lockMessages, readWritten, type StoredMessage } from './context.ts';
import { applyTransition, changedMeanwhile } from './transitions.ts';

type Args = ArgsOf<'reply_contact_form'>;
type Result = ResultOf<'reply_contact_form'>;

const isRepeat = (message: StoredMessage, caller: SignedIn, clientId: string | null): boolean =>
  clientId !== null && message.reply_client_id === clientId && message.replied_by === caller.actorId;

export function createReplies({ db, config, clock, bus, mails }: ContactDependencies) {
  /** @throws AppError `conflict` without a mail server or address, `not_found`, `changed_meanwhile`, `invalid_argument`, `busy` */
  return async (caller: SignedIn, args: Args): Promise<Result> => {
    if (config.smtp === null) throw new AppError('conflict', texts.contactNoMail);
    const objection = checkReply(args.p_message);
    if (objection !== null) throw new AppError('invalid_argument', objection);
    const reply = normaliseMessage(args.p_message);
    const clientId = args.p_client_id ?? null;
    const at = new Date(clock.now());

    const { result, changes } = await db.transaction(async (tx) => {
      const [message] = await lockMessages(tx, [args.p_id]);
      if (!message) throw new AppError('not_found', 'There is no such message.');
      const { id, email, status, version } = message;
      if (isRepeat(message, caller, clientId)) return { result: { id, status, version }, changes: [] };
      if (version !== args.p_version) throw changedMeanwhile();
      if (!isMailAddress(email)) throw new AppError('conflict', texts.contactNoAddress);
      if (status === 'new') await applyTransition(tx, message, { caller, to: 'read', at });
      const read = status === 'new' ? { id, status: 'read' as const } : message;
      await applyTransition(tx, read, { caller, to: 'replied', at, answered: 'by mail' });
      await tx.query(
        `update app.contact_forms set reply = $2, reply_client_id = $3 where id = $1`,
        [id, reply, clientId],
        'keep_contact_reply',
      );
      await enqueueStaffMail(
        tx,
        { kind: 'contact_reply', recipients: [email], detail: { contact_form: id } },
        at,
      );
      const written = await readWritten('UPDATE', tx, [id], at);
      const steps = status === 'new' ? 2 : 1;
      return {
        result: { id, status: 'replied' as const, version: version + steps },
        changes: written.changes,
      };
    });
    if (changes.length > 0) bus.publish('account.changed', { changes });
    mails.wake();
    return result;
  };
}

interface RepliedMessage {
  readonly name: string;
  readonly subject: string;
  readonly message: string;
  readonly reply: string;
  readonly created_at: Date;
}

const dayOf = (at: Date): string =>
  at.toLocaleDateString('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });

/** The answer, and below it what is answered, line by line. */
const buildReplyText = ({ name, message, reply, created_at }: RepliedMessage): string =>
  [
    reply,
    '',
    `On ${dayOf(created_at)} ${name} wrote:`,
    ...message.split('\n').map((line) => (line === '' ? '>' : `> ${line}`)),
    '',
  ].join('\n');

/** Writes the mail from the stored reply; a deleted message sends nothing. */
export function createReplyWriter(db: Database, { contactEmail }: Pick<Config, 'contactEmail'>): MailWriter {
  return async ({ recipient, detail }) => {
    const { rows } = await db.query<RepliedMessage>(
      `select name, subject, message, reply, created_at from app.contact_forms
       where id = $1 and email = $2 and reply is not null`,
      [detail.contact_form, recipient],
      'answered_contact_form',
    );
    const [answered] = rows;
    if (!answered) return null;
    return {
      to: recipient,
      subject: replySubject(answered.subject),
      text: buildReplyText(answered),
      writtenBy: 'user',
      ...(contactEmail === null ? {} : { replyTo: contactEmail }),
    };
  };
}
