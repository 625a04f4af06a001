/**
 * Which tests cite which requirements. A test cites a requirement by its id in its title, or in the title of a group
 * around it; `RULE-01 … RULE-04` cites four. Titles are read from the syntax tree, so a comment or a string elsewhere
 * cites nothing, and neither does a test that is skipped.
 */
import { parseSync } from '@swc/core';

export interface Requirement {
  readonly id: string;
  readonly area: string;
}

/** Reads `docs/requirements.txt`: `PREFIX count area` lines. Throws on a line of another form. */
export function parseRequirements(text: string): Requirement[] {
  const requirements: Requirement[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const parts = /^(?<prefix>[A-Z]+) (?<count>[1-9]\d*) (?<area>.+)$/.exec(line)?.groups;
    if (!parts?.prefix || !parts.area) throw new Error(`not an area of requirements: ${line}`);
    for (let number = 1; number <= Number(parts.count); number++) {
      requirements.push({ id: `${parts.prefix}-${String(number).padStart(2, '0')}`, area: parts.area });
    }
  }
  return requirements;
}

const citation = /\b(?<area>[A-Z]+)-(?<from>\d+)\b(?:\s*(?:…|\.{2,3}|–)\s*(?:\k<area>-)?(?<to>\d+)\b)?/g;
const rangeMax = 200;

/** The ids in a title, each once, ranges written out. */
export function citedIds(title: string): string[] {
  const ids = new Set<string>();
  for (const match of title.matchAll(citation)) {
    const { area = '', from = '', to = from } = match.groups ?? {};
    const last = Math.min(Number(to), Number(from) + rangeMax);
    for (let number = Number(from); number <= last; number++) {
      ids.add(`${area}-${String(number).padStart(from.length, '0')}`);
    }
  }
  return [...ids];
}

/** Ids in order, with neighbours of one area drawn together: `RULE-01 … RULE-04`. */
export function asRanges(ids: readonly string[]): string[] {
  const ranges: { first: string; last: string }[] = [];
  for (const id of ids) {
    const range = ranges.at(-1);
    if (range && areNeighbours(range.last, id)) range.last = id;
    else ranges.push({ first: id, last: id });
  }
  return ranges.map(({ first, last }) => (first === last ? first : `${first} … ${last}`));
}

function areNeighbours(id: string, next: string): boolean {
  const [area, number] = id.split('-');
  const [nextArea, nextNumber] = next.split('-');
  return area === nextArea && Number(number) + 1 === Number(nextNumber);
}

type Node = Partial<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const testFunctions = new Set(['test', 'it', 'describe']);
const skipping = new Set(['skip', 'todo', 'fixme']);

/** The names in a callee such as `test.each(rows)`, outermost first: `['test', 'each']`; null when it is another form. */
function calleeNames(callee: unknown): string[] | null {
  if (!isNode(callee)) return null;
  switch (callee.type) {
    case 'Identifier':
      return [String(callee.value)];
    case 'MemberExpression': {
      const names = calleeNames(callee.object);
      return names && isNode(callee.property) ? [...names, String(callee.property.value)] : null;
    }
    case 'CallExpression':
      return calleeNames(callee.callee);
    case 'TaggedTemplateExpression':
      return calleeNames(callee.tag);
    default:
      return null;
  }
}

function literalText(expression: unknown): string | null {
  if (!isNode(expression)) return null;
  if (expression.type === 'StringLiteral') return String(expression.value);
  if (expression.type !== 'TemplateLiteral' || !Array.isArray(expression.quasis)) return null;
  return expression.quasis.map((part) => (isNode(part) ? String(part.cooked) : '')).join('…');
}

/** The title of a call that declares a test or a group; null for any other call. */
function titleOf(call: Node): { title: string; isSkipped: boolean } | null {
  const names = calleeNames(call.callee);
  if (!names || !testFunctions.has(names[0] ?? '')) return null;
  const [first] = Array.isArray(call.arguments) ? call.arguments : [];
  const title = isNode(first) ? literalText(first.expression) : null;
  return title === null ? null : { title, isSkipped: names.some((name) => skipping.has(name)) };
}

/** The titles of the tests and groups in a source file, in order; throws when it cannot be parsed. */
export function testTitles(source: string, isJsx: boolean): string[] {
  const titles: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const entry of value) visit(entry);
      return;
    }
    if (!isNode(value)) return;
    const declared = value.type === 'CallExpression' ? titleOf(value) : null;
    if (declared?.isSkipped) return;
    if (declared) titles.push(declared.title);
    for (const child of Object.values(value)) visit(child);
  };
  visit(parseSync(source, { syntax: 'typescript', tsx: isJsx, target: 'es2022' }).body);
  return titles;
}
