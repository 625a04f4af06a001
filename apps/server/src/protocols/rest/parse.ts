/**
 * From a request to `/rest/v1/{table}` (method, query string, headers, body, role) to a typed query; pure. Invariant:
 * whatever a client sends, the result is a query of declared things or a `RestError`; nothing else is thrown.
 */
import { type Table, tableByName } from '@fulcrum/contract';
import { denied, noSuchTable } from './errors.ts';
import { parseFilters, withConditions } from './filters.ts';
import { type Preferences, parsePreferences, requestsSingle } from './negotiation.ts';
import { parseOrder } from './order.ts';
import { parsePage } from './page.ts';
import { parseDelete, parseInsert, parseUpdate } from './parse-writes.ts';
import type { Scope, SelectQuery, TableQuery } from './query.ts';
import { parseSelect } from './select-list.ts';
import { once, refuseParameters, type TableRequest } from './table-request.ts';

function parseRead(request: TableRequest, scope: Scope, preferences: Preferences): SelectQuery {
  const { table, role } = scope;
  if (!table.access[role]?.select) throw denied(role, `table ${table.name}`);
  refuseParameters(request, ['on_conflict', 'columns']);
  const selected = parseSelect(once(request.search, 'select'), scope);
  const filters = parseFilters(request.search, scope, selected);
  const selections = withConditions(selected, filters);
  return {
    kind: 'select',
    table,
    selections,
    conditions: filters.own,
    order: parseOrder(once(request.search, 'order'), scope, selections),
    ...parsePage(request.search, request.headers),
    counted: preferences.counted,
    headOnly: request.method === 'HEAD',
    single: requestsSingle(request.headers.accept),
  };
}

/**
 * The typed query of a request against the declared `tables`.
 * @throws RestError PGRST205 for an undeclared table, 42501 when the role has no such access, and as the parts do.
 */
export function parseTableRequest(
  request: TableRequest,
  tables: ReadonlyMap<string, Table> = tableByName,
): TableQuery {
  const table = tables.get(request.table);
  if (!table) throw noSuchTable(request.table);
  const scope: Scope = { table, role: request.role, tables };
  const preferences = parsePreferences(request.headers.prefer);
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return parseRead(request, scope, preferences);
    case 'POST':
      return parseInsert(request, scope, preferences);
    case 'PATCH':
      return parseUpdate(request, scope, preferences);
    case 'DELETE':
      return parseDelete(request, scope, preferences);
    default:
      // A PUT replaces a whole row, which no client of ours sends.
      throw denied(request.role, `table ${table.name}`);
  }
}
