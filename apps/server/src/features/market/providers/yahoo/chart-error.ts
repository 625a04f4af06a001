/** A failed request for a chart. The message is the specified one (FEED-36, FEED-68 to FEED-70). */
import { PriceError } from '../../price-error.ts';

/**
 * - `refused`: the provider refuses requests (429, 403, a page instead of JSON): all requests stop for a while
 * - `unreachable`: it did not answer, or only with a fault of its own (5xx)
 * - `not-found`: it does not know the ticker, at present
 * - `faulty`: its answer is no price, or the price of another instrument
 */
export type ChartFailure = 'refused' | 'unreachable' | 'not-found' | 'faulty';

export class ChartError extends PriceError {
  readonly failure: ChartFailure;

  constructor(failure: ChartFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.failure = failure;
  }
}
