/** Keyset pagination: a page starts after a row's time and id, so that a deep page costs as much as the first. */
import { RequestError } from './request.ts';

/** The row after which a page starts. */
export interface RowCursor {
  readonly at: string;
  readonly id: string | number;
}

/** The methods of a postgrest-js request that `seekRows` needs. */
interface Conditions<Self> {
  gte(column: string, value: string): Self;
  lte(column: string, value: string): Self;
  or(conditions: string): Self;
}

/** Limits the request to rows newer or older than the cursor, by `column` and then by id. */
export function seekRows<Request extends Conditions<Request>>(
  request: Request,
  column: string,
  direction: 'newer' | 'older',
  { at, id }: RowCursor,
): Request {
  const by = direction === 'newer' ? 'gt' : 'lt';
  // Also bounded by the time alone, so that an index can seek to the page.
  const bounded = direction === 'newer' ? request.gte(column, at) : request.lte(column, at);
  return bounded.or(`${column}.${by}."${at}",and(${column}.eq."${at}",id.${by}.${id})`);
}

interface CountResponse {
  readonly count: number | null;
  readonly error: { readonly message: string; readonly code?: string | undefined } | null;
  readonly status: number;
}

/** Counts the rows of a request made with `count` and `head`. @throws RequestError */
export async function fetchCount(request: PromiseLike<CountResponse>): Promise<number> {
  const { count, error, status } = await request;
  if (error || count === null)
    throw new RequestError(error?.message ?? 'no count', error?.code ?? '', status);
  return count;
}
