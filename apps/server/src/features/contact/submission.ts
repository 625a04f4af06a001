/**
 * A visitor's message (CALL-82, A53), from any caller, identified by an address alone. Invariants: a stored message passed
 * the form's rules and is `new`; an attempt is counted before the message is stored; a repeat with its client id is the
 * same message and counts once. A message with the hidden field filled gets the same response and is dropped.
 *
 * A signed-in user counts by account alone (A118), so visitors behind a shared address never block them.
 *
 * Known limitations: a sender with many addresses multiplies the limit; the limits of a shared address hold for all its
 * visitors without a session.
 */
import { AppError, texts } from '@fulcrum/contract';
import { type ContactFields, checkContact, isValid, normaliseContact } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { countAttempt, refundAttempt } from '../../platform/rate-limit/window-counter.ts';
import { type ContactDependencies, readWritten } from './context.ts';

type Row = Readonly<Record<string, unknown>>;
/** The sender as `protocols/rest` passes it. */
interface Sender {
  readonly caller: { readonly role: 'anon' } | { readonly role: string; readonly userId: string };
  readonly address: string;
}

const clientIdMax = 64;

interface Submission {
  readonly fields: ContactFields;
  readonly clientId: string | null;
}

const textOf = (row: Row, name: string): string => {
  const value = row[name];
  return typeof value === 'string' ? value : '';
};

/** @throws AppError `invalid_argument` with the text of the first field that is wrong */
function submissionOf(row: Row): Submission {
  const status = row.status ?? 'new';
  if (status !== 'new') throw new AppError('invalid_argument', texts.contactStatusNew);
  const typed: ContactFields = {
    name: textOf(row, 'name'),
    email: textOf(row, 'email'),
    subject: textOf(row, 'subject'),
    message: textOf(row, 'message'),
  };
  const objections = checkContact(typed);
  if (!isValid(objections)) {
    const [first = texts.contactFailed] = Object.values(objections).filter((text) => text !== null);
    throw new AppError('invalid_argument', first);
  }
  const clientId = textOf(row, 'client_id').trim() || null;
  if (clientId !== null && (clientId.length > clientIdMax || !/^[\x21-\x7e]+$/.test(clientId))) {
    throw new AppError('invalid_argument', `A client_id has at most ${clientIdMax} printable characters`);
  }
  return { fields: normaliseContact(typed), clientId };
}

/** The id of the message that was stored with this client id. @throws AppError `idempotency_conflict` for another message */
async function findRepeat(db: Queryable, { fields, clientId }: Submission): Promise<string | null> {
  if (clientId === null) return null;
  const { rows } = await db.query<ContactFields & { id: string }>(
    `select id, name, email, subject, message from app.contact_forms where client_id = $1`,
    [clientId],
    'contact_form_of_client_id',
  );
  const [found] = rows;
  if (!found) return null;
  const isSame = (['name', 'email', 'subject', 'message'] as const).every(
    (name) => found[name] === fields[name],
  );
  if (!isSame) throw new AppError('idempotency_conflict', 'This client_id belongs to another message.');
  return found.id;
}

export function createSubmission({ db, config: { limits }, clock, bus, log }: ContactDependencies) {
  const limitsOf = ({ caller, address }: Sender) =>
    'userId' in caller
      ? [{ limit: limits.contactOfAccount, subject: caller.userId }]
      : [
          { limit: limits.contactFromAddress, subject: address },
          { limit: limits.contactFromAddressOfDay, subject: address },
        ];

  /** Null when the same message came meanwhile from another request. */
  async function store({ fields, clientId }: Submission, at: Date): Promise<string | null> {
    const stored = await db.transaction(async (tx) => {
      const { rows } = await tx.query<{ id: string }>(
        `insert into app.contact_forms (name, email, subject, message, created_at, updated_at, client_id)
         values ($1, $2, $3, $4, $5, $5, $6) on conflict (client_id) do nothing returning id`,
        [fields.name, fields.email, fields.subject, fields.message, at, clientId],
        'insert_contact_form',
      );
      const [row] = rows;
      return row && { id: row.id, ...(await readWritten('INSERT', tx, [row.id], at)) };
    });
    if (!stored) return null;
    bus.publish('account.changed', { changes: stored.changes });
    return stored.id;
  }

  /** @throws AppError `invalid_argument`, `idempotency_conflict`; TooManyAttempts */
  return async (sender: Sender, rows: readonly Row[]): Promise<readonly string[]> => {
    const [row, ...others] = rows;
    if (!row || others.length > 0) throw new AppError('invalid_argument', 'Send one message at a time.');
    if (textOf(row, 'website') !== '') {
      log.debug({ address: sender.address }, 'a message was dropped: it filled in the hidden field');
      return [];
    }
    const submission = submissionOf(row);
    const before = await findRepeat(db, submission);
    if (before !== null) return [before];

    const at = new Date(clock.now());
    const counted = limitsOf(sender);
    for (const { limit, subject } of counted) await countAttempt(db, limit, subject, at);
    const forgive = async () => {
      for (const { limit, subject } of counted) await refundAttempt(db, log, limit, subject);
    };
    let id: string | null;
    try {
      id = await store(submission, at);
    } catch (error) {
      if (error instanceof AppError && error.code === 'busy') await forgive();
      throw error;
    }
    if (id !== null) return [id];
    await forgive();
    const twin = await findRepeat(db, submission);
    if (twin === null) throw new Error('a message with a client id that was taken is not there');
    return [twin];
  };
}
