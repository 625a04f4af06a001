/**
 * The writing methods of `/rest/v1/{table}`: POST inserts, PATCH updates, DELETE deletes. Invariants: only declared
 * columns are written; the owner of a plain row is the token's; an update or delete has a filter. What stands behind a
 * write, one statement or a feature's command, is the contract's to say (`by`).
 */
import type { CommandInsert, Table } from '@fulcrum/contract';
import { badBody, denied, malformed, noSuchColumn, RestError } from './errors.ts';
import { parseFilters } from './filters.ts';
import { limits } from './limits.ts';
import { type Preferences, wantsSingle } from './negotiation.ts';
import {
  type Cell,
  type Claims,
  type Condition,
  columnOf,
  type DeleteQuery,
  type InsertCommandQuery,
  type InsertQuery,
  type Scope,
  type Selection,
  type UpdateCommandQuery,
  type UpdateQuery,
} from './query.ts';
import { parseSelect } from './select-list.ts';
import { once, refuseParameters, type TableRequest } from './table-request.ts';
import { readClaim, readJsonValue } from './values.ts';

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

/** What is said of every write's answer. */
function parseAnswer(request: TableRequest, scope: Scope, preferences: Preferences) {
  return {
    returning: parseReturning(request, scope, preferences),
    single: wantsSingle(request.headers.accept),
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

/** The columns that a body writes, which all have to be in `allowed`. */
function writtenColumns(
  names: Iterable<string>,
  allowed: readonly string[],
  { table, role }: Scope,
  ignored: string | null,
): string[] {
  const columns: string[] = [];
  for (const name of names) {
    if (!columnOf(table, name)) throw noSuchColumn(table.name, name);
    if (name === ignored && !allowed.includes(name)) continue;
    if (!allowed.includes(name)) throw denied(role, `column ${name} of table ${table.name}`);
    columns.push(name);
  }
  if (columns.length === 0) throw badBody('The body names no column to write');
  return columns;
}

const rowColumns = (request: TableRequest, rows: readonly JsonRow[]) =>
  new Set([...namesIn(once(request.search, 'columns')), ...rows.flatMap((row) => Object.keys(row))]);

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

function claimsOf(row: JsonRow, table: Table): Claims {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const declared = columnOf(table, name);
      if (!declared) throw noSuchColumn(table.name, name);
      return [name, readClaim(name, declared, value)];
    }),
  );
}

function parseInsertCommand(
  request: TableRequest,
  scope: Scope,
  preferences: Preferences,
  access: CommandInsert,
): InsertCommandQuery {
  const { table } = scope;
  const rows = bodyRows(request.body);
  writtenColumns(rowColumns(request, rows), access.columns, scope, null);
  for (const name of namesIn(once(request.search, 'on_conflict'))) {
    if (!columnOf(table, name)) throw noSuchColumn(table.name, name);
  }
  return {
    kind: 'insert command',
    table,
    rows: rows.map((row) => claimsOf(row, table)),
    ...parseAnswer(request, scope, preferences),
  };
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
  const columns = writtenColumns(rowColumns(request, rows), access.columns, scope, table.owner);
  const absent: Cell = preferences.missing === 'default' ? 'default' : { value: null };
  const cell = (row: JsonRow, name: string): Cell => {
    const declared = columnOf(table, name);
    if (!declared || !Object.hasOwn(row, name)) return absent;
    return { value: readJsonValue(declared, row[name]) };
  };
  return {
    kind: 'insert',
    table,
    columns,
    rows: rows.map((row) => columns.map((name) => cell(row, name))),
    onDuplicate: duplicateHandling(request, scope, preferences),
    ...parseAnswer(request, scope, preferences),
  };
}

/** The filters of a write, which name rows of the table alone. */
function parseReach(request: TableRequest, scope: Scope): readonly Condition[] {
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
  const columns = writtenColumns(Object.keys(row), access.columns, scope, null);
  const conditions = parseReach(request, scope);
  const answer = parseAnswer(request, scope, preferences);
  if (access.by === 'command') {
    return { kind: 'update command', table, changes: claimsOf(row, table), conditions, ...answer };
  }
  return {
    kind: 'update',
    table,
    changes: columns.flatMap((column) => {
      const declared = columnOf(table, column);
      if (!declared || !Object.hasOwn(row, column)) return [];
      return [{ column, value: readJsonValue(declared, row[column]) }];
    }),
    conditions,
    ...answer,
  };
}

/** @throws RestError 42501 when the role may not delete, 21000 without a filter. */
export function parseDelete(request: TableRequest, scope: Scope, preferences: Preferences): DeleteQuery {
  const { table, role } = scope;
  if (!table.access[role]?.delete) throw denied(role, `table ${table.name}`);
  return {
    kind: 'delete',
    table,
    conditions: parseReach(request, scope),
    ...parseAnswer(request, scope, preferences),
  };
}
