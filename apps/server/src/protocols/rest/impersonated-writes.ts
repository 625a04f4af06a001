/**
 * Writes during impersonation (A45). Default deny: a write that the contract does not allow is refused before any work. A
 * plain row write has its line in the audit log, with both users, in the same transaction; features record their commands.
 * Reads follow the role and id of the impersonated user.
 */
import { AppError, type Caller, isImpersonating, type SignedIn, type Table, texts } from '@fulcrum/contract';
import {
  actorOf,
  createPseudonymizer,
  type Pseudonymize,
  recordAuditEntry,
} from '../../features/audit/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { declared } from './policy.ts';
import type { Outcome, RowWrite, WireRow } from './query.ts';
import { lockRowsStatement, rowKeyOf } from './sql.ts';

export const isImpersonatingCaller = (caller: Caller): caller is SignedIn =>
  caller.role !== 'anon' && isImpersonating(caller);

/** @throws AppError not_allowed when the caller impersonates and the write is not marked as allowed. */
export function refuseWriteWhileImpersonating(
  caller: Caller,
  whileImpersonating: 'allowed' | undefined,
): void {
  if (whileImpersonating !== 'allowed' && isImpersonatingCaller(caller)) {
    throw new AppError('not_allowed', texts.notWhileImpersonating);
  }
}

type RowsByKey = ReadonlyMap<unknown, WireRow>;

const byKey = (table: Table, rows: readonly WireRow[]): RowsByKey =>
  new Map(rows.map((row) => [row[rowKeyOf(table)], row]));

/** Returns the rows before the write, locked until the transaction ends. */
export async function rowsBefore(tx: Queryable, query: RowWrite, caller: SignedIn): Promise<RowsByKey> {
  const statement = lockRowsStatement(query, caller);
  if (statement === null) return new Map();
  const { rows } = await tx.query<Pick<Outcome, 'changed'>>(statement.text, statement.values);
  return byKey(query.table, rows[0]?.changed ?? []);
}

/** Personal texts stay out of the log, which outlives them; a pseudonym shows whether two texts are equal. */
function toAuditedValue(table: Table, column: string, row: WireRow, pseudonymize: Pseudonymize): unknown {
  const value = row[column] ?? null;
  const { type } = declared(table, column);
  if (type === 'text' && typeof value === 'string') return pseudonymize(value);
  if (type === 'text[]' && Array.isArray(value)) {
    return value.length === 0 ? null : pseudonymize(value.join(', '));
  }
  return value;
}

/** The columns that a client may set; the row's id is stored beside the action. */
function writtenColumns(table: Table, { role }: SignedIn): readonly string[] {
  const { insert, update } = table.access[role] ?? {};
  const named = new Set([...(insert?.columns ?? []), ...(update?.columns ?? [])]);
  return [...named].filter((name) => name !== rowKeyOf(table));
}

interface RecordedWrite {
  readonly query: RowWrite;
  readonly before: RowsByKey;
  /** The rows after the write, or before a delete. */
  readonly rows: readonly WireRow[];
  readonly at: Date;
}

/** Records one line per row: `{table}.insert`, `.update` or `.delete`, and the changes of an update. */
export async function recordWrites(
  tx: Queryable,
  caller: SignedIn,
  { query, before, rows, at }: RecordedWrite,
): Promise<void> {
  const { table, kind } = query;
  const columns = writtenColumns(table, caller);
  const pseudonymize = await createPseudonymizer(tx, caller.userId);
  const toAuditedRow = (row: WireRow, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, toAuditedValue(table, name, row, pseudonymize)]));
  for (const [key, row] of byKey(table, rows)) {
    const was = before.get(key);
    const changed = was
      ? columns.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(row[name]))
      : columns;
    await recordAuditEntry(tx, {
      at,
      ...actorOf(caller),
      subjectId: caller.userId,
      // An upsert that found its row is an update.
      action: `${table.name}.${was ? 'update' : kind}`,
      objectId: String(key),
      detail:
        kind === 'delete'
          ? { before: toAuditedRow(row, columns) }
          : { ...(was && { before: toAuditedRow(was, changed) }), after: toAuditedRow(row, changed) },
    });
  }
}
