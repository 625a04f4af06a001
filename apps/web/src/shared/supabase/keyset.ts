/**
 * Pages that begin where another one ended, by a time and an id, and are never counted off from the start: the millionth row
 * costs what the first one does.
 */
import { RequestError } from './request.ts';

/** The row that a page begins after. */
export interface RowPlace {
  readonly at: string;
  readonly id: string | number;
}

/** What `beyond` needs of a postgrest-js request. */
interface Conditions<Self> {
  gte(column: string, value: string): Self;
  lte(column: string, value: string): Self;
  or(conditions: string): Self;
}

/** The rows that are newer or older than that row, by `column` and then by id. */
export function beyond<Request extends Conditions<Request>>(
  request: Request,
  column: string,
  way: 'newer' | 'older',
  { at, id }: RowPlace,
): Request {
  const by = way === 'newer' ? 'gt' : 'lt';
  // Also by the time alone: an index finds the page by it, and does not walk to it.
  const bounded = way === 'newer' ? request.gte(column, at) : request.lte(column, at);
  return bounded.or(`${column}.${by}."${at}",and(${column}.eq."${at}",id.${by}.${id})`);
}

interface Counted {
  readonly count: number | null;
  readonly error: { readonly message: string; readonly code?: string | undefined } | null;
  readonly status: number;
}

/** How many rows a request with `count` and `head` stands for. @throws RequestError */
export async function countOf(request: PromiseLike<Counted>): Promise<number> {
  const { count, error, status } = await request;
  if (error || count === null)
    throw new RequestError(error?.message ?? 'no count', error?.code ?? '', status);
  return count;
}
