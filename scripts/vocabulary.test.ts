import { describe, expect, test } from 'vitest';
import {
  type Counts,
  countRefused,
  describeFaults,
  parseRefusedWords,
  vocabularyOf,
  wordsOfName,
} from './vocabulary.ts';

const glossary = `# Glossary

## Words we do not use

| Word | Say instead | Refused in | Stays |
|---|---|---|---|
| \`turn\`, \`turns\` | slot | names | \`turnOver\`, \`apps/web/\` |
| \`told\` | notified | names, texts | \`truth be told\` |
| \`made up\` | synthetic | names, texts | |

## More
| \`more\` | less | names | |
`;
const words = parseRefusedWords(glossary);
const count = (source: string, path = 'apps/server/a.ts'): Counts[string] | undefined =>
  countRefused(words, [{ path, source }])[path];

describe('the table of the glossary', () => {
  test('gives each word with what to say instead, its scopes and where it stays', () => {
    expect(words.map(({ word }) => word)).toEqual(['turn', 'turns', 'told', 'made up']);
    expect(words[0]).toEqual({
      word: 'turn',
      instead: 'slot',
      scopes: new Set(['names']),
      exceptions: ['turn over'],
      paths: ['apps/web/'],
    });
  });

  test.each([
    ['no table', '# Glossary\n'],
    ['an unknown scope', glossary.replace('| names |', '| comments |')],
    ['no other word', glossary.replace('| slot |', '| |')],
    ['a cell too many', glossary.replace('| slot |', '| slot | lock |')],
  ])('%s is an error', (_, document) => {
    expect(() => parseRefusedWords(document)).toThrow('docs/glossary.md');
  });
});

test.each([
  ['readTurn', 'read turn'],
  ['HTMLTurns2x', 'html turns2x'],
  ['READ_TURN', 'read turn'],
  ['read-turn.test.ts', 'read turn test ts'],
])('the words of %s are %s', (name, parts) => {
  expect(wordsOfName(name)).toBe(parts);
});

describe('names and texts of a source file', () => {
  test.each([
    ['const a1 = 1, { b1, c1: d1, e1: [f1] = [], ...g1 } = x;', ['a1', 'd1', 'f1', 'g1']],
    ['function a1(b1: T, { c1: d1 }: U = {}, ...e1: V[]) {}', ['a1', 'b1', 'd1', 'e1']],
    ['const a1 = async (b1: T) => { try {} catch (c1) {} };', ['a1', 'b1', 'c1']],
    [
      'class A1<B1> { #c1 = 1; d1 = 2; constructor(readonly e1: T) {} get f1() { return 1; } static g1(h1: T) {} }',
      ['A1', 'B1', 'c1', 'd1', 'e1', 'f1', 'g1', 'h1'],
    ],
    ['interface A1 { b1: T; c1(d1: U): V; }', ['A1', 'b1', 'c1', 'd1']],
    ['type A1<B1> = (c1: T) => U; enum D1 { e1 }', ['A1', 'B1', 'c1', 'D1', 'e1']],
    ["import a1, { b1, c1 as d1 } from './z1.ts'; export { e1 as f1, g1 };", ['a1', 'd1', 'f1']],
    ['const a1 = { b1: 1, c1() {}, d1, "e1": 2, f_1: 3 };', ['a1', 'b1', 'c1']],
    ['used1.member1(argument1); type1 satisfies Type1;', []],
  ])('%s declares %j', (source, names) => {
    expect(vocabularyOf(source, false).names.toSorted()).toEqual(names.toSorted());
  });

  test('texts are strings, templates and JSX of at least two words', () => {
    const source = `const a = <p title="a title">some text {\`of \${b} a template\`}{'key'}</p>; // no comment
      type T = 'one type'; import 'a module';`;
    expect(vocabularyOf(source, true).texts.map((text) => text.trim())).toEqual(
      expect.arrayContaining(['a title', 'some text', 'a template']),
    );
    expect(vocabularyOf("const a = 'key'; // no comment", false).texts).toEqual([]);
  });

  test('a file that cannot be parsed is an error', () => {
    expect(() => vocabularyOf('const =', false)).toThrow();
  });
});

describe('refused words', () => {
  test.each([
    ['const readTurn = 1;', { turn: 1 }],
    ['const turn = 1; function takeTurns(turn: T) {}', { turn: 2, turns: 1 }],
    ['interface MadeUpNews { madeUpAt: number }', { 'made up': 2 }],
    ["throw new Error('The user was told so, and told again');", { told: 2 }],
    ["test('A headline is made-up', () => {});", { 'made up': 1 }],
    ["test('A headline is made\\nup', () => {});", { 'made up': 1 }],
    ["const text = 'It was TOLD';", { told: 1 }],
    ["const text = 'Told again';", { told: 1 }],
    ['const turn2 = 1;', undefined],
    ['const READTurn = 1;', { turn: 1 }],
  ])('%s', (source, found) => {
    expect(count(source)).toEqual(found);
  });

  test.each([
    ['return, returned and turnover are other words', 'const returned = 1; const turnover = 2;'],
    ['a name that stays', 'const turnOver = 1;'],
    ['a phrase that stays', "throw new Error('Truth be told, no price');"],
    ['a word that texts may use', "const text = 'Your turn has come';"],
    ['a name declared elsewhere', 'turns.next(turn.told);'],
    ['a column and a key in quotes', "const row = { told_at: 1, 'told': 2 };"],
    ['a class, a path and a tag', "const a = 'told-x w-told ./told told.ts a:told x';"],
    ['a comment', '// The user is told.\nconst a = 1;'],
  ])('%s', (_, source) => {
    expect(count(source)).toBeUndefined();
  });

  test('the name of a file counts, a path that keeps the word does not', () => {
    expect(count('export {};', 'apps/server/read-turns.ts')).toEqual({ turns: 1 });
    expect(count('const turn = 1;', 'apps/web/a.ts')).toBeUndefined();
  });
});

test('a fault names the file, the word, its count and what to use instead', () => {
  const found = { 'a.ts': { told: 3, turn: 1 }, 'b.ts': { 'made up': 1 } };
  expect(describeFaults(words, found)).toEqual([
    'a.ts: "told" 3 times; use instead: notified',
    'a.ts: "turn" 1 times; use instead: slot',
    'b.ts: "made up" 1 times; use instead: synthetic',
  ]);
  expect(describeFaults(words, {})).toEqual([]);
});
