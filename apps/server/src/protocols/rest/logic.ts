/**
 * `or=(a.eq.1,and(b.gt.2,c.not.is.null))`: the grammar of groups. Inside a group an operand ends at a comma or a
 * parenthesis; one that contains them is quoted (`"a,b"`, with backslash escapes), a list (`(…)`) or an array (`{…}`).
 */
import { malformed } from './errors.ts';
import { limits } from './limits.ts';
import type { Condition } from './query.ts';

export type Group = 'and' | 'or';
/** Turns `column` and its filter into a condition, by the rules of the group's place. */
type ReadLeaf = (column: string, filter: string) => Condition;

const groupForm = /(not\.)?(and|or)\(/y;
const columnForm = /(?:"([^"]+)"|([^".,()\s]+))\./y;
const operatorForm = /(?:not\.)?[A-Za-z_]*(?:\([a-z]*\))?\./y;
const quotedForm = /"((?:[^"\\]|\\.)*)"/suy;
/** A list or an array, in which quotes hide the closing sign. */
const listForm = /\((?:"(?:[^"\\]|\\.)*"|[^")])*\)/suy;
const arrayForm = /\{(?:"(?:[^"\\]|\\.)*"|[^"}])*\}/suy;
const bareForm = /[^,)]*/suy;

/**
 * The condition of a group parameter (`or`, `and`), whose `text` is the list in parentheses.
 * @throws RestError PGRST100 for a text that cannot be read or nests too deep, and whatever `readLeaf` throws.
 */
export function parseGroup(join: Group, text: string, readLeaf: ReadLeaf): Condition {
  let at = 0;

  const unexpected = () =>
    malformed(`failed to parse logic tree (${text.slice(0, 200)})`, {
      details:
        at < text.length
          ? `unexpected "${text.charAt(at)}" at character ${at + 1}`
          : 'unexpected end of the list',
    });

  function take(form: RegExp): RegExpExecArray | null {
    form.lastIndex = at;
    const match = form.exec(text);
    if (match) at += match[0].length;
    return match;
  }
  function skipSpaces(): void {
    while (text.charAt(at) === ' ') at += 1;
  }
  function expectSign(sign: string): void {
    if (text.charAt(at) !== sign) throw unexpected();
    at += 1;
    skipSpaces();
  }

  /** The text between the operator and the end of the leaf; quotes around the whole of it are taken off. */
  function readOperand(): string {
    const quoted = take(quotedForm);
    if (quoted) return (quoted[1] ?? '').replace(/\\(.)/gsu, '$1');
    const [operand = ''] = take(listForm) ?? take(arrayForm) ?? take(bareForm) ?? [];
    return operand;
  }

  function readItem(depth: number): Condition {
    const group = take(groupForm);
    if (group) {
      skipSpaces();
      const condition = readItems(group[2] === 'or' ? 'or' : 'and', depth + 1);
      return group[1] === undefined ? condition : { kind: 'not', condition };
    }
    const column = take(columnForm);
    if (!column) throw unexpected();
    const operator = take(operatorForm);
    if (!operator) throw unexpected();
    const condition = readLeaf(column[1] ?? column[2] ?? '', `${operator[0]}${readOperand()}`);
    skipSpaces();
    return condition;
  }

  /** The items up to the closing parenthesis, the opening one being read already. */
  function readItems(by: Group, depth: number): Condition {
    if (depth > limits.logicDepth) throw malformed(`Groups nest deeper than ${limits.logicDepth} levels`);
    const conditions = [readItem(depth)];
    while (text.charAt(at) === ',') {
      expectSign(',');
      conditions.push(readItem(depth));
    }
    expectSign(')');
    return { kind: 'group', join: by, conditions };
  }

  expectSign('(');
  const condition = readItems(join, 1);
  if (at < text.length) throw unexpected();
  return condition;
}
