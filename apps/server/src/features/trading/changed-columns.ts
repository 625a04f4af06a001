/** The changes of an edit of a position, by column: for the audit log, the preview and the history. */
import { positions } from '@fulcrum/contract';
import type { Position } from '@fulcrum/domain';
import { positionColumns } from './engine/columns/position.ts';
import type { Answer } from './engine/store.ts';

/** Columns that change with every edit. */
const bookkeeping: ReadonlySet<string> = new Set(['version', 'account_version', 'updated_at', 'edited_at']);

interface ChangedColumn {
  readonly column: string;
  readonly before: string | number | boolean | null;
  readonly after: string | number | boolean | null;
}

/** The changed columns of an edit, including those that follow from it, without versions and times. */
export function changedColumns(before: Position, after: Position): readonly ChangedColumn[] {
  const was = positionColumns.toWire(before, undefined);
  const is = positionColumns.toWire(after, undefined);
  return columnsOf(is).flatMap((column) =>
    bookkeeping.has(column) || was[column] === is[column]
      ? []
      : [{ column, before: was[column], after: is[column] }],
  );
}

/** The changes in an audit row, in the order of the columns; empty for an action of another form. */
export function storedChanges({ before, after }: Answer): readonly ChangedColumn[] {
  if (!isRow(before) || !isRow(after)) return [];
  return Object.keys(positions.columns).flatMap((column) => {
    if (!Object.hasOwn(after, column)) return [];
    const [was = null, is = null] = [before[column], after[column]];
    return isValue(was) && isValue(is) ? [{ column, before: was, after: is }] : [];
  });
}

const columnsOf = (row: ReturnType<typeof positionColumns.toWire>) =>
  Object.keys(row) as (keyof typeof row)[];
const isRow = (value: unknown): value is Answer => typeof value === 'object' && value !== null;
const isValue = (value: unknown): value is ChangedColumn['before'] =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);
