/**
 * The announcement of a row that a feature's command wrote: the row as `/rest/v1` would answer it, read in the transaction
 * of the write. It is published on the bus once that is committed.
 */
import { type RowChange, type TableName, tableByName } from '@fulcrum/contract';
import type { Queryable } from '../database/index.ts';

type Row = Readonly<Record<string, unknown>>;

/** The key and the owner column of a table; both are names of the contract. */
function placeOf(name: TableName) {
  const table = tableByName.get(name);
  const [key, ...more] = table?.key ?? [];
  if (!table || key === undefined || more.length > 0) throw new Error(`${name} has no single key`);
  return { key, owner: table.owner };
}

/** Rows in their wire form, in the order of `keys`; those that are not there are left out. */
export async function wireRows(db: Queryable, table: TableName, keys: readonly string[]): Promise<Row[]> {
  const { key } = placeOf(table);
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

/** The announcement of a row in its wire form. @throws Error for a row without its owner */
export function changeOf({ table, type, committedAt }: WrittenRow, record: Row): RowChange {
  const { key, owner } = placeOf(table);
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

/** The announcement of a row that is gone. */
export function deletionOf(
  table: TableName,
  id: string,
  userId: string | null,
  committedAt: string,
): RowChange {
  const { key } = placeOf(table);
  return { table, type: 'DELETE', userId, record: null, oldRecord: { [key]: id }, committedAt };
}
