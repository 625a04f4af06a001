/**
 * Outgoing mail: one message to one recipient, over SMTP or, without `SMTP_URL`, into a file of `DATA_DIR/outbox`.
 * Invariants: a message goes to exactly the one address it names; no part of it can add a header or a recipient; a link is
 * never logged.
 *
 * Known limitation: this module never retries; the queue of the sender does.
 */
import { join } from 'node:path';
import type { Clock } from '../clock/index.ts';
import type { Config } from '../config/index.ts';
import { isMailAddress } from '../config/mail.ts';
import type { Log } from '../log/index.ts';
import { MailError } from './mail-error.ts';
import { createOutbox } from './outbox.ts';
import { createSmtp } from './smtp.ts';
import type { Mail, MailTransport } from './types.ts';

export type { MailContent } from './types.ts';

export function createMail(deps: {
  readonly config: Pick<Config, 'smtp' | 'mailFrom' | 'dataDir'>;
  readonly log: Log;
  readonly clock: Clock;
}): Mail {
  const { config, log, clock } = deps;
  const transport: MailTransport =
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
      await transport.send({ ...message, from: config.mailFrom, date: new Date(clock.now()) });
    },
    close: () => transport.close(),
  };
}
