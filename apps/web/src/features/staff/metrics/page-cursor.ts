/**
 * The start of a transactions page: after or before a row, or at the end, so that a deep page costs as much as the first. The
 * URL stores it with the page number. An invalid cursor is the first page.
 */
import { isUuid } from '@fulcrum/domain';
import { defineUrlState, pageField } from '../../../shared/url-state/index.ts';

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

export const pageCursorUrlState = defineUrlState<PageCursor>({
  page: pageField(Number.MAX_SAFE_INTEGER),
  cursor: {
    parameter: 'from',
    parse: (text) => {
      const [kind = '', at = '', id = ''] = text?.split('~') ?? [];
      if (kind === 'oldest') return { kind };
      const isRow = (kind === 'older' || kind === 'newer') && instantPattern.test(at) && isUuid(id);
      return isRow ? { kind, at, id } : { kind: 'newest' };
    },
    format: (cursor) => {
      if (cursor.kind === 'newest') return null;
      return cursor.kind === 'oldest' ? cursor.kind : `${cursor.kind}~${cursor.at}~${cursor.id}`;
    },
  },
});

/** Page and cursor of a URL written by hand may contradict each other; they are then the first page. */
export const toValidPageCursor = (pageCursor: PageCursor): PageCursor =>
  pageCursor.page === 1 || pageCursor.cursor.kind === 'newest' ? pageCursorUrlState.initial : pageCursor;
