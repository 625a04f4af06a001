/**
 * Builds the response of a command write from the rows that the command returned: its own result, without later changes and
 * without another statement. Invariant: the rows and columns equal those of a select by the same caller; where only
 * PostgreSQL can decide, this module returns null and the rows are read.
 */
import { isOwnerOf, type SignedIn, type Table } from '@fulcrum/contract';
import type { ColumnSelection, Outcome, Selection, WireRow } from './query.ts';

/** The keys of the response's rows and, in the same order, the rows as the command left them. */
export interface CommandAnswer {
  readonly ids: readonly string[];
  readonly rows: readonly WireRow[];
}

interface AnswerRequest {
  readonly table: Table;
  readonly selections: readonly Selection[];
  /** The rows that an update found under the role's update scope. */
  readonly targets: readonly string[];
  /** One object instead of an array. */
  readonly single: boolean;
}

/** Whether the caller's select policy is known to admit every row of the answer. */
function isAdmitted(
  { ids, rows }: CommandAnswer,
  { table, targets }: AnswerRequest,
  caller: SignedIn,
): boolean {
  const { select, update } = table.access[caller.role] ?? {};
  if (!select) return false;
  if (select.rows === 'all') return true;
  if (update?.rows === select.rows) {
    const found = new Set(targets);
    if (ids.every((id) => found.has(id))) return true;
  }
  const { owner } = table;
  return (
    select.rows !== 'assigned' &&
    owner !== null &&
    rows.every((row) => isOwnerOf(table, caller, row[owner] as string | null))
  );
}

const isPlain = (selection: Selection): selection is ColumnSelection => selection.kind === 'column';

/** Builds the response; null when it has to be read: an embed, a row whose policy needs a query, an older row form. */
export function answerOf(answer: CommandAnswer, request: AnswerRequest, caller: SignedIn): Outcome | null {
  const { ids, rows } = answer;
  if (ids.length !== rows.length)
    throw new Error(`${ids.length} keys of ${rows.length} ${request.table.name}`);
  const columns = request.selections.filter(isPlain);
  if (columns.length < request.selections.length || !isAdmitted(answer, request, caller)) return null;
  // A stored response of a repeated command may be older than a column.
  if (rows.some((row) => columns.some(({ column }) => !Object.hasOwn(row, column)))) return null;
  const selected = rows.map((row) =>
    Object.fromEntries(columns.map(({ name, column }) => [name, row[column]])),
  );
  const body = JSON.stringify(request.single ? (selected[0] ?? null) : selected);
  return { body, rows: rows.length, total: null };
}
