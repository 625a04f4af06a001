/**
 * From a typed query and its caller to one parameterised statement; pure. Invariants: every identifier in the text is a
 * name of the contract, everything a client sent is a parameter, and each table that is read or written, embedded ones
 * too, carries the row policy of the caller's role in its WHERE. The answer's JSON is built by PostgreSQL: numerics
 * lose their trailing zeros, times come as ISO 8601 in the session's zone, which the database adapter sets to UTC.
 */
import { type Caller, isImpersonating, ownerIdOf, type SignedIn, type Table } from '@fulcrum/contract';
import { conditionSql } from './conditions.ts';
import { limits } from './limits.ts';
import { type Bind, declared, identifier, nameText, policy } from './policy.ts';
import type {
  Condition,
  DeleteCommandQuery,
  DeleteQuery,
  EmbedSelection,
  InsertQuery,
  Ordering,
  Reference,
  RowWrite,
  Selection,
  SelectQuery,
  UpdateCommandQuery,
  UpdateQuery,
} from './query.ts';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}
function valueSql(table: Table, alias: string, name: string): string {
  const column = declared(table, name);
  const reference = `${alias}.${identifier(name)}`;
  return column.type === 'numeric' ? `trim_scale(${reference})` : reference;
}

/**
 * How the rows of a response are built: the select list, and the JSON object of the resulting row `r`. Where every key is a
 * name of the contract the row itself becomes the object, in two thirds of the time of `json_build_object`. Only a client's
 * alias, which may not be part of the text, needs the latter.
 */
interface Shape {
  readonly list: string;
  readonly item: (row: string) => string;
}

function shapeOf(selections: readonly Selection[], table: Table, caller: Caller, bind: Bind): Shape {
  if (!selections.every((selection) => isDeclaredName(selection, table))) {
    return {
      list: `${objectSql(selections, table, 't', caller, bind)} as item`,
      item: (row) => `${row}.item`,
    };
  }
  const list = selections.map((selection) => {
    const value =
      selection.kind === 'column'
        ? valueSql(table, 't', selection.column)
        : embeddedSql(selection, table, 't', caller, bind);
    return `${value} as ${identifier(selection.name)}`;
  });
  return { list: list.join(', '), item: (row) => row };
}

/** Whether a key of the response is the contract's own name of the column. */
function isDeclaredName(selection: Selection, table: Table): boolean {
  if (selection.kind === 'column') return selection.name === selection.column;
  const names = [selection.table.name, selection.through, ...table.relations.map(({ name }) => name)];
  return names.includes(selection.name);
}

function embeddedSql(embed: EmbedSelection, table: Table, alias: string, caller: Caller, bind: Bind): string {
  const embedded = objectSql(embed.columns, embed.table, 'e', caller, bind);
  return referredSql(embed, embedded, { table, alias }, caller, bind);
}

/** An expression over the row `e` that `alias` refers to, under the target's own policy; NULL when there is none. */
function referredSql(
  reference: Reference,
  expression: string,
  from: { readonly table: Table; readonly alias: string },
  caller: Caller,
  bind: Bind,
): string {
  const target = reference.table;
  declared(from.table, reference.through);
  const where = [
    `e.id = ${from.alias}.${identifier(reference.through)}`,
    ...visibleToSql(target, 'e', reference.conditions, caller, bind),
  ];
  return `(select ${expression} from api.${identifier(target.name)} e where ${where.join(' and ')})`;
}

/** The conditions on the rows of a read: the caller's select policy and the client's filters. */
function visibleToSql(
  table: Table,
  alias: string,
  conditions: readonly Condition[],
  caller: Caller,
  bind: Bind,
): string[] {
  return [
    policy(table, alias, table.access[caller.role]?.select?.rows, caller, bind),
    ...conditions.map((condition) => conditionSql(condition, table, alias, bind)),
  ];
}

/** `json_build_object` over the selections; a key that is a client's alias travels as a parameter. */
function objectSql(
  selections: readonly Selection[],
  table: Table,
  alias: string,
  caller: Caller,
  bind: Bind,
): string {
  const entries = selections.map((selection) => {
    if (selection.kind === 'column') {
      const isOwnName = selection.name === selection.column;
      const key = isOwnName ? nameText(selection.name) : bind(selection.name, 'text');
      return `${key}, ${valueSql(table, alias, selection.column)}`;
    }
    const embedded = embeddedSql(selection, table, alias, caller, bind);
    return `${bind(selection.name, 'text')}, ${embedded}`;
  });
  return `json_build_object(${entries.join(', ')})`;
}

/** `order by` of a page; the key breaks ties, so that pages neither repeat nor skip a row. */
function orderSql(order: readonly Ordering[], table: Table, caller: Caller, bind: Bind): string {
  if (order.length === 0) return '';
  const requested = order.map(({ column, of, direction, nulls }) => {
    declared(of?.table ?? table, column);
    const sorted = of
      ? referredSql(of, `e.${identifier(column)}`, { table, alias: 't' }, caller, bind)
      : `t.${identifier(column)}`;
    return `${sorted} ${direction}${nulls === null ? '' : ` nulls ${nulls}`}`;
  });
  const settling = table.key
    .filter((name) => !order.some(({ column, of }) => of === null && column === name))
    .map((name) => `t.${identifier(name)}`);
  return ` order by ${[...requested, ...settling].join(', ')}`;
}

const bodySql = (single: boolean, item: string) =>
  single ? `(json_agg(${item}) -> 0)::text` : `coalesce(json_agg(${item}), '[]')::text`;

function selectSql(query: SelectQuery, caller: Caller, bind: Bind): string {
  const { table } = query;
  const from = `api.${identifier(table.name)} t`;
  const where = [
    ...visibleToSql(table, 't', query.conditions, caller, bind),
    ...query.selections.flatMap((selection) =>
      selection.kind === 'embed' && selection.join === 'inner'
        ? [`exists ${referredSql(selection, '1', { table, alias: 't' }, caller, bind)}`]
        : [],
    ),
  ].join(' and ');
  const { list, item } = shapeOf(query.selections, table, caller, bind);
  const body = query.headOnly ? 'null' : bodySql(query.single, item('r'));
  const total = query.counted ? `(select count(*)::int from ${from} where ${where})` : 'null::int';
  return (
    `select ${body} as body, count(*)::int as rows, ${total} as total from (select ${list} from ${from} ` +
    `where ${where}${orderSql(query.order, table, caller, bind)} ` +
    `limit ${bind(query.limit, 'int8')} offset ${bind(query.offset, 'int8')}) r`
  );
}

/** A select list of all columns. */
const wholeSql = (table: Table): string =>
  Object.keys(table.columns)
    .map((name) => `${valueSql(table, 't', name)} as ${identifier(name)}`)
    .join(', ');

/** Wraps a write so that it returns the same row as a select does. */
function writeSql(write: string, query: RowWrite, caller: Caller, bind: Bind): string {
  const { table, returning, single } = query;
  const shape = returning && shapeOf(returning, table, caller, bind);
  if (table.realtime || (caller.role !== 'anon' && isImpersonating(caller))) {
    return (
      `with w as (${write} returning ${wholeSql(table)}) ` +
      `select ${shape ? bodySql(single, shape.item('r')) : 'null'} as body, count(*)::int as rows, ` +
      `null::int as total, json_agg(t) as changed ` +
      `from w t${shape ? ` cross join lateral (select ${shape.list}) r` : ''}`
    );
  }
  const body = shape ? bodySql(single, shape.item('w')) : 'null';
  return (
    `with w as (${write} returning ${shape ? shape.list : 'null as item'}) ` +
    `select ${body} as body, count(*)::int as rows, null::int as total from w`
  );
}

/** What a row of an existing key becomes. A merge reaches the caller's own rows only, and of them what an update may write. */
function duplicateSql(query: InsertQuery, caller: Caller, bind: Bind): string {
  const { table } = query;
  if (query.onDuplicate === 'refuse') return '';
  const target = ` on conflict (${table.key.map(identifier).join(', ')})`;
  if (query.onDuplicate === 'ignore') return `${target} do nothing`;
  const update = table.access[caller.role]?.update;
  const merged = query.columns.filter((name) => table.key.includes(name) || update?.columns.includes(name));
  if (merged.length === 0) return `${target} do nothing`;
  const assignments = merged.map((name) => `${identifier(name)} = excluded.${identifier(name)}`);
  return `${target} do update set ${assignments.join(', ')} where ${policy(table, 't', 'own', caller, bind)}`;
}

function insertSql(query: InsertQuery, caller: Caller, bind: Bind): string {
  const { table } = query;
  const owner =
    table.owner === null || caller.role === 'anon'
      ? null
      : { name: table.owner, id: ownerIdOf(table, caller) };
  const columns = [...(owner ? [owner.name] : []), ...query.columns];
  const rows = query.rows.map((row) => {
    const cells = row.map((cell, index) => {
      if (cell === 'default') return 'default';
      return bind(cell.value, declared(table, query.columns[index] ?? '').type);
    });
    return `(${[...(owner ? [bind(owner.id, 'uuid')] : []), ...cells].join(', ')})`;
  });
  const write =
    `insert into app.${identifier(table.name)} as t (${columns.map(identifier).join(', ')}) ` +
    `values ${rows.join(', ')}${duplicateSql(query, caller, bind)}`;
  return writeSql(write, query, caller, bind);
}

function writableSql(query: UpdateQuery | DeleteQuery, caller: Caller, bind: Bind): string {
  const { table, kind } = query;
  return [
    policy(table, 't', table.access[caller.role]?.[kind]?.rows, caller, bind),
    ...query.conditions.map((condition) => conditionSql(condition, table, 't', bind)),
  ].join(' and ');
}

function updateSql(query: UpdateQuery, caller: Caller, bind: Bind): string {
  const { table } = query;
  const changes = query.changes.map(
    ({ column, value }) => `${identifier(column)} = ${bind(value, declared(table, column).type)}`,
  );
  const write = `update app.${identifier(table.name)} t set ${changes.join(', ')} where ${writableSql(query, caller, bind)}`;
  return writeSql(write, query, caller, bind);
}

function deleteSql(query: DeleteQuery, caller: Caller, bind: Bind): string {
  const write = `delete from app.${identifier(query.table.name)} t where ${writableSql(query, caller, bind)}`;
  return writeSql(write, query, caller, bind);
}

/** The column that distinguishes the rows of one owner. */
export function rowKeyOf({ name, key, owner }: Table): string {
  const [column, ...more] = key.filter((part) => part !== owner);
  if (column === undefined || more.length > 0) throw new Error(`${name} has no single key`);
  return column;
}

/** The keys of an upsert that may exist already. */
function mergedKeys({ table, columns, rows, onDuplicate }: InsertQuery): readonly unknown[] {
  const index = columns.indexOf(rowKeyOf(table));
  if (onDuplicate !== 'merge' || index === -1) return [];
  return rows.flatMap((row) => {
    const cell = row[index];
    return cell === undefined || cell === 'default' ? [] : [cell.value];
  });
}

/**
 * Selects and locks the rows that an update or a merge changes (`changed`); null where there can be none. A delete returns
 * its rows itself.
 */
export function lockRowsStatement(query: RowWrite, caller: SignedIn): Statement | null {
  const { table } = query;
  const keys = query.kind === 'insert' ? mergedKeys(query) : [];
  if (query.kind === 'delete' || (query.kind === 'insert' && keys.length === 0)) return null;
  return compose((bind) => {
    const key = rowKeyOf(table);
    const reach =
      query.kind === 'update'
        ? writableSql(query, caller, bind)
        : `${policy(table, 't', 'own', caller, bind)} and ` +
          `t.${identifier(key)} = any(${bind(keys, `${declared(table, key).type}[]`)})`;
    const found = `select ${wholeSql(table)} from app.${identifier(table.name)} t where ${reach} order by t.${identifier(key)} for update`;
    return `with r as (${found}) select json_agg(r) as changed from r`;
  });
}

/** Counts the rows (`rows`) that a write matches, up to one more than `most`. */
export function countStatement(query: UpdateQuery | DeleteQuery, caller: Caller, most: number): Statement {
  return compose((bind) => {
    const reached = `select from app.${identifier(query.table.name)} t where ${writableSql(query, caller, bind)}`;
    return `select count(*)::int as rows from (${reached} limit ${bind(most + 1, 'int8')}) r`;
  });
}

function compose(write: (bind: Bind) => string): Statement {
  const values: unknown[] = [];
  const text = write((value, type) => {
    values.push(value);
    return `$${values.length}::${type}`;
  });
  return { text, values };
}

/** The statement of a query for its caller; it returns exactly one `Outcome`. */
export function writeStatement(query: SelectQuery | RowWrite, caller: Caller): Statement {
  return compose((bind) => {
    switch (query.kind) {
      case 'select':
        return selectSql(query, caller, bind);
      case 'insert':
        return insertSql(query, caller, bind);
      case 'update':
        return updateSql(query, caller, bind);
      case 'delete':
        return deleteSql(query, caller, bind);
    }
  });
}

/** The one key column of a command write. */
function keyOf(table: Table): string {
  const [key, ...more] = table.key;
  if (key === undefined || more.length > 0) throw new Error(`${table.name} has no single key`);
  return identifier(key);
}

/** Selects the keys (`id`, text) of the rows that a command write matches, one more than allowed at most. */
export function targetsStatement(
  { kind, table, conditions }: UpdateCommandQuery | DeleteCommandQuery,
  caller: Caller,
): Statement {
  const action = kind === 'update command' ? 'update' : 'delete';
  return compose((bind) => {
    const where = [
      policy(table, 't', table.access[caller.role]?.[action]?.rows, caller, bind),
      ...conditions.map((condition) => conditionSql(condition, table, 't', bind)),
    ].join(' and ');
    return (
      `select t.${keyOf(table)}::text as id from api.${identifier(table.name)} t where ${where} ` +
      `order by t.${keyOf(table)} limit ${bind(limits.updateRows + 1, 'int8')}`
    );
  });
}

/** The rows with these keys that the caller may select, each as JSON text (`row`) with its key (`id`). */
export function keyedRowsStatement(
  { table, selections }: { readonly table: Table; readonly selections: readonly Selection[] },
  ids: readonly string[],
  caller: Caller,
): Statement {
  return compose((bind) => {
    const key = keyOf(table);
    const named = bind(ids, `${declared(table, key).type}[]`);
    const where = [`t.${key} = any(${named})`, ...visibleToSql(table, 't', [], caller, bind)].join(' and ');
    const { list, item } = shapeOf(selections, table, caller, bind);
    return (
      `select t.${key}::text as id, (select to_json(${item('r')})::text from (select ${list}) r) as row ` +
      `from api.${identifier(table.name)} t where ${where}`
    );
  });
}

/** The rows of a command's answer in the order of `ids`, as far as the caller may select them; one `Outcome`. */
export function answerStatement(
  write: { readonly table: Table; readonly selections: readonly Selection[]; readonly single: boolean },
  ids: readonly string[],
  caller: Caller,
): Statement {
  const { table, selections, single } = write;
  return compose((bind) => {
    const key = keyOf(table);
    const named = bind(ids, `${declared(table, key).type}[]`);
    const where = visibleToSql(table, 't', [], caller, bind).join(' and ');
    const { list, item } = shapeOf(selections, table, caller, bind);
    return (
      `select ${bodySql(single, item('r'))} as body, count(*)::int as rows, null::int as total from (` +
      `select ${list} from unnest(${named}) with ordinality as k (id, place) ` +
      `join api.${identifier(table.name)} t on t.${key} = k.id where ${where} order by k.place) r`
    );
  });
}
