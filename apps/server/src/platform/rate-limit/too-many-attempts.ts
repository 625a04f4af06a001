/** The refusal of every rate limit. */
import { AppError, texts } from '@fulcrum/contract';

export class TooManyAttempts extends AppError {
  /** Whole seconds, at least 1: the answer's `Retry-After`. */
  readonly retryAfterS: number;
  /** `waitS`: seconds until the limit allows the next attempt. */
  constructor(waitS: number) {
    const retryAfterS = Math.max(1, Math.ceil(waitS));
    super('too_many_attempts', texts.tooManyAttempts(retryAfterS));
    this.name = 'TooManyAttempts';
    this.retryAfterS = retryAfterS;
  }
}
