/**
 * The filters of a query string: `column=operator.value`, the groups `or`, `and`, `not.or`, `not.and`, and the same for
 * a table that the select embeds, behind its name (`users.username=eq.x`, `users.or=(…)`). Known limitations: a page
 * (`users.limit`) of an embed and a filter on whether there is one (`users=is.null`) are refused; an order of an embed
 * (`users.order`) is read and changes nothing, because one row has no order.
 */
import type { Table } from '@fulcrum/contract';
import { malformed, notEmbedded } from './errors.ts';
import { limits } from './limits.ts';
import { type Group, parseGroup } from './logic.ts';
import { readCondition } from './operators.ts';
import { parseOrder } from './order.ts';
import { type Condition, columnOf, type EmbedSelection, type Scope, type Selection } from './query.ts';
import { requireReadable } from './select-list.ts';

/** Parameters that are not filters. */
const reserved = new Set(['select', 'order', 'limit', 'offset', 'on_conflict', 'columns']);
const groupForm = /^(not\.)?(and|or)$/;

export interface Filters {
  /** Conditions on the table's own rows. */
  readonly own: readonly Condition[];
  /** Conditions on an embed's row, by the name of the embed in the answer. */
  readonly ofEmbeds: ReadonlyMap<string, readonly Condition[]>;
}

/** Counts comparisons over the whole request. */
class Budget {
  #left: number = limits.filters;
  spend(): void {
    this.#left -= 1;
    if (this.#left < 0) throw malformed(`A request has more than ${limits.filters} filters`);
  }
}

/** A filter of one table: a group, or a column's. */
function readFilter(name: string, text: string, scope: Scope, budget: Budget): Condition {
  const readLeaf = (column: string, filter: string): Condition => {
    budget.spend();
    requireReadable(scope.table, scope.role, column);
    const declared = columnOf(scope.table, column);
    if (!declared) throw malformed(`Unknown column "${column.slice(0, 100)}"`);
    return readCondition(column, declared, filter);
  };
  const group = groupForm.exec(name);
  if (!group || columnOf(scope.table, name)) return readLeaf(name, text);
  const condition = parseGroup(group[2] === 'or' ? 'or' : ('and' satisfies Group), text, readLeaf);
  return group[1] === undefined ? condition : { kind: 'not', condition };
}

/** Splits `users.username` into the embed and its condition; null for a parameter of the table itself. */
function embedOf(
  parameter: string,
  table: Table,
  selections: readonly Selection[],
): { readonly embed: EmbedSelection; readonly name: string } | null {
  const dot = parameter.indexOf('.');
  if (dot === -1 || groupForm.test(parameter) || columnOf(table, parameter)) return null;
  const embed = selections.find(
    (selection): selection is EmbedSelection =>
      selection.kind === 'embed' && selection.name === parameter.slice(0, dot),
  );
  if (!embed) throw notEmbedded(parameter.slice(0, dot));
  return { embed, name: parameter.slice(dot + 1) };
}

/**
 * Every filter of the query string, in its order.
 * @throws RestError PGRST100 naming what is outside the grammar, PGRST108 for an embed that is not selected, 42703 or
 * 42501 for the column, 22P02 for a value.
 */
export function parseFilters(
  search: URLSearchParams,
  scope: Scope,
  selections: readonly Selection[],
): Filters {
  const own: Condition[] = [];
  const ofEmbeds = new Map<string, Condition[]>();
  const budget = new Budget();
  for (const [parameter, text] of search) {
    if (reserved.has(parameter)) continue;
    const embedded = embedOf(parameter, scope.table, selections);
    if (!embedded) {
      own.push(readFilter(parameter, text, scope, budget));
      continue;
    }
    const { embed, name } = embedded;
    const target: Scope = { ...scope, table: embed.table };
    if (name === 'order') {
      parseOrder(text, target, []);
      continue;
    }
    if (reserved.has(name) || (name.includes('.') && !groupForm.test(name))) {
      throw malformed(`"${parameter.slice(0, 100)}" is not supported: an embed is one row, one level deep`);
    }
    const conditions = ofEmbeds.get(embed.name) ?? [];
    conditions.push(readFilter(name, text, target, budget));
    ofEmbeds.set(embed.name, conditions);
  }
  return { own, ofEmbeds };
}

/** The selections, each embed with the conditions that its row has to fulfil. */
export function withConditions(
  selections: readonly Selection[],
  { ofEmbeds }: Filters,
): readonly Selection[] {
  if (ofEmbeds.size === 0) return selections;
  return selections.map((selection) =>
    selection.kind === 'column'
      ? selection
      : { ...selection, conditions: ofEmbeds.get(selection.name) ?? selection.conditions },
  );
}
