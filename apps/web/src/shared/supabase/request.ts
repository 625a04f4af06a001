/**
 * Converts answers of `/rest/v1` to values or errors. A refusal contains the server's text for the user; a request without an
 * answer of this server does not, and the screen's own text is shown.
 */
export class RequestError extends Error {
  /** The contract's error code, or '' when no answer of this server arrived. */
  readonly code: string;
  /** HTTP status; 0 when the server did not answer. */
  readonly status: number;
  constructor(message: string, code: string, status: number) {
    super(message);
    this.name = 'RequestError';
    this.code = code;
    this.status = status;
  }
  /** Whether an unchanged repeat may succeed. */
  get transient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502;
  }
}

interface RestResponse<Row> {
  readonly data: Row | null;
  /** Without a code when a proxy answered in the server's place; the message is then the proxy's page. */
  readonly error: { readonly message: string; readonly code?: string | undefined } | null;
  readonly status: number;
}

/** Awaits a postgrest-js request and throws its failure as a `RequestError`. A missing row is `null`. */
export async function unwrapOrNull<Row>(request: PromiseLike<RestResponse<Row>>): Promise<Row | null> {
  const { data: row, error, status } = await request;
  if (error) throw new RequestError(error.message, error.code ?? '', status);
  return row;
}

/** The same for requests that always return a value: a list, a procedure. */
export async function unwrap<Row>(request: PromiseLike<RestResponse<Row>>): Promise<Row> {
  const rows = await unwrapOrNull(request);
  if (rows === null) throw new RequestError('Invalid response format', '', 0);
  return rows;
}

/** From this status on the server failed; its text adds nothing to the screen's own. */
const serverErrorStatus = 500;

/** The text for the user: the server's text when it refused or is busy, else `fallback` (TRADE-45, ERR-72). */
export function getErrorMessage(error: unknown, fallback: string): string {
  const isAnswer = error instanceof RequestError && error.code !== '' && error.status !== serverErrorStatus;
  return isAnswer ? error.message : fallback;
}
