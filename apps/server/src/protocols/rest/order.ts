/** `order=created_at.desc.nullslast,users(username)`: by own columns, and by those of an embedded row. */
import { malformed, notEmbedded } from './errors.ts';
import { limits } from './limits.ts';
import { columnOf, type EmbedSelection, type Ordering, type Scope, type Selection } from './query.ts';
import { requireReadable } from './select-list.ts';

const termForm =
  /^(?:(?<quote>"?)(?<column>[^".(),]+)\k<quote>|(?<embed>[^".(),]+)\((?<target>[^".(),]+)\))(?:\.(?<direction>asc|desc))?(?:\.nulls(?<nulls>first|last))?$/u;

/**
 * The terms in their order; absent or empty means none.
 * @throws RestError PGRST100 for a term that cannot be read, PGRST108 for an embed that is not selected, 42703 or 42501
 * for the column.
 */
export function parseOrder(text: string | null, scope: Scope, selections: readonly Selection[]): Ordering[] {
  if (!text) return [];
  const terms = text.split(',');
  if (terms.length > limits.orderTerms)
    throw malformed(`An order has more than ${limits.orderTerms} columns`);
  return terms.map((term): Ordering => {
    const { column, embed: name, target, direction, nulls } = termForm.exec(term)?.groups ?? {};
    const sorted = column ?? target;
    if (sorted === undefined) throw malformed(`failed to parse order (${term.slice(0, 100)})`);
    const embed = name === undefined ? null : embedNamed(name, selections);
    const { table } = embed ?? scope;
    requireReadable(table, scope.role, sorted);
    const type = columnOf(table, sorted)?.type;
    if (type === 'jsonb' || type === 'text[]') {
      throw malformed(`Rows cannot be ordered by "${sorted}", which is a ${type}`);
    }
    return {
      column: sorted,
      of: embed,
      direction: direction === 'desc' ? 'desc' : 'asc',
      nulls: nulls === 'first' || nulls === 'last' ? nulls : null,
    };
  });
}

function embedNamed(name: string, selections: readonly Selection[]): EmbedSelection {
  for (const selection of selections) {
    if (selection.kind === 'embed' && selection.name === name) return selection;
  }
  throw notEmbedded(name);
}
