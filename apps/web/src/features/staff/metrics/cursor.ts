/**
 * Where a page of transactions begins: after or before a row, or at the very end, so that the last of twenty thousand pages costs
 * as much as the first. It stands in the URL with the number of the page; what cannot be read there is the first page.
 */
import { isUuid } from '@fulcrum/domain';

export type Cursor =
  | { readonly kind: 'newest' }
  | { readonly kind: 'oldest' }
  | { readonly kind: 'older' | 'newer'; readonly at: string; readonly id: string };
export interface Place {
  /** From 1. */
  readonly page: number;
  readonly cursor: Cursor;
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]{8,15}(Z|[+-]\d\d:\d\d)$/;
const first: Place = { page: 1, cursor: { kind: 'newest' } };

export function readPlace(search: URLSearchParams): Place {
  const page = Number(search.get('page'));
  if (!Number.isSafeInteger(page) || page < 2) return first;
  const [kind = '', at = '', id = ''] = search.get('from')?.split('~') ?? [];
  if (kind === 'oldest') return { page, cursor: { kind } };
  if ((kind !== 'older' && kind !== 'newer') || !instant.test(at) || !isUuid(id)) return first;
  return { page, cursor: { kind, at, id } };
}

/** The range stays. */
export function writePlace(before: URLSearchParams, { page, cursor }: Place): URLSearchParams {
  const search = new URLSearchParams(before);
  search.delete('page');
  search.delete('from');
  if (page < 2 || cursor.kind === 'newest') return search;
  search.set('page', String(page));
  search.set('from', cursor.kind === 'oldest' ? cursor.kind : `${cursor.kind}~${cursor.at}~${cursor.id}`);
  return search;
}
