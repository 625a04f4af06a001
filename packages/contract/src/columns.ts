/**
 * Column declarations: one object says what a column is in PostgreSQL, on the wire and in TypeScript.
 * `numeric` is `numeric(28,8)` and travels as a JSON number; in, a number or a decimal string. A `date` is `YYYY-MM-DD`,
 * a `text[]` a JSON array of strings, a `jsonb` any JSON value.
 */
import { z } from 'zod';

export type PgType =
  | 'uuid'
  | 'text'
  | 'text[]'
  | 'numeric'
  | 'int4'
  | 'int8'
  | 'bool'
  | 'date'
  | 'timestamptz'
  | 'jsonb';

export interface Column {
  readonly type: PgType;
  readonly nullable: boolean;
  /** The closed list of values of a text column, when it has one. */
  readonly values?: readonly string[];
  /** What is written into a `text[]` is read as tags, by the domain's one rule for them (JRNL-07, JRNL-08). */
  readonly areTags?: true;
  /** Whether an insert may leave it out, because the table fills it in. */
  readonly hasDefault?: true;
}

const tsTypes: Record<PgType, string> = {
  uuid: 'string',
  text: 'string',
  'text[]': 'string[]',
  numeric: 'number',
  int4: 'number',
  int8: 'number',
  bool: 'boolean',
  date: 'string',
  timestamptz: 'string',
  jsonb: 'Json',
};

/** The TypeScript type of a column as supabase-js users read it; `Json` is declared where the types are generated. */
export function typeOf(column: Column): string {
  const base = column.values ? column.values.map((value) => `'${value}'`).join(' | ') : tsTypes[column.type];
  return column.nullable ? `${base} | null` : base;
}

const of = (type: PgType, nullable = false): Column => ({ type, nullable });

export const uuid = of('uuid');
export const text = of('text');
export const numeric = of('numeric');
export const int = of('int4');
export const bigint = of('int8');
export const bool = of('bool');
export const timestamp = of('timestamptz');
export const date = of('date');
export const textList = of('text[]');
export const tagList: Column = { ...textList, areTags: true };
export const json = of('jsonb');
export const nullable = (column: Column): Column => ({ ...column, nullable: true });
export const withDefault = (column: Column): Column => ({ ...column, hasDefault: true });
export const oneOf = (...values: readonly string[]): Column => ({ type: 'text', nullable: false, values });

/** A decimal claim from a client: a JSON number or a decimal string of at most 8 decimals (finer checks in the domain). */
export const decimal = z.union([
  z.number().refine(Number.isFinite, 'must be a finite number'),
  z
    .string()
    .max(40)
    .regex(/^-?\d+(\.\d+)?$/, 'must be a decimal number'),
]);
export const id = z.uuid();
export const symbol = z.string().min(1).max(32);
