/**
 * Reads the texts of requirements and decisions and the citations of tests, and reports faulty citations.
 *
 * The texts are in `docs/specification.md` and `docs/decisions.md`, each behind an anchor with its id. A running test
 * cites a requirement by its id in its own title, in the title of one of its steps, or in a row of its table that fills a
 * `%s` of the title; `RULE-01 … RULE-04` cites four. Titles are read from the syntax tree, so a comment or another string
 * proves nothing. The title of a group, of a test that may be skipped or has to fail, of one without a body, or of one that
 * only `npm run test:long` runs proves nothing either. Every other place that names an id only has to name one that has a text.
 *
 * Known limitation: a citation is a claim; the reader judges whether the body proves the fact in its title.
 */
import { parseSync } from '@swc/core';
import { longFiles } from './test-files.ts';

/** A requirement or a decision: an anchor in a document, with the text behind it. */
export interface Text {
  readonly id: string;
  /** The heading above it: `AUTH: Sign-in and sessions`. */
  readonly section: string;
  readonly text: string;
}

export interface Requirement {
  readonly id: string;
  readonly area: string;
}

const heading = /^##+ (?<title>.+)$/;
const anchor = /<a id="(?<id>(?:[A-Z]+-|A)\d+)"><\/a>/;
const entry = /^- <a id="(?<id>[^"]+)"><\/a>\*\*(?<label>\S+?)(?: [^*]+)?\*\* (?<text>\S.*)$/;

/** The texts of a document in order. @throws Error on an anchor that is repeated, is another id's, or has no text. */
export function parseTexts(document: string): Text[] {
  const texts = new Map<string, Text>();
  let section = '';
  for (const line of document.split('\n')) {
    section = heading.exec(line)?.groups?.title ?? section;
    const id = anchor.exec(line)?.groups?.id;
    if (id === undefined) continue;
    const parts = entry.exec(line)?.groups;
    if (parts?.id !== id || parts.label !== id || !parts.text)
      throw new Error(`${id} has no text of its own`);
    if (texts.has(id)) throw new Error(`the anchor ${id} is repeated`);
    texts.set(id, { id, section, text: parts.text });
  }
  return [...texts.values()];
}

/** The requirements in order. @throws Error on an id below another area's heading, and on a gap in the ids of an area. */
export function requirementsOf(texts: readonly Text[]): Requirement[] {
  const counts = new Map<string, number>();
  return texts.map(({ id, section }) => {
    const [prefix = '', area = ''] = section.split(': ');
    const number = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, number);
    const expected = `${prefix}-${String(number).padStart(2, '0')}`;
    if (id !== expected) throw new Error(`found ${id} instead of ${expected}`);
    return { id, area };
  });
}

const citation = /\b(?<area>[A-Z]+)-(?<from>\d+)\b(?:\s*(?:…|\.{2,3}|–)\s*(?:\k<area>-)?(?<to>\d+)\b)?/g;
/** Ids of one range: a longer range does not state which test proves which. */
export const rangeMax = 5;

export interface Citations {
  /** Each once, ranges written out. */
  readonly ids: readonly string[];
  /** Ranges of more ids than a test may claim at once; they cite nothing. */
  readonly tooLong: readonly string[];
}

/** The ids in a title. */
export function citedIds(title: string): Citations {
  const ids = new Set<string>();
  const tooLong: string[] = [];
  for (const match of title.matchAll(citation)) {
    const { area = '', from = '', to = from } = match.groups ?? {};
    if (Number(to) - Number(from) >= rangeMax) {
      tooLong.push(match[0]);
      continue;
    }
    for (let number = Number(from); number <= Number(to); number++) {
      ids.add(`${area}-${String(number).padStart(from.length, '0')}`);
    }
  }
  return { ids: [...ids], tooLong };
}

/** Each use of an id in any text, with its line; of a range both ends. Ids of unknown areas (`UTF-8`) are none. */
export function* idsIn(text: string, prefixes: ReadonlySet<string>): Generator<{ id: string; line: number }> {
  let line = 1;
  let from = 0;
  const lineAt = (index: number): number => {
    for (let next = text.indexOf('\n', from); next >= 0 && next < index; next = text.indexOf('\n', from)) {
      line++;
      from = next + 1;
    }
    return line;
  };
  for (const match of text.matchAll(anyId)) {
    const { area, number = '', to, decision } = match.groups ?? {};
    if (decision) yield { id: decision, line: lineAt(match.index) };
    if (area === undefined || !prefixes.has(area)) continue;
    yield { id: `${area}-${number}`, line: lineAt(match.index) };
    if (to) yield { id: `${area}-${to}`, line: lineAt(match.index) };
  }
}

/** A decision is no part of a longer token, of an escape (`%A41`) or of a colour (`#A12`), but may be the target of a link. */
const anyId =
  /\b(?<area>[A-Z]+)-(?<number>\d+)\b(?:\s*(?:…|\.{2,3}|–)\s*(?:\k<area>-)?(?<to>\d+)\b)?|(?<![\w%]|(?<!\.md|\()#)(?<decision>A\d{2,3})\b/g;

const blockComment = /\/\*[\s\S]*?\*\//g;
/** Comments on whole lines in a row, or after code; `--` is SQL's. */
const lineComments = {
  code: /(?:^[ \t]*\/\/.*(?:\n|$))+|(?<=\S[ \t]+)\/\/ .*$/gm,
  sql: /(?:^[ \t]*--.*(?:\n|$))+|(?<=\S[ \t]+)--.*$/gm,
} as const;
const anId = /\b(?:[A-Z]+-\d+|A\d{2,3})\b/g;

/** The comments whose first sentence, tags apart, consists of ids alone: an id never replaces a sentence. */
export function bareComments(source: string, language: keyof typeof lineComments): string[] {
  const comments = [blockComment, lineComments[language]].flatMap((form) => source.match(form) ?? []);
  return comments.filter((comment) => {
    const text = comment
      .replace(/^[ \t]*(?:\/\*+|\*\/|\*|\/\/+|--+)|\*\/$/gm, ' ')
      .replace(/\s@[a-z]+\b[\s\S]*$/, '');
    const [sentence = ''] = text.split(/\.(?=\s|$)/, 1);
    const remainder = sentence.replace(anId, '').replace(/\b(?:and|to|or|see)\b/gi, '');
    return sentence.search(anId) >= 0 && !/[a-z]/i.test(remainder);
  });
}

/** Ids in order, with neighbours of one area drawn together: `RULE-01 … RULE-04`. */
export function toRanges(ids: readonly string[]): string[] {
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
const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

const testFunctions = new Set(['test', 'it']);
const groupFunctions = new Set(['describe']);
/** A test with one of these in its call may not run, or passes by failing. */
const notRunning = new Set(['skip', 'skipIf', 'runIf', 'todo', 'fixme', 'fail', 'fails']);

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

/** The ids in a literal; an id that touches an expression of a template is none, since the expression may continue it. */
function literalText(expression: unknown): string | null {
  if (!isNode(expression)) return null;
  if (expression.type === 'StringLiteral') return String(expression.value);
  if (expression.type !== 'TemplateLiteral') return null;
  return nodesOf(expression.quasis)
    .map((part) => String(part.cooked))
    .join('_');
}

/** The expression behind `as const`, `satisfies …` and brackets. */
function bare(expression: unknown): unknown {
  const wrappers = ['TsConstAssertion', 'TsAsExpression', 'TsSatisfiesExpression', 'ParenthesisExpression'];
  return isNode(expression) && wrappers.includes(String(expression.type))
    ? bare(expression.expression)
    : expression;
}

/** The literal rows of a table by the names of constants, as far as the file itself declares them. */
type Constants = ReadonlyMap<string, unknown>;

function constantsOf(body: unknown): Constants {
  const constants = new Map<string, unknown>();
  for (const statement of nodesOf(body)) {
    for (const declaration of nodesOf(statement.declarations)) {
      if (isNode(declaration.id)) constants.set(String(declaration.id.value), declaration.init);
    }
  }
  return constants;
}

const elementsOf = (expression: unknown): unknown[] | null => {
  const array = bare(expression);
  return isNode(array) && array.type === 'ArrayExpression'
    ? nodesOf(array.elements).map((element) => element.expression)
    : null;
};

/** The rows that `test.each(rows)` or `test.for(rows)` names, each with the texts of its cells; none for any other call. */
function tableOf(callee: unknown, constants: Constants): (string | null)[][] {
  if (!isNode(callee) || callee.type !== 'CallExpression') return [];
  const method = calleeNames(callee)?.at(-1);
  if (method !== 'each' && method !== 'for') return [];
  const [rows] = nodesOf(callee.arguments);
  const given = bare(rows?.expression);
  const named = isNode(given) && given.type === 'Identifier' ? constants.get(String(given.value)) : given;
  return (elementsOf(named) ?? []).map((row) =>
    (elementsOf(row) ?? [row]).map((cell) => literalText(bare(cell))),
  );
}

/** The title with the values of a row in the place of each `%s`; a value that is no literal is left out. */
const filledIn = (title: string, row: readonly (string | null)[]): string => {
  let cell = 0;
  return title.replace(/%[sdifjoO#]/g, () => row[cell++] ?? '_');
};

/** The statements of an inline function; null for a function by name, whose body is elsewhere. */
function statementsOf(call: Node): Node[] | null {
  const inline = nodesOf(call.arguments)
    .map(({ expression }) => expression)
    .filter(isNode)
    .find(({ type }) => type === 'ArrowFunctionExpression' || type === 'FunctionExpression');
  if (!inline) return null;
  const { body } = inline;
  if (!isNode(body)) return [];
  return body.type === 'BlockStatement'
    ? nodesOf(body.stmts)
    : [{ type: 'ExpressionStatement', expression: body }];
}

/** `skip()`, `context.skip()`, `test.skip(…)`, `test.fixme()`, `test.fail()` as a statement. */
function isSkip({ type, expression }: Node): boolean {
  if (type !== 'ExpressionStatement' || !isNode(expression)) return false;
  if (expression.type !== 'CallExpression') return false;
  const names = calleeNames(expression.callee) ?? [];
  const [first = ''] = names;
  const last = names.at(-1) ?? '';
  return last === 'skip' || (testFunctions.has(first) && notRunning.has(last));
}

/** Whether a declared test does something, and leaves itself out nowhere on its way. */
function isRunning(call: Node): boolean {
  const statements = statementsOf(call);
  if (statements === null) return nodesOf(call.arguments).length > 1;
  return statements.length > 0 && !statements.some(isSkip);
}

/** Whether `{ tag: '@long' }` or a list with it stands among the arguments: `npm test -- --all` leaves the test or the group out. */
const isLeftToLong = (call: Node): boolean =>
  nodesOf(call.arguments)
    .flatMap(({ expression }) => (isNode(expression) ? nodesOf(expression.properties) : []))
    .filter(({ key }) => isNode(key) && key.value === 'tag')
    .flatMap(({ value }) => [value, ...(elementsOf(value) ?? [])])
    .some((tag) => literalText(bare(tag)) === '@long');

/** The titles of the running tests in a source file and of their steps, in order; throws when it cannot be parsed. */
export function testTitles(source: string, isJsx: boolean): string[] {
  const { body } = parseSync(source, { syntax: 'typescript', tsx: isJsx, target: 'es2022' });
  const constants = constantsOf(body);
  const titles: string[] = [];

  function visitCall(call: Node): void {
    const names = calleeNames(call.callee) ?? [];
    const [first = ''] = names;
    const [title] = nodesOf(call.arguments);
    const text = literalText(title?.expression);
    const isGroup = groupFunctions.has(first) || (testFunctions.has(first) && names.includes('describe'));
    const isDeclared = text !== null && (isGroup || testFunctions.has(first));
    if (isDeclared) {
      if (names.some((name) => notRunning.has(name)) || isLeftToLong(call)) return;
      if (!isGroup) {
        if (!isRunning(call)) return;
        const rows = tableOf(call.callee, constants);
        titles.push(...(rows.length === 0 ? [text] : new Set(rows.map((row) => filledIn(text, row)))));
      }
    }
    for (const child of Object.values(call)) visit(child);
  }

  function visit(value: unknown): void {
    if (Array.isArray(value)) for (const entry of value) visit(entry);
    else if (isNode(value) && value.type === 'CallExpression') visitCall(value);
    else if (isNode(value)) for (const child of Object.values(value)) visit(child);
  }

  visit(body);
  return titles;
}

export interface SourceFile {
  /** From the root, with slashes. */
  readonly path: string;
  readonly source: string;
}

export interface CitingTest {
  readonly file: string;
  readonly title: string;
}

export interface Review {
  readonly requirements: readonly (Requirement & { readonly tests: readonly CitingTest[] })[];
  /** One line each; none when every citation holds. */
  readonly faults: readonly string[];
}

const isTest = (path: string): boolean =>
  /\.test\.tsx?$|^e2e\/.*\.spec\.ts$/.test(path) && !longFiles.includes(path);
const isCode = (path: string): boolean => /\.(?:[cm]?[jt]sx?|sql|css)$/.test(path);

/** Holds every citation in the files to the texts of the two documents. @throws Error when a document is malformed. */
export function reviewCitations(
  documents: { readonly specification: string; readonly decisions: string },
  files: Iterable<SourceFile>,
): Review {
  const requirements = requirementsOf(parseTexts(documents.specification));
  const decisions = parseTexts(documents.decisions);
  const known = new Set([...requirements, ...decisions].map(({ id }) => id));
  const prefixes = new Set(requirements.map(({ id }) => id.slice(0, id.indexOf('-'))));
  const citing = new Map<string, CitingTest[]>(requirements.map(({ id }) => [id, []]));
  const faults: string[] = [];

  for (const { path, source } of files) {
    for (const { id, line } of idsIn(source, prefixes)) {
      if (!known.has(id)) faults.push(`${id} has no text, but is cited in ${path}:${line}`);
    }
    for (const comment of isCode(path) ? bareComments(source, path.endsWith('.sql') ? 'sql' : 'code') : []) {
      faults.push(`an id replaces a sentence in ${path}: ${comment.trim()}`);
    }
    for (const title of isTest(path) ? testTitles(source, path.endsWith('x')) : []) {
      const cited = citedIds(title);
      for (const range of cited.tooLong) {
        faults.push(`${range} are more than ${rangeMax} ids, in ${path}: ${title}`);
      }
      for (const id of cited.ids) citing.get(id)?.push({ file: path, title });
    }
  }

  const reviewed = requirements.map((requirement) => ({
    ...requirement,
    tests: citing.get(requirement.id) ?? [],
  }));
  const uncited = reviewed.filter(({ tests }) => tests.length === 0).map(({ id }) => id);
  if (uncited.length > 0) faults.push(`cited by no running test: ${toRanges(uncited).join(', ')}`);
  return { requirements: reviewed, faults };
}
