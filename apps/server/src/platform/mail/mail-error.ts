/** Why a mail was refused. The message goes to the log and the queue: it contains no part of the mail. */
export class MailError extends Error {
  /** `final`: this mail is never accepted; `later`: a retry may succeed. */
  readonly retry: 'later' | 'final';
  constructor(message: string, retry: 'later' | 'final', options?: ErrorOptions) {
    super(message, options);
    this.name = 'MailError';
    this.retry = retry;
  }
}
