/** The state of the audit log in the URL: filter, page and expanded entry. Invalid parameters are ignored. */
import { isUuid } from '@fulcrum/domain';
import { parseDay } from '../../../shared/time/day-range.ts';
import type { AuditFilter, Cursor } from './audit-entries.ts';

export interface AuditUrlState {
  readonly filter: AuditFilter;
  readonly cursor: Cursor | null;
  /** Id of the expanded entry. */
  readonly openId: number | null;
}

/** A cursor: a time to the microsecond as the API writes it, and the row's id. */
const cursorPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d))~(\d{1,15})$/;

const matchOrNull = (text: string | null, form: RegExp): string | null =>
  text !== null && form.test(text) ? text : null;
const idOrNull = (text: string | null): string | null => (text !== null && isUuid(text) ? text : null);

function parseCursor(params: URLSearchParams): Cursor | null {
  for (const side of ['before', 'after'] as const) {
    const [, at, id] = cursorPattern.exec(params.get(side) ?? '') ?? [];
    if (at !== undefined && id !== undefined) return { side, at, id: Number(id) };
  }
  return null;
}

export function parseUrlState(params: URLSearchParams): AuditUrlState {
  return {
    filter: {
      actor: idOrNull(params.get('actor')),
      subject: idOrNull(params.get('subject')),
      object: idOrNull(params.get('object')),
      request: matchOrNull(params.get('request'), /^[\w-]{1,64}$/),
      action: matchOrNull(params.get('action'), /^[\w.]{1,64}$/),
      from: parseDay(params.get('from')),
      to: parseDay(params.get('to')),
    },
    cursor: parseCursor(params),
    openId: matchOrNull(params.get('row'), /^\d{1,15}$/) === null ? null : Number(params.get('row')),
  };
}

/** Another filter starts at its newest entry. */
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
