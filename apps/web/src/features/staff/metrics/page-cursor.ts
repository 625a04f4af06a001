/**
 * The start of a transactions page: after or before a row, or at the end, so that a deep page costs as much as the first. The
 * URL stores it with the page number. An invalid cursor is the first page.
 */
import { isUuid } from '@fulcrum/domain';

export type Cursor =
  | { readonly kind: 'newest' }
  | { readonly kind: 'oldest' }
  | { readonly kind: 'older' | 'newer'; readonly at: string; readonly id: string };
export interface PageCursor {
  /** From 1. */
  readonly page: number;
  readonly cursor: Cursor;
}

const instantPattern = /^\d{4}-\d\d-\d\dT[\d:.]{8,15}(Z|[+-]\d\d:\d\d)$/;
const firstPage: PageCursor = { page: 1, cursor: { kind: 'newest' } };

export function parsePageCursor(search: URLSearchParams): PageCursor {
  const page = Number(search.get('page'));
  if (!Number.isSafeInteger(page) || page < 2) return firstPage;
  const [kind = '', at = '', id = ''] = search.get('from')?.split('~') ?? [];
  if (kind === 'oldest') return { page, cursor: { kind } };
  if ((kind !== 'older' && kind !== 'newer') || !instantPattern.test(at) || !isUuid(id)) return firstPage;
  return { page, cursor: { kind, at, id } };
}

/** Writes the cursor into the URL and keeps the range. */
export function writePageCursor(before: URLSearchParams, { page, cursor }: PageCursor): URLSearchParams {
  const search = new URLSearchParams(before);
  search.delete('page');
  search.delete('from');
  if (page < 2 || cursor.kind === 'newest') return search;
  search.set('page', String(page));
  search.set('from', cursor.kind === 'oldest' ? cursor.kind : `${cursor.kind}~${cursor.at}~${cursor.id}`);
  return search;
}
