/** A price or a bar that a provider did not give. The message is for people (FEED-36, FEED-64 to FEED-70). */
import { texts } from '@fulcrum/contract';

export class PriceError extends Error {
  override readonly name = 'PriceError';
}

/** What any failed fetch of a price is reported as, with its cause (FEED-67). */
export const failedToFetch = (symbol: string, cause: unknown): PriceError =>
  new PriceError(texts.fetchPriceOfFailed(symbol), { cause });

/** Nobody has a price of it (FEED-69). */
export const noPriceOf = (symbol: string): PriceError => new PriceError(texts.noPriceData(symbol));
