/** Conditions as SQL. NULL behaves as in PostgreSQL: a comparison with it is not true, and neither is its negation. */
import type { Table } from '@fulcrum/contract';
import { type Bind, declared, identifier } from './policy.ts';
import type { Comparison, Condition, ListOperator, PatternOperator } from './query.ts';

const operatorSql: Record<Comparison | PatternOperator | ListOperator, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  cs: '@>',
  cd: '<@',
  ov: '&&',
};
const stateSql = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
} as const;

/** A boolean expression over the row of `table` under `alias`. */
export function conditionSql(condition: Condition, table: Table, alias: string, bind: Bind): string {
  if (condition.kind === 'not') return `not ${conditionSql(condition.condition, table, alias, bind)}`;
  if (condition.kind === 'group') {
    const parts = condition.conditions.map((part) => conditionSql(part, table, alias, bind));
    return `(${parts.join(` ${condition.join} `)})`;
  }
  const { type } = declared(table, condition.column);
  const reference = `${alias}.${identifier(condition.column)}`;
  switch (condition.kind) {
    case 'compare':
    case 'contain':
      return `${reference} ${operatorSql[condition.by]} ${bind(condition.value, type)}`;
    case 'distinct':
      return `${reference} is distinct from ${bind(condition.value, type)}`;
    case 'like':
      return `${reference} ${operatorSql[condition.by]} ${bind(condition.pattern, type)}`;
    case 'quantified':
      return `${reference} ${operatorSql[condition.by]} ${condition.over} (${bind(condition.values, `${type}[]`)})`;
    case 'in':
      return `${reference} = any(${bind(condition.values, `${type}[]`)})`;
    case 'is':
      return `${reference} ${stateSql[condition.state]}`;
  }
}
