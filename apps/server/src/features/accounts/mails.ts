/**
 * The queue of mails: rows of `app.mails`, written in the transaction of what they tell, and the sender that delivers
 * them. Invariants: what was committed is sent at least once, through restarts and kills, unless its time runs out; no
 * answer waits for a delivery; a pass is bounded, and a mail server that is down costs a few tries a pass.
 *
 * Known limitation: a mail is sent again when the server dies between its delivery and the note of it.
 */
import { busy } from '@fulcrum/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database, Queryable } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { type Mail, MailError, type Message } from '../../platform/mail/index.ts';

const second = 1000;
const day = 86_400 * second;

/** What a person of this server wrote to somebody. */
export type LetterKind = 'contact_reply';
/** What a mail tells; each kind has its writer. */
export type MailKind = 'recovery' | 'password_changed' | 'email_changed' | LetterKind;

export interface QueuedMail {
  readonly kind: MailKind;
  readonly recipient: string;
  /** For the writer of this kind. Nothing secret: it is kept for days. */
  readonly detail: Readonly<Record<string, string>>;
}

/** Mails that wait at most; beyond it the next recovery is told that the service is busy. */
export const waitingMax = 10_000;
/** How long after it happened a notice is still worth sending. */
const noticeLifetimeMs = 2 * day;
/** Notices that one recipient gets in a day; the rest would bury what the first ones tell. */
const noticesOfRecipientMax = 10;
/** Sent and expired mails are kept for the operator to look at. */
const keepMs = 7 * day;

/**
 * Puts a notice in the queue, in the transaction of what it tells. One beyond a recipient's limit of the day is left out
 * and logged, for what it tells must not fail because of it.
 */
export async function enqueueMail(
  tx: Queryable,
  mail: QueuedMail,
  { at, log }: { readonly at: Date; readonly log: Pick<Log, 'warn'> },
): Promise<void> {
  const { rowCount } = await tx.query(
    `insert into app.mails (kind, recipient, detail, created_at, expires_at, next_attempt_at)
     select $1, $2, $3, $4, $5, $4
     where (select count(*) from app.mails
            where recipient = $2 and created_at > $6 and kind not in ('recovery', 'contact_reply'))
       < ${noticesOfRecipientMax}`,
    [
      mail.kind,
      mail.recipient,
      mail.detail,
      at,
      new Date(at.getTime() + noticeLifetimeMs),
      new Date(at.getTime() - day),
    ],
    'enqueue_mail',
  );
  if (rowCount === 0) {
    const { kind, recipient } = mail;
    log.warn({ kind, recipient }, 'a notice was left out: its recipient had enough of them today');
  }
}

export interface Letter extends QueuedMail {
  readonly kind: LetterKind;
}

/**
 * Puts what a person wrote in the queue, in the transaction that notes it as sent. None is left out, so that nobody takes
 * for sent what was not.
 * @throws AppError `busy` when too many mails wait
 */
export async function enqueueLetter(tx: Queryable, letter: Letter, at: Date): Promise<void> {
  const { rowCount } = await tx.query(
    `insert into app.mails (kind, recipient, detail, created_at, expires_at, next_attempt_at)
     select $1, $2, $3, $4, $5, $4
     where (select count(*) from (select from app.mails where sent_at is null and expires_at > $4 limit $6) w) < $6`,
    [letter.kind, letter.recipient, letter.detail, at, new Date(at.getTime() + noticeLifetimeMs), waitingMax],
    'enqueue_letter',
  );
  if (rowCount === 0) throw busy();
}

/** Writes the message at the moment it is sent; null when there is nothing to tell any more. */
export type MailWriter = (mail: QueuedMail) => Promise<Message | null>;

export interface MailSender {
  /** There may be something to send. Returns at once. */
  wake(): void;
  /** Sends what is due and resolves when that is done; never rejects. */
  pass(): Promise<void>;
  start(): void;
  /** Cuts what is being sent; the next start sends it again. */
  stop(): Promise<void>;
}

const atOnce = 5;
const roundsMax = 20;
const passEveryMs = 10 * second;
const pruneEveryMs = 3600 * second;
/** Nobody else takes a mail that is being sent, for longer than sending can last. */
const leaseMs = 120 * second;
/** Waits after the first, second, … failed try; the last one repeats. */
const backOffMs = [10, 30, 60, 120, 300].map((seconds) => seconds * second);
const errorLengthMax = 500;

interface ClaimedMail extends QueuedMail {
  readonly id: string;
  /** Tries so far, this one included. */
  readonly attempts: number;
}

export function createMailSender(deps: {
  readonly db: Database;
  readonly mail: Mail;
  readonly writers: Readonly<Record<MailKind, MailWriter>>;
  /** Deletes old rows that stand behind mails; called now and then. */
  readonly prune: (at: Date) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}): MailSender {
  const { db, mail, writers, prune, clock, log } = deps;
  let running: Promise<void> | null = null;
  let wanted = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let prunedAtMs = Number.NEGATIVE_INFINITY;
  const now = () => new Date(clock.now());

  /** Takes mails that are due. The try is counted and the next one set before the mail leaves, so a kill repeats it. */
  async function claim(): Promise<ClaimedMail[]> {
    const at = now();
    const { rows } = await db.query<ClaimedMail>(
      `update app.mails set attempts = attempts + 1, next_attempt_at = $2
       where id in (
         select id from app.mails where sent_at is null and next_attempt_at <= $1 and expires_at > $1
         order by next_attempt_at, created_at limit ${atOnce} for update skip locked)
       returning id, kind, recipient, detail, attempts`,
      [at, new Date(at.getTime() + leaseMs)],
      'claim_mails',
    );
    return rows;
  }

  async function deliver(claimed: ClaimedMail): Promise<'sent' | 'failed'> {
    try {
      const message = await writers[claimed.kind](claimed);
      if (message === null) {
        await db.query(`delete from app.mails where id = $1`, [claimed.id], 'drop_mail');
        return 'sent';
      }
      await mail.send(message);
    } catch (error) {
      await postpone(claimed, error instanceof Error ? error : new Error(String(error)));
      return 'failed';
    }
    await db.query(
      `update app.mails set sent_at = $2, last_error = null where id = $1`,
      [claimed.id, now()],
      'mark_mail_sent',
    );
    return 'sent';
  }

  async function postpone({ id, kind, attempts }: ClaimedMail, error: Error): Promise<void> {
    const final = error instanceof MailError && error.retry === 'final';
    log.warn(
      { mail: id, kind, attempts, reason: error.message },
      final ? 'a mail was refused' : 'a mail was not sent',
    );
    const waitMs = backOffMs[Math.min(attempts, backOffMs.length) - 1] ?? leaseMs;
    await db.query(
      `update app.mails set last_error = $2, next_attempt_at = case when $3 then expires_at else $4 end where id = $1`,
      [id, error.message.slice(0, errorLengthMax), final, new Date(clock.now() + waitMs)],
      'postpone_mail',
    );
  }

  /** Without the database nothing can be noted; the lease runs out and the mail is taken up again. */
  async function tryToDeliver(claimed: ClaimedMail): Promise<'sent' | 'failed'> {
    try {
      return await deliver(claimed);
    } catch (error) {
      log.warn({ err: error, mail: claimed.id }, 'what became of a mail could not be noted');
      return 'failed';
    }
  }

  async function run(): Promise<void> {
    for (let round = 0; round < roundsMax && !stopped; round += 1) {
      const claimed = await claim();
      const outcomes = await Promise.all(claimed.map(tryToDeliver));
      // With all of them failed the mail server is down: the others need not find that out one by one.
      if (claimed.length < atOnce || outcomes.every((outcome) => outcome === 'failed')) break;
    }
    if (clock.now() - prunedAtMs >= pruneEveryMs) {
      prunedAtMs = clock.now();
      await db.query(`delete from app.mails where expires_at < $1 or sent_at < $1`, [
        new Date(clock.now() - keepMs),
      ]);
      await prune(now());
    }
  }

  async function pass(): Promise<void> {
    while (running !== null) await running;
    if (stopped) return;
    running = run().catch((error: Error) => {
      // Nothing is lost: what was not noted as sent is taken up again.
      if (!stopped) log.warn({ err: error }, 'sending mails failed');
    });
    await running;
    running = null;
  }

  function wake(): void {
    if (wanted) return;
    wanted = true;
    setImmediate(async () => {
      // However many wake it while a pass runs, one more follows.
      while (running !== null) await running;
      wanted = false;
      void pass();
    });
  }

  return {
    wake,
    pass,
    start() {
      timer = setInterval(wake, passEveryMs).unref();
      wake();
    },
    async stop() {
      clearInterval(timer);
      stopped = true;
      mail.close();
      await running;
    },
  };
}
