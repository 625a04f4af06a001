/**
 * Column declarations: one object describes a column in PostgreSQL, on the wire and in TypeScript. `numeric` is
 * `numeric(28,8)` and travels as a JSON number; clients may also send a decimal string. A `date` is `YYYY-MM-DD`, a
 * `text[]` a JSON array of strings, a `jsonb` any JSON value.
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
  /** A value written into this `text[]` is parsed as tags by the domain's rule (JRNL-07, JRNL-08). */
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

const defineColumn = (type: PgType, nullable = false): Column => ({ type, nullable });

export const uuid = defineColumn('uuid');
export const text = defineColumn('text');
export const numeric = defineColumn('numeric');
export const int = defineColumn('int4');
export const bigint = defineColumn('int8');
export const bool = defineColumn('bool');
export const timestamp = defineColumn('timestamptz');
export const date = defineColumn('date');
export const textList = defineColumn('text[]');
export const tagList: Column = { ...textList, areTags: true };
export const json = defineColumn('jsonb');
export const nullable = (column: Column): Column => ({ ...column, nullable: true });
export const withDefault = (column: Column): Column => ({ ...column, hasDefault: true });
export const oneOf = (...values: readonly string[]): Column => ({ type: 'text', nullable: false, values });

/** A decimal from a client: a JSON number or a decimal string of at most 8 decimals (the domain checks the rest). */
export const decimal = z.union([
  z.number().refine(Number.isFinite, 'must be a finite number'),
  z
    .string()
    .max(40)
    .regex(/^-?\d+(\.\d+)?$/, 'must be a decimal number'),
]);
export const id = z.uuid();
export const symbol = z.string().min(1).max(32);
