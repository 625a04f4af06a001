/** The closed lists and bounds that migrations repeat in SQL equal those of contract and domain. */
import { type Column, tables } from '@fulcrum/contract';
import {
  challengeOutcomes,
  challengeRulesBroken,
  MAX_LEVERAGE,
  MIN_LEVERAGE,
  programFaces,
  signalOutcomes,
  timeframes,
} from '@fulcrum/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../harness/index.ts';

let db: TestDatabase;
/** By `table.column`: the conditions of its checks. */
let checks: Map<string, readonly string[]>;

beforeAll(async () => {
  db = await createTestDatabase();
  const { rows } = await db.query<{ name: string; conditions: string[] }>(
    `select format('%s.%s', t.relname, a.attname) as name, array_agg(pg_get_constraintdef(c.oid)) as conditions
     from pg_constraint c
     join pg_class t on t.oid = c.conrelid
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'c' and t.relnamespace = 'app'::regnamespace and cardinality(c.conkey) = 1
     group by name`,
  );
  checks = new Map(rows.map(({ name, conditions }) => [name, conditions]));
});
afterAll(() => db.close());

const valuesIn = (name: string): readonly string[][] =>
  (checks.get(name) ?? [])
    .filter((condition) => condition.includes('ARRAY['))
    .map((condition) => [...condition.matchAll(/'([^']+)'::text/g)].map(([, value]) => value!));

/** The server or a view computes these columns; no table stores them under the name. */
const computed = new Set(['trading_pairs.source', 'trading_pairs.state', 'chat_sessions.last_sender_role']);
const lists = Object.values(tables)
  .flatMap((table) =>
    Object.entries<Column>(table.columns).flatMap(([column, { values }]) =>
      values ? [[`${table.name}.${column}`, values] as const] : [],
    ),
  )
  .filter(([name]) => !computed.has(name));

test.each(lists)('%s has the values of the contract', (name, values) => {
  expect(valuesIn(name)).toContainEqual([...values]);
});

test('RULE-04: the leverage has the bounds of the domain', () => {
  for (const table of ['positions', 'orders'])
    expect(checks.get(`${table}.leverage`)).toContain(
      `CHECK (((leverage >= ${MIN_LEVERAGE}) AND (leverage <= ${MAX_LEVERAGE})))`,
    );
});

test('a stored bar has a timeframe of the domain', () => {
  expect(valuesIn('candles.timeframe')).toEqual([[...timeframes]]);
});

test('A119: an outcome of a signal is one of the domain', () => {
  expect(valuesIn('signals.outcome')).toEqual([[...signalOutcomes]]);
});

test.each([
  ['programs.face', programFaces],
  ['program_verdicts.outcome', challengeOutcomes],
  ['program_verdicts.rule', challengeRulesBroken],
] as const)('A112: %s has the values of the domain', (name, values) => {
  expect(valuesIn(name)).toEqual([[...values]]);
});
