/** The state of the audit log in the URL: filter, page and expanded entry. */
import { parseDay } from '../../../shared/time/day-range.ts';
import {
  defineUrlState,
  optionalField,
  type UrlField,
  useUrlState,
  uuidField,
} from '../../../shared/url-state/index.ts';
import type { AuditFilter, Cursor } from './audit-entries.ts';

/** A cursor: a time to the microsecond as the API writes it, and the row's id. */
const cursorPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d))~(\d{1,15})$/;

const matchField = (pattern: RegExp) => optionalField((text) => (pattern.test(text) ? text : null));

const cursorField = (side: Cursor['side']): UrlField<Cursor | null> => ({
  parse: (text) => {
    const [, at, id] = cursorPattern.exec(text ?? '') ?? [];
    return at === undefined || id === undefined ? null : { side, at, id: Number(id) };
  },
  format: (cursor) => (cursor === null ? null : `${cursor.at}~${cursor.id}`),
});

export const auditUrlState = defineUrlState({
  actor: uuidField(),
  subject: uuidField(),
  object: uuidField(),
  request: matchField(/^[\w-]{1,64}$/),
  action: matchField(/^[\w.]{1,64}$/),
  from: optionalField(parseDay),
  to: optionalField(parseDay),
  before: cursorField('before'),
  after: cursorField('after'),
  row: optionalField((text) => (/^\d{1,15}$/.test(text) ? Number(text) : null)),
});

const newest = { before: null, after: null, row: null } as const;
/** Another filter starts at its newest entry. */
export const withFilter = (change: Partial<AuditFilter>) => ({ ...newest, ...change });

/** The query string of one filter alone. */
export const toFilterSearch = (only: Partial<AuditFilter>): string =>
  `?${auditUrlState.write(new URLSearchParams(), only)}`;

export function useAuditUrlState() {
  const [{ before, after, row, ...filter }, change] = useUrlState(auditUrlState);
  return {
    filter: filter satisfies AuditFilter,
    cursor: before ?? after,
    /** Id of the expanded entry. */
    openId: row,
    // A date is typed digit by digit, and each digit changes the filter.
    changeFilter: (next: Partial<AuditFilter>) =>
      change(withFilter(next), { step: 'from' in next || 'to' in next ? 'same' : 'new' }),
    clear: () => change({}, { step: 'new', removes: () => true }),
    goToPage: (cursor: Cursor | null) =>
      change({ ...newest, ...(cursor && { [cursor.side]: cursor }) }, { step: 'new' }),
    expand: (id: number | null) => change({ row: id }),
  } as const;
}

export const isFiltered = (filter: AuditFilter): boolean =>
  Object.values(filter).some((value) => value !== null);
