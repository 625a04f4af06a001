/** What the address says of the audit log: the filter, the page and the act that is unfolded. Anything else is left out. */
import { isUuid } from '@fulcrum/domain';
import { dayOrNull } from '../../../shared/time/day-range.ts';
import type { AuditFilter, Cursor } from './acts.ts';

export interface AuditAddress {
  readonly filter: AuditFilter;
  readonly cursor: Cursor | null;
  /** Id of the act that is unfolded. */
  readonly openId: number | null;
}

/** Of the wire: an instant, to the microsecond, and the row's id. */
const place = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d))~(\d{1,15})$/;

const matching = (text: string | null, form: RegExp): string | null =>
  text !== null && form.test(text) ? text : null;
const idOrNull = (text: string | null): string | null => (text !== null && isUuid(text) ? text : null);

function cursorOf(params: URLSearchParams): Cursor | null {
  for (const side of ['before', 'after'] as const) {
    const [, at, id] = place.exec(params.get(side) ?? '') ?? [];
    if (at !== undefined && id !== undefined) return { side, at, id: Number(id) };
  }
  return null;
}

export function readAddress(params: URLSearchParams): AuditAddress {
  return {
    filter: {
      actor: idOrNull(params.get('actor')),
      subject: idOrNull(params.get('subject')),
      object: idOrNull(params.get('object')),
      request: matching(params.get('request'), /^[\w-]{1,64}$/),
      action: matching(params.get('action'), /^[\w.]{1,64}$/),
      from: dayOrNull(params.get('from')),
      to: dayOrNull(params.get('to')),
    },
    cursor: cursorOf(params),
    openId: matching(params.get('row'), /^\d{1,15}$/) === null ? null : Number(params.get('row')),
  };
}

/** Another filter begins at its newest act again. */
export function withFilter(params: URLSearchParams, change: Partial<AuditFilter>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of ['before', 'after', 'row']) next.delete(name);
  for (const [name, value] of Object.entries(change)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}

export function withCursor(params: URLSearchParams, cursor: Cursor | null): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of ['before', 'after', 'row']) next.delete(name);
  if (cursor) next.set(cursor.side, `${cursor.at}~${cursor.id}`);
  return next;
}

export function withOpen(params: URLSearchParams, id: number | null): URLSearchParams {
  const next = new URLSearchParams(params);
  if (id === null) next.delete('row');
  else next.set('row', String(id));
  return next;
}

export const isFiltered = (filter: AuditFilter): boolean =>
  Object.values(filter).some((value) => value !== null);
