/**
 * From a request to `/rest/v1/{table}` (method, query string, headers, body, role) to a typed query; pure. Invariant:
 * whatever a client sends, the result is a query of declared things or a `RestError`; nothing else is thrown.
 */
import { type Role, type Table, tableByName } from '@fulcrum/contract';
import { badBody, denied, malformed, noSuchColumn, noSuchTable, RestError } from './errors.ts';
import { parseFilters, parseOrder } from './filters.ts';
import { limits } from './limits.ts';
import { type Preferences, parsePreferences, wantsSingle } from './negotiation.ts';
import {
  type Cell,
  columnOf,
  type DeleteQuery,
  type InsertQuery,
  type Selection,
  type SelectQuery,
  type TableQuery,
} from './query.ts';
import { parseSelect } from './select-list.ts';
import { readJsonValue } from './values.ts';

export interface TableRequest {
  readonly method: string;
  readonly table: string;
  readonly search: URLSearchParams;
  /** Lower-case names, as node gives them. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The parsed JSON body; undefined when there is none. */
  readonly body: unknown;
  readonly role: Role;
}

interface Page {
  readonly offset: number;
  readonly limit: number;
  readonly capped: boolean;
}

/** A parameter that may stand once. */
function single(search: URLSearchParams, name: string): string | null {
  const values = search.getAll(name);
  if (values.length > 1) throw malformed(`"${name}" is given more than once`);
  return values[0] ?? null;
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw malformed(`"${name}" must be a whole number from 0`);
  return Number(text);
}

/** `limit`/`offset`, else the `Range` header (inclusive bounds), else the first page. */
function parsePage(request: TableRequest): Page {
  const limit = single(request.search, 'limit');
  const offset = single(request.search, 'offset');
  let from = offset === null ? 0 : wholeNumber('offset', offset);
  let wanted = limit === null ? null : wholeNumber('limit', limit);

  const unit = request.headers['range-unit'] ?? 'items';
  const range = /^(?:items=)?(\d{1,10})-(\d{1,10})?$/.exec(request.headers.range ?? '');
  if (range && unit === 'items' && limit === null && offset === null) {
    from = Number(range[1]);
    wanted = range[2] === undefined ? null : Number(range[2]) - from + 1;
    if (wanted !== null && wanted < 1) {
      throw new RestError(416, 'PGRST103', 'Requested range not satisfiable', {
        details: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
      });
    }
  }
  if (from > limits.offsetRows) throw malformed(`An offset is at most ${limits.offsetRows}`);
  const capped = wanted === null || wanted > limits.pageRows;
  return { offset: from, limit: capped ? limits.pageRows : (wanted ?? limits.pageRows), capped };
}

function parseReturning(request: TableRequest, table: Table, preferences: Preferences): Selection[] | null {
  if (preferences.return !== 'representation') return null;
  if (!table.access[request.role]?.select) throw denied(request.role, `table ${table.name}`);
  return parseSelect(single(request.search, 'select'), table, request.role);
}

function refuseParameters(request: TableRequest, names: readonly string[]): void {
  for (const name of names) {
    if (request.search.has(name)) throw malformed(`"${name}" is not supported with ${request.method}`);
  }
}

function parseSelectQuery(request: TableRequest, table: Table, preferences: Preferences): SelectQuery {
  if (!table.access[request.role]?.select) throw denied(request.role, `table ${table.name}`);
  refuseParameters(request, ['on_conflict', 'columns']);
  return {
    kind: 'select',
    table,
    selections: parseSelect(single(request.search, 'select'), table, request.role),
    conditions: parseFilters(request.search, table, request.role),
    order: parseOrder(single(request.search, 'order'), table, request.role),
    ...parsePage(request),
    counted: preferences.counted,
    headOnly: request.method === 'HEAD',
    single: wantsSingle(request.headers.accept),
  };
}

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

/** The columns an insert fills: those of its rows, without the owner, which comes from the token. */
function insertColumns(request: TableRequest, table: Table, rows: readonly JsonRow[]): string[] {
  const allowed = table.access[request.role]?.insert?.columns ?? [];
  const listed = single(request.search, 'columns')
    ?.split(',')
    .map((name) => name.replace(/^"(.*)"$/, '$1'));
  const named = new Set([...(listed ?? []), ...rows.flatMap((row) => Object.keys(row))]);
  const columns: string[] = [];
  for (const name of named) {
    if (!columnOf(table, name)) throw noSuchColumn(table.name, name);
    if (name === table.owner) continue;
    if (!allowed.includes(name)) throw denied(request.role, `column ${name} of table ${table.name}`);
    columns.push(name);
  }
  if (columns.length === 0) throw badBody('The body names no column to insert');
  return columns;
}

function duplicateHandling(
  request: TableRequest,
  table: Table,
  preferences: Preferences,
): InsertQuery['onDuplicate'] {
  const target = single(request.search, 'on_conflict');
  if (preferences.onDuplicate === 'refuse') return 'refuse';
  if (!table.access[request.role]?.insert?.upsert)
    throw denied(request.role, `upsert into table ${table.name}`);
  const named = target?.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  if (named && named.toSorted().join() !== table.key.toSorted().join()) {
    throw new RestError(
      400,
      '42P10',
      'there is no unique or exclusion constraint matching the ON CONFLICT specification',
      { hint: `The key of ${table.name} is ${table.key.join(',')}` },
    );
  }
  return preferences.onDuplicate;
}

function parseInsert(request: TableRequest, table: Table, preferences: Preferences): InsertQuery {
  if (!table.access[request.role]?.insert) throw denied(request.role, `table ${table.name}`);
  refuseParameters(request, ['order', 'limit', 'offset']);
  const rows = bodyRows(request.body);
  const columns = insertColumns(request, table, rows);
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
    onDuplicate: duplicateHandling(request, table, preferences),
    returning: parseReturning(request, table, preferences),
    single: wantsSingle(request.headers.accept),
  };
}

function parseDelete(request: TableRequest, table: Table, preferences: Preferences): DeleteQuery {
  if (!table.access[request.role]?.delete) throw denied(request.role, `table ${table.name}`);
  refuseParameters(request, ['order', 'limit', 'offset', 'on_conflict', 'columns']);
  const conditions = parseFilters(request.search, table, request.role);
  if (conditions.length === 0) throw new RestError(400, '21000', 'DELETE requires a WHERE clause');
  return {
    kind: 'delete',
    table,
    conditions,
    returning: parseReturning(request, table, preferences),
    single: wantsSingle(request.headers.accept),
  };
}

/**
 * The typed query of a request.
 * @throws RestError PGRST205 for an undeclared table, 42501 when the role has no such access, and as the parts do.
 */
export function parseTableRequest(request: TableRequest): TableQuery {
  const table = tableByName.get(request.table);
  if (!table) throw noSuchTable(request.table);
  const preferences = parsePreferences(request.headers.prefer);
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return parseSelectQuery(request, table, preferences);
    case 'POST':
      return parseInsert(request, table, preferences);
    case 'DELETE':
      return parseDelete(request, table, preferences);
    default:
      // No role updates a row directly: every change with a consequence is a procedure.
      throw denied(request.role, `table ${table.name}`);
  }
}
