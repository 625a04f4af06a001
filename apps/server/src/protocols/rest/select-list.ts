/**
 * The `select` parameter: `*`, columns, aliases (`name:column`) and one level of many-to-one embeds
 * (`owner:users!user_id(id,username)`). Reading has two steps: the text becomes items, then the items are resolved
 * against the contract for a role. Known limitations: casts, JSON paths, aggregates, spreads and embeds of many rows are
 * refused by name.
 */
import type { Relation, Role, Table } from '@fulcrum/contract';
import { denied, malformed, noSuchColumn, noSuchRelation } from './errors.ts';
import { limits } from './limits.ts';
import { type ColumnSelection, columnOf, type EmbedSelection, type Scope, type Selection } from './query.ts';

interface Item {
  readonly alias: string | null;
  readonly name: string;
  readonly hints: readonly string[];
  /** The list in parentheses of an embed, null for a column. */
  readonly children: readonly Item[] | null;
}

const nameForm = /[\p{L}\p{N}_$-]+|\*/uy;
/** Syntax after a name that this grammar does not support, with the term for the refusal. */
const unsupportedAfterName: readonly (readonly [string, string])[] = [
  ['::', 'Casts'],
  ['->', 'JSON paths'],
  ['.', 'Aggregate functions'],
];

/** Reads the list's syntax. @throws RestError PGRST100 naming what cannot be read. */
function readItems(text: string): Item[] {
  let at = 0;
  const unexpected = () =>
    malformed(`failed to parse select parameter (${text.slice(0, 200)})`, {
      details:
        at < text.length
          ? `unexpected "${text.charAt(at)}" at character ${at + 1}`
          : 'unexpected end of the list',
    });

  function readName(): string {
    if (text.charAt(at) === '"') {
      const end = text.indexOf('"', at + 1);
      if (end <= at + 1) throw unexpected();
      const name = text.slice(at + 1, end);
      at = end + 1;
      return name;
    }
    nameForm.lastIndex = at;
    const match = nameForm.exec(text);
    // A name may contain a hyphen, but `column->key` is a path.
    const name =
      match?.[0].endsWith('-') && text.charAt(nameForm.lastIndex) === '>'
        ? match[0].slice(0, -1)
        : match?.[0];
    if (!name) throw unexpected();
    at += name.length;
    return name;
  }

  function readItem(depth: number): Item {
    if (text.startsWith('...', at)) throw malformed('Spread embeds (...) are not supported');
    let name = readName();
    let alias: string | null = null;
    if (text.charAt(at) === ':' && text.charAt(at + 1) !== ':') {
      at += 1;
      alias = name;
      name = readName();
    }
    const hints: string[] = [];
    while (text.charAt(at) === '!') {
      at += 1;
      hints.push(readName());
    }
    for (const [mark, what] of unsupportedAfterName) {
      if (text.startsWith(mark, at))
        throw malformed(`${what} are not supported in select ("${name}${mark}")`);
    }
    if (text.charAt(at) !== '(') return { alias, name, hints, children: null };
    if (depth > 0) throw malformed(`Embeds of more than one level are not supported ("${name}")`);
    at += 1;
    const children = text.charAt(at) === ')' ? [] : readList(depth + 1);
    if (text.charAt(at) !== ')') throw unexpected();
    at += 1;
    return { alias, name, hints, children };
  }

  function readList(depth: number): Item[] {
    const items = [readItem(depth)];
    while (text.charAt(at) === ',') {
      at += 1;
      items.push(readItem(depth));
    }
    return items;
  }

  const items = readList(0);
  if (at < text.length) throw unexpected();
  return items;
}

/** Whether `role` may read `column` of `table`; an undeclared column is not readable. */
function mayRead(table: Table, role: Role, column: string): boolean {
  const readable = table.access[role]?.select?.columns;
  if (!readable || !columnOf(table, column)) return false;
  return readable === '*' || readable.includes(column);
}

/** @throws RestError 42703 for an undeclared column, 42501 for one that the role may not read. */
export function requireReadable(table: Table, role: Role, column: string): void {
  if (!columnOf(table, column)) throw noSuchColumn(table.name, column);
  if (!mayRead(table, role, column)) throw denied(role, `column ${column} of table ${table.name}`);
}

/** The name of a relation's foreign key, as PostgreSQL would call it and as the generated types do. */
export const foreignKeyName = (table: string, column: string) => `${table}_${column}_fkey`;

/** Hints that say how to join, and not by what. */
const joins: readonly string[] = ['left', 'inner'];

/**
 * Resolves the relation of an embed, by table, column, foreign key or declared name, with or without a hint. A table's
 * reference to itself would be ambiguous by table name (PostgREST reads it as the rows that point back), so only column,
 * key or declared name select it.
 */
function resolveRelation(table: Table, item: Item): Relation {
  const [hint, ...more] = item.hints.filter((name) => !joins.includes(name));
  if (more.length > 0) throw malformed(`An embed takes one hint ("${item.name}!${item.hints.join('!')}")`);
  if (item.name === table.name) {
    const relation = table.relations.find((candidate) => candidate.table === table.name);
    throw malformed(`Embeds of many rows are not supported ("${item.name}")`, {
      hint: relation
        ? `The one row that ${relation.column} names is ${relation.column}(…)`
        : 'No such relation',
    });
  }
  const possible = table.relations.filter((relation) => {
    const keys = [relation.name, relation.column, foreignKeyName(table.name, relation.column)];
    const isNamed = item.name === relation.table || keys.includes(item.name);
    return isNamed && (hint === undefined || keys.includes(hint));
  });
  // Of several ones to the same table `user:users(…)` means the one of that name (CALL-67).
  const aliased = possible.filter(({ name }) => name === item.alias);
  const [first, second] = aliased.length > 0 ? aliased : possible;
  if (!first) throw noSuchRelation(table.name, item.name);
  if (second) {
    throw malformed(`More than one relationship was found for '${table.name}' and '${item.name}'`, {
      hint: `Name the column: ${item.name}!${first.column}`,
    });
  }
  return first;
}

function resolveColumns(items: readonly Item[], table: Table, role: Role): ColumnSelection[] {
  return items.flatMap((item): ColumnSelection[] => {
    if (item.name === '*' && item.alias === null) {
      return Object.keys(table.columns)
        .filter((column) => mayRead(table, role, column))
        .map((column) => ({ kind: 'column', name: column, column }));
    }
    if (item.hints.length > 0) throw malformed(`A hint (!${item.hints[0]}) belongs to an embed`);
    requireReadable(table, role, item.name);
    return [{ kind: 'column', name: item.alias ?? item.name, column: item.name }];
  });
}

function resolveEmbed(item: Item, children: readonly Item[], { table, role, tables }: Scope): EmbedSelection {
  if (children.length === 0)
    throw malformed(`Aggregates and empty embeds are not supported ("${item.name}()")`);
  const relation = resolveRelation(table, item);
  requireReadable(table, role, relation.column);
  const target = tables.get(relation.table);
  if (!target) throw noSuchRelation(table.name, item.name);
  if (!target.access[role]?.select) throw denied(role, `table ${target.name}`);
  return {
    kind: 'embed',
    name: item.alias ?? item.name,
    through: relation.column,
    table: target,
    join: item.hints.includes('inner') ? 'inner' : 'left',
    conditions: [],
    columns: withoutRepeats(resolveColumns(children, target, role)),
  };
}

/** Drops a repeated selection (`*,id`) and refuses two different ones of one name, and names beyond a plain one. */
function withoutRepeats<S extends Selection>(selections: readonly S[]): S[] {
  const byName = new Map<string, S>();
  for (const selection of selections) {
    if (selection.name.length > 63 || selection.name.includes('\0')) {
      throw malformed('An alias has at most 63 characters and no NUL');
    }
    const earlier = byName.get(selection.name);
    const repeats =
      earlier?.kind === 'column' && selection.kind === 'column' && earlier.column === selection.column;
    if (earlier && !repeats) throw malformed(`"${selection.name}" is selected more than once`);
    byName.set(selection.name, selection);
  }
  if (byName.size > limits.selections) throw malformed(`A select has more than ${limits.selections} columns`);
  return [...byName.values()];
}

/**
 * The selections of a `select` parameter for a role; absent or empty means `*`.
 * @throws RestError PGRST100 (syntax), 42703 (column), PGRST200 (relation), 42501 (not for this role).
 */
export function parseSelect(text: string | null, scope: Scope): Selection[] {
  const { table, role } = scope;
  const items = readItems(text || '*');
  const selections = items.flatMap((item): Selection[] =>
    item.children ? [resolveEmbed(item, item.children, scope)] : resolveColumns([item], table, role),
  );
  if (selections.filter((selection) => selection.kind === 'embed').length > limits.embeds) {
    throw malformed(`A select has more than ${limits.embeds} embeds`);
  }
  return withoutRepeats(selections);
}
