/**
 * Answers of `/rest/v1` as values or errors. A refusal carries the user's text from the server; a request that never got
 * an answer of ours does not, and the screen's own text stands instead.
 */
export class RequestError extends Error {
  /** The contract's error code, or '' when no answer of ours arrived. */
  readonly code: string;
  /** HTTP status; 0 when the server did not answer. */
  readonly status: number;
  constructor(message: string, code: string, status: number) {
    super(message);
    this.name = 'RequestError';
    this.code = code;
    this.status = status;
  }
  /** Worth trying again unchanged. */
  get transient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502;
  }
}

interface Answer<Row> {
  readonly data: Row | null;
  /** Without a code when a proxy answered in the server's place: its page is the message then. */
  readonly error: { readonly message: string; readonly code?: string | undefined } | null;
  readonly status: number;
}

/** Awaits a postgrest-js request and throws its failure as a `RequestError`. `null` is a row that is not there. */
export async function answerOf<Row>(request: PromiseLike<Answer<Row>>): Promise<Row | null> {
  const { data: row, error, status } = await request;
  if (error) throw new RequestError(error.message, error.code ?? '', status);
  return row;
}

/** The same for requests that always have an answer: a list, a procedure. */
export async function rowsOf<Row>(request: PromiseLike<Answer<Row>>): Promise<Row> {
  const rows = await answerOf(request);
  if (rows === null) throw new RequestError('Invalid response format', '', 0);
  return rows;
}

/** A fault of the server: its text says no more than the screen's own. */
const faultStatus = 500;

/** The text for the user: the server's when it refused or is busy, else `fallback` (TRADE-45, ERR-72). */
export function messageOf(error: unknown, fallback: string): string {
  const isAnswer = error instanceof RequestError && error.code !== '' && error.status !== faultStatus;
  return isAnswer ? error.message : fallback;
}
