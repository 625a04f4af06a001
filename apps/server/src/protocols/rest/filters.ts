/**
 * Filters (`column=operator.value`) and `order` of a query string. The operators of this grammar stand in one table,
 * `operators`; any other is refused by name. Known limitations: no negation, no `or`, no filter on an embedded table.
 */
import type { Column, Role, Table } from '@fulcrum/contract';
import { malformed } from './errors.ts';
import { limits } from './limits.ts';
import { type Comparison, type Condition, columnOf, comparisons, type Ordering } from './query.ts';
import { requireReadable } from './select-list.ts';
import { readValue } from './values.ts';

/** Parameters that are not filters. */
const reserved = new Set(['select', 'order', 'limit', 'offset', 'on_conflict', 'columns']);

type ReadOperand = (column: string, declared: Column, operand: string) => Condition;

const comparison =
  (by: Comparison): ReadOperand =>
  (column, declared, operand) => ({ kind: 'compare', column, by, value: readValue(declared, operand) });

const operators: ReadonlyMap<string, ReadOperand> = new Map<string, ReadOperand>([
  ...comparisons.map((by): [string, ReadOperand] => [by, comparison(by)]),
  [
    'in',
    (column, declared, operand) => ({
      kind: 'in',
      column,
      values: readListOperand(operand).map((value) => readValue(declared, value)),
    }),
  ],
  [
    'is',
    (column, declared, operand) => {
      const state = operand.toLowerCase();
      const fits =
        state === 'null' ||
        state === 'not_null' ||
        (declared.type === 'bool' && (state === 'true' || state === 'false'));
      if (!fits) throw malformed(`"is" on column "${column}" cannot take ${operand.slice(0, 40)}`);
      return { kind: 'is', column, state };
    },
  ],
]);

/** The values of `(a,b,"c,d")`; inside quotes a backslash takes the next character literally. */
function readListOperand(operand: string): string[] {
  if (!operand.startsWith('(') || !operand.endsWith(')')) throw malformed('"in" needs a list in parentheses');
  const list = operand.slice(1, -1);
  if (list === '') return [];
  const values: string[] = [];
  let at = 0;
  while (at <= list.length) {
    if (values.length >= limits.inListValues) {
      throw malformed(`An "in" list has more than ${limits.inListValues} values`);
    }
    if (list.charAt(at) === '"') {
      const quoted = /"((?:[^"\\]|\\.)*)"(?=,|$)/suy;
      quoted.lastIndex = at;
      const match = quoted.exec(list);
      if (!match) throw malformed('A quoted value of the "in" list does not end');
      values.push((match[1] ?? '').replace(/\\(.)/gsu, '$1'));
      at = quoted.lastIndex + 1;
    } else {
      const comma = list.indexOf(',', at);
      const end = comma === -1 ? list.length : comma;
      values.push(list.slice(at, end));
      at = end + 1;
    }
  }
  return values;
}

function refuseUnlessColumn(table: Table, parameter: string): void {
  if (columnOf(table, parameter)) return;
  if (/^(not\.)?(or|and)$/.test(parameter)) throw malformed(`Unsupported operator "${parameter}"`);
  if (parameter.includes('.')) {
    throw malformed(`Filters and order on embedded tables are not supported ("${parameter.slice(0, 100)}")`);
  }
}

/**
 * Every filter of the query string, in its order.
 * @throws RestError PGRST100 naming an operator outside the grammar, 42703 or 42501 for the column, 22P02 for a value.
 */
export function parseFilters(search: URLSearchParams, table: Table, role: Role): Condition[] {
  const conditions: Condition[] = [];
  for (const [column, filter] of search) {
    if (reserved.has(column)) continue;
    refuseUnlessColumn(table, column);
    requireReadable(table, role, column);
    const dot = filter.indexOf('.');
    const name = dot === -1 ? filter : filter.slice(0, dot);
    const read = operators.get(name);
    if (dot === -1 || !read) {
      throw malformed(`Unsupported operator "${name.slice(0, 40)}" on column "${column}"`, {
        hint: `Supported are ${[...operators.keys()].join(', ')}`,
      });
    }
    const declared = columnOf(table, column);
    if (declared) conditions.push(read(column, declared, filter.slice(dot + 1)));
    if (conditions.length > limits.filters)
      throw malformed(`A request has more than ${limits.filters} filters`);
  }
  return conditions;
}

/** `order=created_at.desc.nullslast,id`. @throws RestError as `parseFilters`. */
export function parseOrder(text: string | null, table: Table, role: Role): Ordering[] {
  if (!text) return [];
  const terms = text.split(',');
  if (terms.length > limits.orderTerms)
    throw malformed(`An order has more than ${limits.orderTerms} columns`);
  return terms.map((term): Ordering => {
    const match = /^("?)([^".(]+)\1(?:\.(asc|desc))?(?:\.nulls(first|last))?$/.exec(term);
    if (!match) throw malformed(`failed to parse order (${term.slice(0, 100)})`);
    const [, , column = '', direction, nulls] = match;
    requireReadable(table, role, column);
    return {
      column,
      direction: direction === 'desc' ? 'desc' : 'asc',
      nulls: nulls === 'first' || nulls === 'last' ? nulls : null,
    };
  });
}
