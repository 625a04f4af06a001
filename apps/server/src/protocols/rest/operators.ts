/**
 * The operators of a filter and their operands: `[not.]operator[(any|all)].operand`. One table, `operators`, has the whole
 * grammar; a refusal names the operator or type outside it.
 *
 * Known limitations: no full-text, range or regular-expression operator, containment of lists alone, and no comparison of
 * `jsonb`.
 */
import type { Column, PgType } from '@fulcrum/contract';
import { malformed, RestError } from './errors.ts';
import { limits } from './limits.ts';
import {
  type Comparison,
  type Condition,
  comparisons,
  type ListOperator,
  listOperators,
  type PatternOperator,
  patternOperators,
} from './query.ts';
import { readArrayLiteral, readValue } from './values.ts';

interface Operand {
  readonly column: string;
  readonly declared: Column;
  readonly text: string;
}
interface Operator {
  readonly read: (operand: Operand) => Condition;
  /** With `(any)` or `(all)`, where the operator knows them. */
  readonly readOver?: (operand: Operand, over: 'any' | 'all') => Condition;
  /** Whether the operator compares columns of the type. */
  readonly takes: (type: PgType) => boolean;
}

const isSorted = (type: PgType) => type !== 'jsonb' && type !== 'text[]';
const isEqualable = (type: PgType) => type !== 'jsonb';
const isText = (type: PgType) => type === 'text';

function quantifiedValues(text: string): string[] {
  const values = readArrayLiteral(text);
  if (values.length > limits.quantifiedValues) {
    throw malformed(`An (any) or (all) list has more than ${limits.quantifiedValues} values`);
  }
  return values;
}

const comparison = (by: Comparison): Operator => ({
  takes: by === 'eq' || by === 'neq' ? isEqualable : isSorted,
  read: ({ column, declared, text }) => ({ kind: 'compare', column, by, value: readValue(declared, text) }),
  ...(by === 'neq'
    ? {}
    : {
        readOver: ({ column, declared, text }, over) => ({
          kind: 'quantified',
          column,
          by,
          over,
          values: quantifiedValues(text).map((value) => String(readValue(declared, value))),
        }),
      }),
});

/** A pattern of LIKE: `*` stands for `%`, which needs escaping in a URL. */
function readPattern(declared: Column, text: string): string {
  const pattern = String(readValue(declared, text)).replaceAll('*', '%');
  const [escapes = ''] = /\\*$/.exec(pattern) ?? [];
  if (escapes.length % 2 === 1)
    throw new RestError(400, '22025', 'a pattern must not end with an escape character');
  return pattern;
}

const toPatternOperator = (by: PatternOperator): Operator => ({
  takes: isText,
  read: ({ column, declared, text }) => ({ kind: 'like', column, by, pattern: readPattern(declared, text) }),
  readOver: ({ column, declared, text }, over) => ({
    kind: 'quantified',
    column,
    by,
    over,
    values: quantifiedValues(text).map((pattern) => readPattern(declared, pattern)),
  }),
});

const toListOperator = (by: ListOperator): Operator => ({
  takes: (type) => type === 'text[]',
  read: ({ column, declared, text }) => ({ kind: 'contain', column, by, value: readValue(declared, text) }),
});

const states = ['null', 'not_null', 'true', 'false', 'unknown'] as const;
type State = (typeof states)[number];
const isState = (text: string): text is State => (states as readonly string[]).includes(text);

const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ...comparisons.map((by): [string, Operator] => [by, comparison(by)]),
  ...patternOperators.map((by): [string, Operator] => [by, toPatternOperator(by)]),
  ...listOperators.map((by): [string, Operator] => [by, toListOperator(by)]),
  [
    'in',
    {
      takes: isSorted,
      read: ({ column, declared, text }) => ({
        kind: 'in',
        column,
        values: readListOperand(text).map((value) => String(readValue(declared, value))),
      }),
    },
  ],
  [
    'is',
    {
      takes: () => true,
      read: ({ column, declared, text }) => {
        const state = text.toLowerCase();
        const fits = isState(state) && (state === 'null' || state === 'not_null' || declared.type === 'bool');
        if (!fits) throw malformed(`"is" on column "${column}" cannot take ${text.slice(0, 40)}`);
        return { kind: 'is', column, state };
      },
    },
  ],
  [
    'isdistinct',
    {
      takes: isEqualable,
      read: ({ column, declared, text }) => ({ kind: 'distinct', column, value: readValue(declared, text) }),
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

/** The text before the operand: `not.`, the operator, `(any)` or `(all)`, and the dot. */
export const operatorForm = /^(?<not>not\.)?(?<name>[A-Za-z_]*)(?:\((?<over>[^)]*)\))?\./u;

/**
 * The condition that `column` is asked to fulfil by `[not.]operator[(any|all)].operand`.
 * @throws RestError PGRST100 naming an operator outside the grammar or not for this column, 22P02 for a value.
 */
export function readCondition(column: string, declared: Column, filter: string): Condition {
  const match = operatorForm.exec(filter);
  const { not, name = '', over } = match?.groups ?? {};
  const operator = match ? operators.get(name) : undefined;
  if (!match || !operator) {
    const named = match ? name : (filter.split('.', 1)[0] ?? '');
    throw malformed(`Unsupported operator "${named.slice(0, 40)}" on column "${column}"`, {
      hint: `Supported are ${[...operators.keys()].join(', ')}, each also after not.`,
    });
  }
  if (!operator.takes(declared.type)) {
    throw malformed(`Unsupported operator "${name}" on column "${column}" of type ${declared.type}`);
  }
  const operand: Operand = { column, declared, text: filter.slice(match[0].length) };
  const condition =
    over === undefined ? operator.read(operand) : readQuantified(operator, operand, name, over);
  return not === undefined ? condition : { kind: 'not', condition };
}

function readQuantified(operator: Operator, operand: Operand, name: string, over: string): Condition {
  if (!operator.readOver || (over !== 'any' && over !== 'all')) {
    throw malformed(`Unsupported operator "${name}(${over.slice(0, 40)})" on column "${operand.column}"`);
  }
  return operator.readOver(operand, over);
}
