/** A price or a bar that a provider did not deliver. The message is for users (FEED-36, FEED-64 to FEED-70). */
import { texts } from '@fulcrum/contract';

export class PriceError extends Error {
  override readonly name = 'PriceError';
}

/** A chain of causes is no longer than what made it; this is for one that is a circle. */
const causesMax = 8;
const lineMax = 240;

function* causesOf(error: unknown): Generator<unknown> {
  let cause = error;
  for (let length = 0; cause !== undefined && cause !== null && length < causesMax; length += 1) {
    yield cause;
    cause = cause instanceof Error ? cause.cause : null;
  }
}

/** The text for users of a failure: the user texts of its chain, each once. Never the address that was requested. */
export function userMessages(error: unknown): string[] {
  const messages = [...causesOf(error)].flatMap((cause) =>
    cause instanceof PriceError ? cause.message : [],
  );
  return [...new Set(messages)];
}

/**
 * The text for operators of a failure, in one line: its message, and its causes in brackets, such as
 * 'HTTP error! status: 400 (-1121: Invalid symbol.)'.
 */
export function toLogLine(error: unknown): string {
  const messages = [...causesOf(error)].map((cause) =>
    cause instanceof Error ? cause.message : String(cause),
  );
  const [message = '', behind] = new Set(messages);
  const line = behind === undefined ? message : `${message} (${behind})`;
  return line.replace(/\s+/g, ' ').slice(0, lineMax);
}

/** What any failed fetch of a price is reported as, with its cause (FEED-67). */
export const fetchFailedError = (symbol: string, cause: unknown): PriceError =>
  new PriceError(texts.fetchPriceOfFailed(symbol), { cause });

/** No provider has a price of it (FEED-69). */
export const noPriceError = (symbol: string): PriceError => new PriceError(texts.noPriceData(symbol));
