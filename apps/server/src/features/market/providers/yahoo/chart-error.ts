/** What came of a request for a chart when it was not a chart. The message is the stated one (FEED-36, FEED-68 to FEED-70). */
import { PriceError } from '../../price-error.ts';

/**
 * - `refused`: the provider does not want to be asked (429, 403, a page instead of JSON): all requests stop for a while
 * - `unreachable`: it did not answer, or only with a fault of its own (5xx)
 * - `not-found`: it knows no such ticker, at present
 * - `faulty`: it answered something that is no price, or the price of something else
 */
export type ChartFailure = 'refused' | 'unreachable' | 'not-found' | 'faulty';

export class ChartError extends PriceError {
  readonly failure: ChartFailure;

  constructor(failure: ChartFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.failure = failure;
  }
}
