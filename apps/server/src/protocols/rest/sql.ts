/**
 * From a typed query and its caller to one parameterised statement; pure. Invariants: every identifier in the text is a
 * name of the contract, everything a client sent is a parameter, and each table that is read or written, embedded ones
 * too, carries the row policy of the caller's role in its WHERE. The answer's JSON is built by PostgreSQL: numerics
 * lose their trailing zeros, times come as ISO 8601 in the session's zone, which the database adapter sets to UTC.
 */
import type { Caller, RowScope, Table } from '@fulcrum/contract';
import {
  type Comparison,
  type Condition,
  columnOf,
  type DeleteQuery,
  type InsertQuery,
  type Ordering,
  type Selection,
  type SelectQuery,
  type TableQuery,
} from './query.ts';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}
/** The one row every statement returns. */
export interface Outcome {
  /** JSON text: an array, or one object when a single one was asked for; null when no body was. */
  readonly body: string | null;
  /** Rows read or written. */
  readonly rows: number;
  /** All rows that match, when they were to be counted. */
  readonly total: number | null;
}

type Place = (value: unknown, type: string) => string;

/** A name from the contract. @throws Error for anything that needs quoting: the contract has no such name. */
function identifier(name: string): string {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new Error(`not a name of the contract: ${name}`);
  return name;
}

function declared(table: Table, name: string) {
  const column = columnOf(table, name);
  if (!column) throw new Error(`not a column of ${table.name}: ${name}`);
  return column;
}

/** Which rows of `table` (under `alias`) the caller reaches; a row outside does not exist for it. */
function policy(
  table: Table,
  alias: string,
  scope: RowScope | undefined,
  caller: Caller,
  place: Place,
): string {
  if (scope === 'all') return 'true';
  if (scope === undefined || caller.role === 'anon' || table.owner === null) return 'false';
  const owner = `${alias}.${identifier(table.owner)}`;
  const me = place(caller.userId, 'uuid');
  const mine = `${owner} = ${me}`;
  const assigned = `${owner} in (select m.id from app.users m where m.manager_id = ${me})`;
  switch (scope) {
    case 'own':
      return mine;
    case 'assigned':
      return assigned;
    case 'own+assigned':
      return `(${mine} or ${assigned})`;
  }
}

function valueSql(table: Table, alias: string, name: string): string {
  const column = declared(table, name);
  const reference = `${alias}.${identifier(name)}`;
  return column.type === 'numeric' ? `trim_scale(${reference})` : reference;
}

/** `json_build_object` over the selections; a key that is a client's alias travels as a parameter. */
function objectSql(
  selections: readonly Selection[],
  table: Table,
  alias: string,
  caller: Caller,
  place: Place,
): string {
  const entries = selections.map((selection) => {
    if (selection.kind === 'column') {
      const isOwnName = selection.name === selection.column;
      const key = isOwnName ? `'${identifier(selection.name)}'` : place(selection.name, 'text');
      return `${key}, ${valueSql(table, alias, selection.column)}`;
    }
    const target = selection.table;
    const embedded = objectSql(selection.columns, target, 'e', caller, place);
    const visible = policy(target, 'e', target.access[caller.role]?.select?.rows, caller, place);
    declared(table, selection.through);
    return (
      `${place(selection.name, 'text')}, (select ${embedded} from api.${identifier(target.name)} e ` +
      `where e.id = ${alias}.${identifier(selection.through)} and ${visible})`
    );
  });
  return `json_build_object(${entries.join(', ')})`;
}

const comparisonSql: Record<Comparison, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};
const stateSql = { null: 'is null', not_null: 'is not null', true: 'is true', false: 'is false' } as const;

function conditionSql(condition: Condition, table: Table, alias: string, place: Place): string {
  const { type } = declared(table, condition.column);
  const reference = `${alias}.${identifier(condition.column)}`;
  switch (condition.kind) {
    case 'compare':
      return `${reference} ${comparisonSql[condition.by]} ${place(condition.value, type)}`;
    case 'in':
      return `${reference} = any(${place(condition.values, `${type}[]`)})`;
    case 'is':
      return `${reference} ${stateSql[condition.state]}`;
  }
}

/** `order by` of a page; the key settles what the client left open, so that pages neither repeat nor skip a row. */
function orderSql(order: readonly Ordering[], table: Table, alias: string): string {
  if (order.length === 0) return '';
  const asked = order.map(({ column, direction, nulls }) => {
    declared(table, column);
    return `${alias}.${identifier(column)} ${direction}${nulls === null ? '' : ` nulls ${nulls}`}`;
  });
  const settling = table.key
    .filter((name) => !order.some((ordering) => ordering.column === name))
    .map((name) => `${alias}.${identifier(name)}`);
  return ` order by ${[...asked, ...settling].join(', ')}`;
}

const bodySql = (single: boolean, item: string) =>
  single ? `(json_agg(${item}) -> 0)::text` : `coalesce(json_agg(${item}), '[]')::text`;

function selectSql(query: SelectQuery, caller: Caller, place: Place): string {
  const { table } = query;
  const from = `api.${identifier(table.name)} t`;
  const where = [
    policy(table, 't', table.access[caller.role]?.select?.rows, caller, place),
    ...query.conditions.map((condition) => conditionSql(condition, table, 't', place)),
  ].join(' and ');
  const item = objectSql(query.selections, table, 't', caller, place);
  const body = query.headOnly ? 'null' : bodySql(query.single, 'r.item');
  const total = query.counted ? `(select count(*)::int from ${from} where ${where})` : 'null::int';
  return (
    `select ${body} as body, count(*)::int as rows, ${total} as total from (select ${item} as item from ${from} ` +
    `where ${where}${orderSql(query.order, table, 't')} ` +
    `limit ${place(query.limit, 'int8')} offset ${place(query.offset, 'int8')}) r`
  );
}

/** Wraps a write so that it returns the same row as a select does. */
function writeSql(write: string, query: InsertQuery | DeleteQuery, caller: Caller, place: Place): string {
  const item = query.returning ? objectSql(query.returning, query.table, 't', caller, place) : 'null';
  const body = query.returning ? bodySql(query.single, 'w.item') : 'null';
  return `with w as (${write} returning ${item} as item) select ${body} as body, count(*)::int as rows, null::int as total from w`;
}

/** What a row of an existing key becomes. A merge reaches the caller's own rows only, whatever the key is. */
function duplicateSql(query: InsertQuery, caller: Caller, place: Place): string {
  const { table } = query;
  if (query.onDuplicate === 'refuse') return '';
  const target = ` on conflict (${table.key.map(identifier).join(', ')})`;
  if (query.onDuplicate === 'ignore') return `${target} do nothing`;
  const assignments = query.columns.map((name) => `${identifier(name)} = excluded.${identifier(name)}`);
  return `${target} do update set ${assignments.join(', ')} where ${policy(table, 't', 'own', caller, place)}`;
}

function insertSql(query: InsertQuery, caller: Caller, place: Place): string {
  const { table } = query;
  const owner =
    table.owner === null || caller.role === 'anon' ? null : { name: table.owner, id: caller.userId };
  const columns = [...(owner ? [owner.name] : []), ...query.columns];
  const rows = query.rows.map((row) => {
    const cells = row.map((cell, index) => {
      if (cell === 'default') return 'default';
      return place(cell.value, declared(table, query.columns[index] ?? '').type);
    });
    return `(${[...(owner ? [place(owner.id, 'uuid')] : []), ...cells].join(', ')})`;
  });
  const write =
    `insert into app.${identifier(table.name)} as t (${columns.map(identifier).join(', ')}) ` +
    `values ${rows.join(', ')}${duplicateSql(query, caller, place)}`;
  return writeSql(write, query, caller, place);
}

function deleteSql(query: DeleteQuery, caller: Caller, place: Place): string {
  const { table } = query;
  const where = [
    policy(table, 't', table.access[caller.role]?.delete?.rows, caller, place),
    ...query.conditions.map((condition) => conditionSql(condition, table, 't', place)),
  ].join(' and ');
  return writeSql(`delete from app.${identifier(table.name)} t where ${where}`, query, caller, place);
}

/** The statement of a query for its caller; it returns exactly one `Outcome`. */
export function writeStatement(query: TableQuery, caller: Caller): Statement {
  const values: unknown[] = [];
  const place: Place = (value, type) => {
    values.push(value);
    return `$${values.length}::${type}`;
  };
  switch (query.kind) {
    case 'select':
      return { text: selectSql(query, caller, place), values };
    case 'insert':
      return { text: insertSql(query, caller, place), values };
    case 'delete':
      return { text: deleteSql(query, caller, place), values };
  }
}
