/**
 * `postgres_changes` subscriptions: the accepted requests, which changes match, and which of them the table's select policy
 * admits. Invariant: a row reaches a caller only if `/rest/v1` would let the same caller select it, with the same columns.
 *
 * Known limitations: filters are one `column=eq.value`; a DELETE carries only the old row's key columns.
 */
import { createHash } from 'node:crypto';
import {
  AppError,
  type Caller,
  type Column,
  isImpersonating,
  isOwnerOf,
  type RowChange,
  type Table,
  tableByName,
} from '@fulcrum/contract';
import { z } from 'zod';

/** One entry of `config.postgres_changes` in a join. */
export const subscriptionRequest = z.object({
  event: z.enum(['*', 'INSERT', 'UPDATE', 'DELETE']),
  schema: z.literal('public'),
  table: z.string().max(63),
  filter: z.string().max(200).nullish(),
  select: z.array(z.string()).nullish(),
});
type SubscriptionRequest = z.infer<typeof subscriptionRequest>;

export interface Subscription {
  /** Equal for equal subscriptions of any callers: one encoded frame then serves all of them. */
  readonly id: number;
  readonly request: SubscriptionRequest;
  readonly table: Table;
  readonly condition: Condition | null;
}

interface Condition {
  readonly column: string;
  readonly value: string | number | boolean;
}

const filterForm = /^(?<column>[a-z_0-9]+)=eq\.(?<value>[^,()"]+)$/;
const numberForm = /^-?\d+(\.\d+)?$/;

/** The columns of `table` that `caller` may read; empty when it may read none. */
function readableColumns(table: Table, caller: Caller): readonly string[] {
  const select = table.access[caller.role]?.select;
  if (!select) return [];
  return select.columns === '*' ? Object.keys(table.columns) : select.columns;
}

/** The filter's value as the wire form of a row has it; null when no row could ever equal it. */
function wireValue(column: Column, text: string): string | number | boolean | null {
  switch (column.type) {
    case 'numeric':
    case 'int4':
    case 'int8':
      return numberForm.test(text) ? Number(text) : null;
    case 'bool':
      return text === 'true' ? true : text === 'false' ? false : null;
    case 'uuid':
      return z.uuid().safeParse(text).success ? text.toLowerCase() : null;
    case 'text':
      return text;
    case 'date':
    case 'timestamptz':
    case 'text[]':
    case 'jsonb':
      return null;
  }
}

function parseCondition(filter: string, table: Table, readable: readonly string[]): Condition {
  const parts = filterForm.exec(filter)?.groups;
  const name = parts?.column ?? '';
  const column = readable.includes(name) ? table.columns[name] : undefined;
  const value = column && wireValue(column, parts?.value ?? '');
  if (value == null) {
    throw new AppError('invalid_argument', `The filter ${filter} is not offered: use column=eq.value.`);
  }
  return { column: name, value };
}

function idOf({ event, schema, table, filter }: SubscriptionRequest): number {
  const question = JSON.stringify([event, schema, table, filter ?? '']);
  return createHash('sha256').update(question).digest().readUIntBE(0, 6);
}

/** Returns the subscription for `request`; throws `AppError` when `caller` may not have it. */
export function subscribe(request: SubscriptionRequest, caller: Caller): Subscription {
  const table = tableByName.get(request.table);
  const readable = table?.realtime ? readableColumns(table, caller) : [];
  // An undeclared table and one that the caller may not read give the same error.
  const isClosed =
    table?.access[caller.role]?.readsWhileImpersonating === 'refused' &&
    caller.role !== 'anon' &&
    isImpersonating(caller);
  if (!table || readable.length === 0 || isClosed) {
    throw new AppError('not_allowed', `Changes of ${request.table} are not offered.`);
  }
  if (request.select?.length) {
    throw new AppError('invalid_argument', 'A choice of columns is not offered: leave select out.');
  }
  const condition = request.filter ? parseCondition(request.filter, table, readable) : null;
  return { id: idOf(request), request, table, condition };
}

/** Whether `change` matches `subscription`. The caller's permission is a separate check. */
export function matchesSubscription(subscription: Subscription, change: RowChange): boolean {
  const { request, table, condition } = subscription;
  if (table.name !== change.table) return false;
  if (request.event !== '*' && request.event !== change.type) return false;
  if (!condition) return true;
  const row = change.record ?? change.oldRecord ?? {};
  const value = condition.column === table.owner ? change.userId : row[condition.column];
  return value === condition.value;
}

/**
 * Whether the select policy admits `change` for `caller`; `'ask'` when it depends on an assignment. Only the scope `all`
 * admits rows without an owner.
 */
export function admitsChange(table: Table, caller: Caller, change: RowChange): boolean | 'ask' {
  const select = table.access[caller.role]?.select;
  if (!select) return false;
  if (select.rows === 'all') return !change.isOfOtherAccount;
  if (caller.role === 'anon' || change.userId === null) return false;
  const isOwn = isOwnerOf(table, caller, change.userId);
  if (select.rows === 'own') return isOwn;
  if (select.rows === 'own+attended') throw new Error(`changes of ${table.name} are not announced`);
  if (select.rows === 'own+assigned' && isOwn) return true;
  return 'ask';
}

function readable(row: RowChange['record'], columns: readonly string[]): RowChange['record'] {
  return row && Object.fromEntries(Object.entries(row).filter(([name]) => columns.includes(name)));
}

/** The payload of a `postgres_changes` frame, as realtime-js reads it. */
export function changePayload(
  change: RowChange,
  subscriptions: readonly [Subscription, ...Subscription[]],
  caller: Caller,
) {
  const { table } = subscriptions[0];
  const columns = readableColumns(table, caller);
  return {
    ids: subscriptions.map((subscription) => subscription.id),
    data: {
      schema: 'public',
      table: change.table,
      type: change.type,
      commit_timestamp: change.committedAt,
      columns: columns.map((name) => ({ name, type: table.columns[name]?.type })),
      ...(change.type !== 'DELETE' && { record: readable(change.record, columns) }),
      ...(change.type !== 'INSERT' && { old_record: readable(change.oldRecord, columns) }),
      errors: null,
    },
  };
}
