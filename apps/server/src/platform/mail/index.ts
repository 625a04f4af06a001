/**
 * Outgoing mail: one message to one person, over SMTP or, without `SMTP_URL`, into a file of `DATA_DIR/outbox`. Nothing
 * here repeats or remembers; that is for the queue of whoever sends. Invariants: a message goes to exactly the one
 * address it names, and no part of it can add a header or a recipient; a link is never logged.
 */
import { join } from 'node:path';
import type { Clock } from '../clock/index.ts';
import type { Config } from '../config/index.ts';
import { isMailAddress, type Mailbox } from '../config/mail.ts';
import type { Log } from '../log/index.ts';
import { MailError } from './mail-error.ts';
import { createOutbox } from './outbox.ts';
import { createSmtp } from './smtp.ts';

export { MailError } from './mail-error.ts';

export interface Message {
  /** One bare address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Left out: the text alone. */
  readonly html?: string;
  /** A person wrote it; left out, this server did. */
  readonly writtenBy?: 'person';
  /** One bare address that answers go to; left out, the sender's. */
  readonly replyTo?: string;
}

/** A message ready to be carried: with its sender and the time it was written. */
export interface Letter extends Message {
  readonly from: Mailbox;
  readonly date: Date;
}

export interface Carrier {
  /** Resolves once somebody else answers for the letter. @throws MailError */
  carry(letter: Letter): Promise<void>;
  /** Cuts what is under way. */
  close(): void;
}

export interface Mail {
  /**
   * Resolves when the SMTP server has taken the message, or the file is in the outbox.
   * @throws MailError; `final` when trying again cannot help
   */
  send(message: Message): Promise<void>;
  /** Cuts what is under way: those sends fail. */
  close(): void;
}

export function createMail(deps: {
  readonly config: Pick<Config, 'smtp' | 'mailFrom' | 'dataDir'>;
  readonly log: Log;
  readonly clock: Clock;
}): Mail {
  const { config, log, clock } = deps;
  const carrier: Carrier =
    config.smtp === null ? createOutbox(join(config.dataDir, 'outbox'), log) : createSmtp(config.smtp);
  return {
    async send(message) {
      if (!isMailAddress(message.to)) {
        throw new MailError('the recipient is not an address that a mail can go to', 'final');
      }
      if (message.replyTo !== undefined && !isMailAddress(message.replyTo)) {
        throw new MailError('answers would go to what is no address', 'final');
      }
      if (/\p{Cc}/u.test(message.subject))
        throw new MailError('the subject holds control characters', 'final');
      await carrier.carry({ ...message, from: config.mailFrom, date: new Date(clock.now()) });
    },
    close: () => carrier.close(),
  };
}
