/** Why a mail was not taken. Its message is for the log and the queue: it holds no part of the mail. */
export class MailError extends Error {
  /** `final`: this mail will never be taken; `later`: another try may succeed. */
  readonly retry: 'later' | 'final';
  constructor(message: string, retry: 'later' | 'final', options?: ErrorOptions) {
    super(message, options);
    this.name = 'MailError';
    this.retry = retry;
  }
}
