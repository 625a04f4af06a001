/** A price or a bar that a provider did not give. The message is for people (FEED-36, FEED-64 to FEED-70). */
import { texts } from '@fulcrum/contract';

export class PriceError extends Error {
  override readonly name = 'PriceError';
}

/** A chain of causes is no longer than what made it; this is for one that is a circle. */
const causesMax = 8;
const lineMax = 240;

function* chainOf(error: unknown): Generator<unknown> {
  let cause = error;
  for (let length = 0; cause !== undefined && cause !== null && length < causesMax; length += 1) {
    yield cause;
    cause = cause instanceof Error ? cause.cause : null;
  }
}

/** What people are told of a failure: the texts of its chain that are made for them, each once. Never who was asked. */
export function toldTexts(error: unknown): string[] {
  const messages = [...chainOf(error)].flatMap((cause) => (cause instanceof PriceError ? cause.message : []));
  return [...new Set(messages)];
}

/**
 * What operators are told of a failure, in one line: its message, and in brackets what is behind it, such as
 * 'HTTP error! status: 400 (-1121: Invalid symbol.)'.
 */
export function oneLine(error: unknown): string {
  const messages = [...chainOf(error)].map((cause) =>
    cause instanceof Error ? cause.message : String(cause),
  );
  const [message = '', behind] = new Set(messages);
  const line = behind === undefined ? message : `${message} (${behind})`;
  return line.replace(/\s+/g, ' ').slice(0, lineMax);
}

/** What any failed fetch of a price is reported as, with its cause (FEED-67). */
export const failedToFetch = (symbol: string, cause: unknown): PriceError =>
  new PriceError(texts.fetchPriceOfFailed(symbol), { cause });

/** Nobody has a price of it (FEED-69). */
export const noPriceOf = (symbol: string): PriceError => new PriceError(texts.noPriceData(symbol));
