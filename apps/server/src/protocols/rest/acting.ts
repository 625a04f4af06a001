/**
 * Writing while a caller acts as somebody else (A45). Default deny: what the contract does not mark as allowed is refused
 * before anything is done. A plain row that is written so has its line in the audit log, with both names, in the same
 * transaction; what a command does is recorded by the feature behind it. Reading follows the role and id of the person who is
 * being viewed.
 */
import { AppError, type Caller, isActing, type SignedIn, type Table, texts } from '@fulcrum/contract';
import { actorOf, markOf, recordAct } from '../../features/accounts/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import type { WireRow } from './command-answers.ts';
import { declared } from './policy.ts';
import type { RowWrite } from './query.ts';
import { foundStatement, type Outcome, rowKeyOf } from './sql.ts';

export const actsForAnother = (caller: Caller): caller is SignedIn =>
  caller.role !== 'anon' && isActing(caller);

/** @throws AppError not_allowed unless the caller acts for itself, or this is allowed to one who does not. */
export function requireOwnHand(caller: Caller, whileActing: 'allowed' | undefined): void {
  if (whileActing !== 'allowed' && actsForAnother(caller)) {
    throw new AppError('not_allowed', texts.notWhileActing);
  }
}

type Rows = ReadonlyMap<unknown, WireRow>;

const byKey = (table: Table, rows: readonly WireRow[]): Rows =>
  new Map(rows.map((row) => [row[rowKeyOf(table)], row]));

/** The rows that a write is about to change, as they stand, locked until the transaction ends. */
export async function rowsBefore(tx: Queryable, query: RowWrite, caller: SignedIn): Promise<Rows> {
  const statement = foundStatement(query, caller);
  if (statement === null) return new Map();
  const { rows } = await tx.query<Pick<Outcome, 'changed'>>(statement.text, statement.values);
  return byKey(query.table, rows[0]?.changed ?? []);
}

/** Somebody's own words stay out of a log that outlives them; a mark tells whether a text is the one that stood there. */
function toldOf(table: Table, column: string, row: WireRow, subjectId: string): unknown {
  const value = row[column] ?? null;
  const { type } = declared(table, column);
  if (type === 'text' && typeof value === 'string') return markOf(subjectId, value);
  if (type === 'text[]' && Array.isArray(value)) {
    return value.length === 0 ? null : markOf(subjectId, value.join(', '));
  }
  return value;
}

/** What a client may say about a row; which row it is stands beside the act. */
function writtenColumns(table: Table, { role }: SignedIn): readonly string[] {
  const { insert, update } = table.access[role] ?? {};
  const named = new Set([...(insert?.columns ?? []), ...(update?.columns ?? [])]);
  return [...named].filter((name) => name !== rowKeyOf(table));
}

interface Written {
  readonly query: RowWrite;
  readonly before: Rows;
  /** As the write left them, or found them before it deleted them. */
  readonly rows: readonly WireRow[];
  readonly at: Date;
}

/** One line for each row: `{table}.insert`, `.update` or `.delete`, and of an update what it changed. */
export async function recordWrites(
  tx: Queryable,
  caller: SignedIn,
  { query, before, rows, at }: Written,
): Promise<void> {
  const { table, kind } = query;
  const columns = writtenColumns(table, caller);
  const toldOfRow = (row: WireRow, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, toldOf(table, name, row, caller.userId)]));
  for (const [key, row] of byKey(table, rows)) {
    const was = before.get(key);
    const changed = was
      ? columns.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(row[name]))
      : columns;
    await recordAct(tx, {
      at,
      ...actorOf(caller),
      subjectId: caller.userId,
      // An upsert that found its row has changed it.
      action: `${table.name}.${was ? 'update' : kind}`,
      objectId: String(key),
      detail:
        kind === 'delete'
          ? { before: toldOfRow(row, columns) }
          : { ...(was && { before: toldOfRow(was, changed) }), after: toldOfRow(row, changed) },
    });
  }
}
