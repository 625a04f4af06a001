/**
 * The writing methods of `/rest/v1/{table}`: POST inserts, PATCH updates, DELETE deletes. Invariants: only declared columns
 * are written, and declared claims by a command alone; the owner of a plain row is the token's user; an update or delete
 * has a filter. The contract (`by`) decides whether one statement or a feature's command carries the write out.
 */
import type { Column, CommandInsert } from '@fulcrum/contract';
import { badBody, denied, malformed, noSuchColumn, RestError } from './errors.ts';
import { parseFilters } from './filters.ts';
import { limits } from './limits.ts';
import { type Preferences, requestsSingle } from './negotiation.ts';
import {
  type Cell,
  type Condition,
  columnOf,
  type DeleteCommandQuery,
  type DeleteQuery,
  findCommandColumn,
  type InsertCommandQuery,
  type InsertQuery,
  type Scope,
  type Selection,
  type UntrustedRow,
  type UpdateCommandQuery,
  type UpdateQuery,
} from './query.ts';
import { parseSelect } from './select-list.ts';
import { once, refuseParameters, type TableRequest } from './table-request.ts';
import { parseCommandValue, readJsonValue } from './values.ts';

type JsonRow = Readonly<Record<string, unknown>>;
const isJsonRow = (value: unknown): value is JsonRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function bodyRows(body: unknown): JsonRow[] {
  const rows: unknown[] = Array.isArray(body) ? body : [body];
  if (rows.length === 0) throw badBody('The body has no row');
  if (rows.length > limits.insertRows) throw badBody(`An insert has at most ${limits.insertRows} rows`);
  return rows.map((row) => {
    if (!isJsonRow(row)) throw badBody('The body must be an object or an array of objects');
    return row;
  });
}

/** The options of every write's response. */
function parseAnswer(request: TableRequest, scope: Scope, preferences: Preferences) {
  return {
    returning: parseReturning(request, scope, preferences),
    single: requestsSingle(request.headers.accept),
    counted: preferences.counted,
  };
}

function parseReturning(
  request: TableRequest,
  scope: Scope,
  preferences: Preferences,
): readonly Selection[] | null {
  if (preferences.return !== 'representation') return null;
  const { table, role } = scope;
  if (!table.access[role]?.select) throw denied(role, `table ${table.name}`);
  const selections = parseSelect(once(request.search, 'select'), scope);
  if (selections.some((selection) => selection.kind === 'embed' && selection.join === 'inner')) {
    throw malformed(`Inner embeds (!inner) are not supported with ${request.method}`, {
      hint: 'What was written is answered, whatever it refers to.',
    });
  }
  return selections;
}

/** `on_conflict` and `columns`, which name columns. */
function namesIn(parameter: string | null): string[] {
  return parameter?.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1')) ?? [];
}

/** A writable name and its declaration. */
type Written = readonly [name: string, declared: Column];

/** The columns that a body writes; `access` has to contain all of them. */
function writtenColumns(
  names: Iterable<string>,
  access: { readonly by: 'row' | 'command'; readonly columns: readonly string[] },
  { table, role }: Scope,
  ignored: string | null,
): Written[] {
  const declaredAs = access.by === 'command' ? findCommandColumn : columnOf;
  const written: Written[] = [];
  for (const name of names) {
    const declared = declaredAs(table, name);
    if (!declared) throw noSuchColumn(table.name, name);
    if (name === ignored && !access.columns.includes(name)) continue;
    if (!access.columns.includes(name)) throw denied(role, `column ${name} of table ${table.name}`);
    written.push([name, declared]);
  }
  if (written.length === 0) throw badBody('The body names no column to write');
  return written;
}

/** What an insert writes: `columns` where it is given (other keys of the body then count for nothing), else every key. */
function insertedNames(request: TableRequest, rows: readonly JsonRow[]): Set<string> {
  const columns = once(request.search, 'columns');
  return new Set(columns === null ? rows.flatMap((row) => Object.keys(row)) : namesIn(columns));
}

function duplicateHandling(
  request: TableRequest,
  { table, role }: Scope,
  preferences: Preferences,
): InsertQuery['onDuplicate'] {
  const target = namesIn(once(request.search, 'on_conflict'));
  if (preferences.onDuplicate === 'refuse') return 'refuse';
  const access = table.access[role]?.insert;
  if (access?.by !== 'row' || !access.upsert) throw denied(role, `upsert into table ${table.name}`);
  const isKey = target.length === table.key.length && table.key.every((name) => target.includes(name));
  if (target.length > 0 && !isKey) {
    throw new RestError(
      400,
      '42P10',
      'there is no unique or exclusion constraint matching the ON CONFLICT specification',
      { hint: `The key of ${table.name} is ${table.key.join(',')}` },
    );
  }
  return preferences.onDuplicate;
}

/** Claims of one row; a name without a value is null where its column may be, else left to the command. */
function parseUntrustedRow(
  row: JsonRow,
  written: readonly Written[],
  missing: Preferences['missing'],
): UntrustedRow {
  return Object.fromEntries(
    written.flatMap(([name, declared]) => {
      if (Object.hasOwn(row, name)) return [[name, parseCommandValue(name, declared, row[name])]];
      return missing === 'null' && declared.nullable ? [[name, null]] : [];
    }),
  );
}

/** Adds the row's index to an error in a bulk insert. */
function ofRow(error: unknown, index: number, count: number): unknown {
  if (count === 1 || !(error instanceof RestError)) return error;
  const { status, code, message, details, hint } = error;
  return new RestError(status, code, `Row ${index + 1}: ${message}`, { details, hint });
}

function parseInsertCommand(
  request: TableRequest,
  scope: Scope,
  preferences: Preferences,
  access: CommandInsert,
): InsertCommandQuery {
  const { table } = scope;
  const rows = bodyRows(request.body);
  const written = writtenColumns(insertedNames(request, rows), access, scope, null);
  for (const name of namesIn(once(request.search, 'on_conflict'))) {
    if (!columnOf(table, name)) throw noSuchColumn(table.name, name);
  }
  const untrusted = rows.map((row, index) => {
    try {
      return parseUntrustedRow(row, written, preferences.missing);
    } catch (error) {
      throw ofRow(error, index, rows.length);
    }
  });
  return { kind: 'insert command', table, rows: untrusted, ...parseAnswer(request, scope, preferences) };
}

/** @throws RestError 42501 for a role, table or column that may not be written, PGRST102 for the body, 22P02 for a value. */
export function parseInsert(
  request: TableRequest,
  scope: Scope,
  preferences: Preferences,
): InsertQuery | InsertCommandQuery {
  const { table, role } = scope;
  const access = table.access[role]?.insert;
  if (!access) throw denied(role, `table ${table.name}`);
  refuseParameters(request, ['order', 'limit', 'offset']);
  if (access.by === 'command') return parseInsertCommand(request, scope, preferences, access);
  const rows = bodyRows(request.body);
  const written = writtenColumns(insertedNames(request, rows), access, scope, table.owner);
  const absent: Cell = preferences.missing === 'default' ? 'default' : { value: null };
  const cellOf = (row: JsonRow, [name, declared]: Written): Cell =>
    Object.hasOwn(row, name) ? { value: readJsonValue(declared, row[name]) } : absent;
  return {
    kind: 'insert',
    table,
    columns: written.map(([name]) => name),
    rows: rows.map((row) => written.map((column) => cellOf(row, column))),
    onDuplicate: duplicateHandling(request, scope, preferences),
    ...parseAnswer(request, scope, preferences),
  };
}

/** The filters of a write, which name rows of the table alone. */
function parseConditions(request: TableRequest, scope: Scope): readonly Condition[] {
  refuseParameters(request, ['order', 'limit', 'offset', 'on_conflict', 'columns']);
  const { own } = parseFilters(request.search, scope, []);
  if (own.length === 0) throw new RestError(400, '21000', `${request.method} requires a WHERE clause`);
  return own;
}

/** @throws RestError as `parseInsert`, and 21000 without a filter. */
export function parseUpdate(
  request: TableRequest,
  scope: Scope,
  preferences: Preferences,
): UpdateQuery | UpdateCommandQuery {
  const { table, role } = scope;
  const access = table.access[role]?.update;
  if (!access) throw denied(role, `table ${table.name}`);
  if (!isJsonRow(request.body)) throw badBody('The body must be an object');
  const row = request.body;
  const written = writtenColumns(Object.keys(row), access, scope, null);
  const conditions = parseConditions(request, scope);
  const answer = parseAnswer(request, scope, preferences);
  if (access.by === 'command') {
    const changes = parseUntrustedRow(row, written, preferences.missing);
    return { kind: 'update command', table, changes, conditions, ...answer };
  }
  return {
    kind: 'update',
    table,
    changes: written.map(([column, declared]) => ({ column, value: readJsonValue(declared, row[column]) })),
    conditions,
    ...answer,
  };
}

/** @throws RestError 42501 when the role may not delete, 21000 without a filter. */
export function parseDelete(
  request: TableRequest,
  scope: Scope,
  preferences: Preferences,
): DeleteQuery | DeleteCommandQuery {
  const { table, role } = scope;
  const access = table.access[role]?.delete;
  if (!access) throw denied(role, `table ${table.name}`);
  return {
    kind: access.by === 'command' ? 'delete command' : 'delete',
    table,
    conditions: parseConditions(request, scope),
    ...parseAnswer(request, scope, preferences),
  };
}
