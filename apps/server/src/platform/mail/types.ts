/** A mail, and the way it leaves the server. */
import type { Mailbox } from '../config/mail.ts';

export interface MailContent {
  /** One bare address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Without it the mail has the text alone. */
  readonly html?: string;
  /** A user wrote it; by default this server did. */
  readonly writtenBy?: 'user';
  /** One bare reply address; by default the sender's. */
  readonly replyTo?: string;
}

/** A message ready to send: with its sender and its time. */
export interface MailMessage extends MailContent {
  readonly from: Mailbox;
  readonly date: Date;
}

export interface MailTransport {
  /** Resolves once the next server or the disk is responsible for the mail. @throws MailError */
  send(mail: MailMessage): Promise<void>;
  /** Aborts running sends. */
  close(): void;
}

export interface Mail {
  /**
   * Resolves when the SMTP server has accepted the message, or the file is in the outbox.
   * @throws MailError; `final` when a retry cannot help
   */
  send(message: MailContent): Promise<void>;
  /** Aborts running sends: they fail. */
  close(): void;
}
