/**
 * Builds the change event of a row that a command wrote: the row as `/rest/v1` returns it, read in the transaction of the
 * write. The caller publishes it on the bus after the commit.
 */
import { type RowChange, type TableName, tableByName } from '@fulcrum/contract';
import type { Queryable } from '../database/index.ts';

type Row = Readonly<Record<string, unknown>>;

/** Returns the key and the owner column of a table; both are names of the contract. */
function getKeyColumns(name: TableName) {
  const table = tableByName.get(name);
  const [key, ...more] = table?.key ?? [];
  if (!table || key === undefined || more.length > 0) throw new Error(`${name} has no single key`);
  return { key, owner: table.owner };
}

/** Reads rows in their wire form, in the order of `keys`; missing rows are left out. */
export async function readWireRows(db: Queryable, table: TableName, keys: readonly string[]): Promise<Row[]> {
  const { key } = getKeyColumns(table);
  const { rows } = await db.query<{ row: Row }>(
    `select to_json(t) as row from unnest($1::text[]) with ordinality as k (id, place)
     join api.${table} t on t.${key}::text = k.id order by k.place`,
    [keys],
  );
  return rows.map(({ row }) => row);
}

export interface WrittenRow {
  readonly table: TableName;
  readonly type: 'INSERT' | 'UPDATE';
  /** ISO 8601 UTC. */
  readonly committedAt: string;
}

/** Builds the change event of a row in its wire form. @throws Error for a row without its owner */
export function toRowChange({ table, type, committedAt }: WrittenRow, record: Row): RowChange {
  const { key, owner } = getKeyColumns(table);
  const userId = owner === null ? null : record[owner];
  if (userId !== null && typeof userId !== 'string') throw new Error(`a row of ${table} has no owner`);
  return {
    table,
    type,
    userId,
    record,
    oldRecord: type === 'INSERT' ? null : { [key]: record[key] },
    committedAt,
  };
}

/** Builds the change event of a deleted row. */
export function toRowDeletion(
  table: TableName,
  id: string,
  userId: string | null,
  committedAt: string,
): RowChange {
  const { key } = getKeyColumns(table);
  return { table, type: 'DELETE', userId, record: null, oldRecord: { [key]: id }, committedAt };
}
