/**
 * The answer to a command write, made of the rows that the command handed over: what it did and not what somebody else
 * made of it since, and no further statement. Invariant: the same rows and columns as a select of the same caller would
 * bring; where only PostgreSQL can tell, there is no answer here and the rows are read.
 */
import type { SignedIn, Table } from '@fulcrum/contract';
import type { ColumnSelection, Selection } from './query.ts';
import type { Outcome } from './sql.ts';

/** A row as `/rest/v1` answers it, JSON-ready. */
export type WireRow = Readonly<Record<string, unknown>>;
/** The keys of the answer's rows and, in the same order, the rows as the command left them. */
export interface CommandAnswer {
  readonly ids: readonly string[];
  readonly rows: readonly WireRow[];
}

export interface Asked {
  readonly table: Table;
  readonly selections: readonly Selection[];
  /** The rows that an update found under the role's update scope. */
  readonly targets: readonly string[];
  /** One object instead of an array. */
  readonly single: boolean;
}

/** Whether the caller's select policy is known to admit every row of the answer. */
function isAdmitted({ ids, rows }: CommandAnswer, { table, targets }: Asked, caller: SignedIn): boolean {
  const { select, update } = table.access[caller.role] ?? {};
  if (!select) return false;
  if (select.rows === 'all') return true;
  if (update?.rows === select.rows) {
    const found = new Set(targets);
    if (ids.every((id) => found.has(id))) return true;
  }
  const { owner } = table;
  return select.rows !== 'assigned' && owner !== null && rows.every((row) => row[owner] === caller.userId);
}

const isPlain = (selection: Selection): selection is ColumnSelection => selection.kind === 'column';

/** The answer, or null when it has to be read: an embed, a row that the policy has to be asked about, an older row form. */
export function answerOf(answer: CommandAnswer, asked: Asked, caller: SignedIn): Outcome | null {
  const { ids, rows } = answer;
  if (ids.length !== rows.length) throw new Error(`${ids.length} keys of ${rows.length} ${asked.table.name}`);
  const columns = asked.selections.filter(isPlain);
  if (columns.length < asked.selections.length || !isAdmitted(answer, asked, caller)) return null;
  // A stored answer of a repeated command may be from before a column was.
  if (rows.some((row) => columns.some(({ column }) => !Object.hasOwn(row, column)))) return null;
  const selected = rows.map((row) =>
    Object.fromEntries(columns.map(({ name, column }) => [name, row[column]])),
  );
  const body = JSON.stringify(asked.single ? (selected[0] ?? null) : selected);
  return { body, rows: rows.length, total: null };
}
