/**
 * The queue of mails: rows of `app.mails`, written in the transaction of their event, and the sender that delivers them.
 * Invariants: a committed mail is sent at least once, through restarts and kills, unless it expires; no response waits for
 * a delivery; a pass is bounded, and an unreachable mail server costs a few tries a pass.
 *
 * Known limitation: a mail is sent again when the server dies between its delivery and the record of it.
 */
import { busy } from '@fulcrum/contract';
import { dayMs, hourMs } from '@fulcrum/domain';
import type { Queryable } from '../database/index.ts';
import type { Log } from '../log/index.ts';
import type { Services } from '../services.ts';
import { MailError } from './mail-error.ts';
import type { Mail, MailContent } from './types.ts';

const second = 1000;

/** Mails that staff send to a recipient: they write one, or let the system write it. */
const staffMailKinds = ['contact_reply', 'invitation', 'class_message'] as const;
type StaffMailKind = (typeof staffMailKinds)[number];
/** The kind of a mail; each kind has its writer. */
type MailKind = 'recovery' | 'password_changed' | 'email_changed' | StaffMailKind;

export interface QueuedMail {
  readonly kind: MailKind;
  readonly recipient: string;
  /** Input of the kind's writer. It contains no secret, because it is stored for days. */
  readonly detail: Readonly<Record<string, string>>;
}

/** Maximum of queued mails; beyond it the next recovery receives `busy`. */
export const queuedMailsMax = 10_000;
/** Of them messages to classes: many at once, they leave room for the others and are sent after them. */
const queuedClassMailsMax = 5_000;
/** How long after it happened a notice is still worth sending. */
const noticeLifetimeMs = 2 * dayMs;
/** Notices that one recipient gets in a day; the rest would bury what the first ones tell. */
const noticesOfRecipientMax = 10;
/** Sent and expired mails are stored for the operator. */
const retentionMs = 7 * dayMs;

/**
 * Queues a notice, in the transaction of its event. Beyond a recipient's daily limit it is dropped and logged, because the
 * event must not fail.
 */
export async function enqueueNotice(
  tx: Queryable,
  mail: QueuedMail,
  { at, log }: { readonly at: Date; readonly log: Pick<Log, 'warn'> },
): Promise<void> {
  const { rowCount } = await tx.query(
    `insert into app.mails (kind, recipient, detail, created_at, expires_at, next_attempt_at)
     select $1, $2, $3, $4, $5, $4
     where (select count(*) from app.mails
            where recipient = $2 and created_at > $6 and kind <> all ($7::text[]))
       < ${noticesOfRecipientMax}`,
    [
      mail.kind,
      mail.recipient,
      mail.detail,
      at,
      new Date(at.getTime() + noticeLifetimeMs),
      new Date(at.getTime() - dayMs),
      ['recovery', ...staffMailKinds],
    ],
    'enqueue_mail',
  );
  if (rowCount === 0) {
    const { kind, recipient } = mail;
    log.warn({ kind, recipient }, 'a notice was left out: its recipient had enough of them today');
  }
}

interface StaffMail extends Omit<QueuedMail, 'recipient'> {
  readonly kind: StaffMailKind;
  readonly recipients: readonly string[];
}

/**
 * Queues a mail that staff send, one for each recipient, in the transaction that records it as sent. None is dropped, so no mail is
 * recorded as sent without being queued.
 * @throws AppError `busy` when too many mails wait
 */
export async function enqueueStaffMail(tx: Queryable, mail: StaffMail, at: Date): Promise<void> {
  const { kind, recipients, detail } = mail;
  if (recipients.length === 0) return;
  const { rowCount } = await tx.query(
    `insert into app.mails (kind, recipient, detail, created_at, expires_at, next_attempt_at)
     select $1, recipient, $3, $4, $5, $4 from unnest($2::text[]) as recipient
     where (select count(*) from (select from app.mails where sent_at is null and expires_at > $4 limit $6) w) + $7 <= $6
       and ($1 <> 'class_message' or $7 + (select count(*) from (
         select from app.mails where kind = 'class_message' and sent_at is null and expires_at > $4 limit $8) c) <= $8)`,
    [
      ...[kind, recipients, detail, at, new Date(at.getTime() + noticeLifetimeMs)],
      ...[queuedMailsMax, recipients.length, queuedClassMailsMax],
    ],
    'enqueue_staff_mail',
  );
  if (rowCount === 0) throw busy();
}

/** Writes the message at the moment it is sent; null when there is nothing to tell any more. */
export type MailWriter = (mail: QueuedMail) => Promise<MailContent | null>;

export interface MailSender {
  /** There may be something to send. Returns at once. */
  wake(): void;
  /** Sends what is due and resolves when that is done; never rejects. */
  pass(): Promise<void>;
  start(): void;
  /** Cuts what is being sent; the next start sends it again. */
  stop(): Promise<void>;
}

const batchSize = 5;
const batchesMax = 20;
const sendEveryMs = 10 * second;
const pruneEveryMs = hourMs;
/** No other process takes a mail during this lease, which is longer than a delivery. */
const leaseMs = 120 * second;
/** Waits after the first, second, … failed try; the last one repeats. */
const backOffMs = [10, 30, 60, 120, 300].map((seconds) => seconds * second);
const errorLengthMax = 500;

interface LeasedMail extends QueuedMail {
  readonly id: string;
  /** Tries so far, this one included. */
  readonly attempts: number;
}

export function createMailSender(
  deps: Pick<Services, 'db' | 'clock' | 'log'> & {
    readonly mail: Mail;
    readonly writers: Readonly<Record<MailKind, MailWriter>>;
    /** Deletes old rows that stand behind mails; called now and then. */
    readonly prune: (at: Date) => Promise<void>;
  },
): MailSender {
  const { db, mail, writers, prune, clock, log } = deps;
  let running: Promise<void> | null = null;
  let wakeRequested = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let prunedAtMs = Number.NEGATIVE_INFINITY;
  const now = () => new Date(clock.now());

  /** Takes mails that are due. The try is counted and the next one set before the mail leaves, so a kill repeats it. */
  async function leaseDue(): Promise<LeasedMail[]> {
    const at = now();
    const { rows } = await db.query<LeasedMail>(
      `update app.mails set attempts = attempts + 1, next_attempt_at = $2
       where id in (
         select id from app.mails where sent_at is null and next_attempt_at <= $1 and expires_at > $1
         order by kind = 'class_message', next_attempt_at, created_at limit ${batchSize} for update skip locked)
       returning id, kind, recipient, detail, attempts`,
      [at, new Date(at.getTime() + leaseMs)],
      'claim_mails',
    );
    return rows;
  }

  async function deliver(leased: LeasedMail): Promise<'sent' | 'failed'> {
    try {
      const message = await writers[leased.kind](leased);
      if (message === null) {
        await db.query(`delete from app.mails where id = $1`, [leased.id], 'drop_mail');
        return 'sent';
      }
      await mail.send(message);
    } catch (error) {
      await postpone(leased, error instanceof Error ? error : new Error(String(error)));
      return 'failed';
    }
    await db.query(
      `update app.mails set sent_at = $2, last_error = null where id = $1`,
      [leased.id, now()],
      'mark_mail_sent',
    );
    return 'sent';
  }

  async function postpone({ id, kind, attempts }: LeasedMail, error: Error): Promise<void> {
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
  async function tryToDeliver(leased: LeasedMail): Promise<'sent' | 'failed'> {
    try {
      return await deliver(leased);
    } catch (error) {
      log.warn({ err: error, mail: leased.id }, 'what became of a mail could not be noted');
      return 'failed';
    }
  }

  async function run(): Promise<void> {
    for (let round = 0; round < batchesMax && !stopped; round += 1) {
      const leased = await leaseDue();
      const outcomes = await Promise.all(leased.map(tryToDeliver));
      // With all of them failed the mail server is down: the others need not find that out one by one.
      if (leased.length < batchSize || outcomes.every((outcome) => outcome === 'failed')) break;
    }
    if (clock.now() - prunedAtMs >= pruneEveryMs) {
      prunedAtMs = clock.now();
      await db.query(`delete from app.mails where expires_at < $1 or sent_at < $1`, [
        new Date(clock.now() - retentionMs),
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
    if (wakeRequested) return;
    wakeRequested = true;
    setImmediate(async () => {
      // However many wake it while a pass runs, one more follows.
      while (running !== null) await running;
      wakeRequested = false;
      void pass();
    });
  }

  return {
    wake,
    pass,
    start() {
      timer = setInterval(wake, sendEveryMs).unref();
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
