/** The latest rows of a table. Rows of one batch have the same time; the id orders them. */
const descending = { ascending: false } as const;

/** The methods of a postgrest-js request that `latestOf` needs. */
interface Listing<Self> {
  order(column: string, options: { readonly ascending: boolean }): Self;
  limit(count: number): Self;
  abortSignal(signal: AbortSignal): Self;
}

/** The latest `most` rows of the request by a time, the latest first. */
export const latestOf = <Request extends Listing<Request>>(
  request: Request,
  column: string,
  most: number,
  signal: AbortSignal,
): Request => request.order(column, descending).order('id', descending).limit(most).abortSignal(signal);
