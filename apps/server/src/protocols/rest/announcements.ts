/**
 * Publishes plain rows that a client wrote on the bus, where the contract announces the table's changes: a notification
 * read in one tab is read in all. Features announce the rows of their commands.
 *
 * Known limitation: an upsert that found its row is announced as an INSERT.
 */
import { type RowChange, type Table, type TableName, tableByName } from '@fulcrum/contract';
import type { RowWrite, WireRow } from './query.ts';

const types = { insert: 'INSERT', update: 'UPDATE', delete: 'DELETE' } as const satisfies Record<
  RowWrite['kind'],
  RowChange['type']
>;

/** The bus has topics for the contract's tables only. */
const isOfContract = (table: Table, name: string): name is TableName => tableByName.get(name) === table;

/** Returns the changes of a committed write; `rows` are those after it, or before a delete. */
export function changesOf(
  { table, kind }: RowWrite,
  rows: readonly WireRow[],
  committedAt: string,
): RowChange[] {
  const { name, key, owner } = table;
  if (!isOfContract(table, name)) return [];
  return rows.map((row) => {
    const userId = owner === null ? null : row[owner];
    if (userId !== null && typeof userId !== 'string') throw new Error(`a row of ${name} has no owner`);
    return {
      table: name,
      type: types[kind],
      userId,
      record: kind === 'delete' ? null : row,
      oldRecord: kind === 'insert' ? null : Object.fromEntries(key.map((column) => [column, row[column]])),
      committedAt,
    };
  });
}
