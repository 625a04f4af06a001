/**
 * Which words names and texts must not use, and where the tree uses them.
 *
 * The words are listed once, in the table "Words we do not use" of `docs/glossary.md`. A name is what a file declares
 * (variables, parameters, functions, types, members, imports under a new name), and the path of the file itself; it is
 * read part by part, so `turn` matches `readTurn` and not `returned`. A text is a string, template or JSX text of at
 * least two words.
 *
 * Known limitations: names with an underscore are columns and wire fields, and are left out; so are names in strings.
 * Comments and documents are not read.
 */
import { parseSync } from '@swc/core';

/** Where a word is refused. */
export type Scope = 'names' | 'texts';

export interface RefusedWord {
  /** Lower case; several words are a phrase, which matches `madeUp` and `made-up` too. */
  readonly word: string;
  readonly instead: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Names and phrases that keep the word, as the same space-separated words. */
  readonly exceptions: readonly string[];
  /** Beginnings of paths where the word keeps a standard meaning. */
  readonly paths: readonly string[];
}

const section = /^## Words we do not use\n(?<rows>[\s\S]*?)(?=^## |$(?![\s\S]))/m;
const codeSpan = /`([^`]+)`/g;

const codeSpansOf = (cell: string): string[] => [...cell.matchAll(codeSpan)].map(([, code = '']) => code);

/** The table of the glossary. @throws Error when it is missing or a row is malformed. */
export function parseRefusedWords(glossary: string): RefusedWord[] {
  const lines = section.exec(glossary)?.groups?.rows?.split('\n') ?? [];
  const rows = lines.filter((line) => line.startsWith('| `'));
  if (rows.length === 0) throw new Error('docs/glossary.md has no table "Words we do not use"');
  return rows.flatMap((row) => {
    const [words = '', instead = '', scope = '', stays = '', ...more] = row.split('|').slice(1, -1);
    const scopes = new Set(scope.split(',').map((one) => one.trim()));
    const isKnown = [...scopes].every((one) => one === 'names' || one === 'texts');
    if (!isKnown || instead.trim() === '' || more.length > 0) {
      throw new Error(`docs/glossary.md: not a row of refused words: ${row}`);
    }
    const retained = codeSpansOf(stays);
    return codeSpansOf(words).map((word) => ({
      word,
      instead: instead.trim(),
      scopes: scopes as Set<Scope>,
      exceptions: retained.filter((one) => !one.includes('/')).map(wordsOfName),
      paths: retained.filter((one) => one.includes('/')),
    }));
  });
}

/** `readTurn`, `read-turn` and `READ_TURN` are `read turn`. */
export const wordsOfName = (name: string): string =>
  name
    .replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim()
    .toLowerCase();

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

export interface Vocabulary {
  readonly names: readonly string[];
  readonly texts: readonly string[];
}

/** Fields that hold a name which the node declares, by the type of the node. */
const declaring: Readonly<Record<string, readonly string[]>> = {
  VariableDeclarator: ['id'],
  FunctionDeclaration: ['identifier'],
  FunctionExpression: ['identifier'],
  ClassDeclaration: ['identifier'],
  ClassExpression: ['identifier'],
  ClassMethod: ['key'],
  ClassProperty: ['key'],
  PrivateMethod: ['key'],
  PrivateProperty: ['key'],
  MethodProperty: ['key'],
  KeyValueProperty: ['key'],
  GetterProperty: ['key'],
  SetterProperty: ['key'],
  ArrowFunctionExpression: ['params'],
  Parameter: ['pat'],
  TsParameterProperty: ['param'],
  CatchClause: ['param'],
  TsInterfaceDeclaration: ['id'],
  TsTypeAliasDeclaration: ['id'],
  TsEnumDeclaration: ['id'],
  TsEnumMember: ['id'],
  TsModuleDeclaration: ['id'],
  TsPropertySignature: ['key'],
  TsMethodSignature: ['key', 'params'],
  TsFunctionType: ['params'],
  TsTypeParameter: ['name'],
  ImportDefaultSpecifier: ['local'],
  ImportNamespaceSpecifier: ['local'],
  ExportSpecifier: ['exported'],
};

/** Names that a pattern binds; its keys, shorthand ones included, are another declaration's. */
function* boundNames(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const entry of value) yield* boundNames(entry);
  else if (isNode(value)) {
    if (value.type === 'Identifier' || value.type === 'PrivateName') yield* ownName(value);
    else if (value.type === 'KeyValuePatternProperty') yield* boundNames(value.value);
    else if (value.type === 'ObjectPattern') yield* boundNames(value.properties);
    else if (value.type === 'ArrayPattern') yield* boundNames(value.elements);
    else if (value.type === 'AssignmentPattern') yield* boundNames(value.left);
    else if (value.type === 'RestElement') yield* boundNames(value.argument);
    else if (value.type === 'Parameter') yield* boundNames(value.pat);
  } else if (typeof value === 'object' && value !== null && 'pat' in value) yield* boundNames(value.pat);
}

function* ownName(node: Node): Generator<string> {
  const name = node.type === 'PrivateName' ? (node.value ?? (node.id as Node).value) : node.value;
  if (typeof name === 'string' && !name.includes('_')) yield name;
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && /\p{L}\s+\S*\p{L}/u.test(value);

/** The names that a source file declares and the texts that it holds; throws when it cannot be parsed. */
export function vocabularyOf(source: string, isJsx: boolean): Vocabulary {
  const { body } = parseSync(source, { syntax: 'typescript', tsx: isJsx, target: 'es2022' });
  const names: string[] = [];
  const texts: string[] = [];

  function visit(value: unknown): void {
    if (Array.isArray(value)) {
      for (const entry of value) visit(entry);
      return;
    }
    if (!isNode(value)) {
      if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) visit(child);
      return;
    }
    for (const field of declaring[value.type] ?? []) names.push(...boundNames(value[field]));
    if (value.type === 'ImportSpecifier') {
      if (value.imported) names.push(...boundNames(value.local));
      return;
    }
    if (value.type === 'StringLiteral' || value.type === 'JSXText') {
      if (isText(value.value)) texts.push(value.value);
      return;
    }
    if (value.type === 'TemplateElement') {
      if (isText(value.raw)) texts.push(value.raw);
      return;
    }
    for (const child of Object.values(value)) if (typeof child === 'object') visit(child);
  }

  visit(body);
  return { names, texts };
}

export interface SourceFile {
  /** From the root, with slashes. */
  readonly path: string;
  readonly source: string;
}

/** How often each file uses each refused word: `{ [path]: { [word]: count } }`, without zeros. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

interface Matcher {
  readonly refused: RefusedWord;
  readonly form: RegExp;
}

/** Whole words: not inside a longer word, a path, a column or a class such as `w-full`. */
const toForm = (word: string): RegExp =>
  new RegExp(`(?<![\\w:./#$-])${word.replaceAll(' ', '[\\s-]+')}(?![\\w:/-]|\\.\\w)`, 'giu');

/** Finds any of the words as a part of a name or a text, in comments too: files without one are not parsed. */
function toFilter(words: readonly string[]): RegExp {
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const alternatives = [
    `(?<![A-Za-z])(?:${words.join('|')})(?![a-z])`,
    `(?:${words.map(capital).join('|')})(?![a-z])`,
    `\\b(?:${words.map((word) => word.toUpperCase()).join('|')})\\b`,
  ];
  return new RegExp(alternatives.join('|'), 'u');
}

/** An exception inside the text takes its words out of it. */
const without = (text: string, exceptions: readonly string[]): string =>
  exceptions.reduce((rest, exception) => rest.replace(toForm(exception), ' '), text);

/** Counts the refused words in the files. */
export function countRefused(words: readonly RefusedWord[], files: Iterable<SourceFile>): Counts {
  const matchers = words.map((refused): Matcher => ({ refused, form: toForm(refused.word) }));
  const anyWord = toFilter(words.map(({ word }) => word.split(' ')[0] ?? word));
  const counts: Record<string, Record<string, number>> = {};
  for (const { path, source } of files) {
    if (!anyWord.test(source) && !anyWord.test(path)) continue;
    const { names, texts } = vocabularyOf(source, path.endsWith('x'));
    const file = wordsOfName(path.slice(path.lastIndexOf('/') + 1));
    const allNames = [file, ...names.map(wordsOfName)];
    const found: Record<string, number> = {};
    for (const { refused, form } of matchers) {
      if (refused.paths.some((start) => path.startsWith(start))) continue;
      const read = [
        ...(refused.scopes.has('names') ? allNames : []),
        ...(refused.scopes.has('texts') ? texts : []),
      ];
      let count = 0;
      for (const text of read) {
        if (text.search(form) < 0) continue;
        count += without(text, refused.exceptions).match(form)?.length ?? 0;
      }
      if (count > 0) found[refused.word] = count;
    }
    if (Object.keys(found).length > 0) counts[path] = found;
  }
  return counts;
}

/** One line for each word that a file uses. */
export function describeFaults(words: readonly RefusedWord[], found: Counts): string[] {
  const instead = new Map(words.map(({ word, instead: other }) => [word, other]));
  return Object.entries(found).flatMap(([path, uses]) =>
    Object.entries(uses).map(
      ([word, count]) => `${path}: "${word}" ${count} times; use instead: ${instead.get(word)}`,
    ),
  );
}
