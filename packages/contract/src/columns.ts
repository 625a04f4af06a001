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

export interface Column<
  Type extends PgType = PgType,
  Nullable extends boolean = boolean,
  Value extends string = string,
> {
  readonly type: Type;
  readonly nullable: Nullable;
  /** The closed list of values of a text column, when it has one. */
  readonly values?: readonly Value[];
  /** A value written into this `text[]` is parsed as tags by the domain's rule (JRNL-07, JRNL-08). */
  readonly areTags?: true;
  /** Whether an insert may leave it out, because the table fills it in. */
  readonly hasDefault?: true;
}
export type Columns = Readonly<Record<string, Column>>;

interface WireTypes<Value> {
  uuid: string;
  text: Value;
  'text[]': string[];
  numeric: number;
  int4: number;
  int8: number;
  bool: boolean;
  date: string;
  timestamptz: string;
  jsonb: unknown;
}
/** The value of a column on the wire. */
export type WireValue<C> =
  C extends Column<infer Type, infer Nullable, infer Value>
    ? WireTypes<Value>[Type] | (Nullable extends true ? null : never)
    : never;

const defineColumn = <Type extends PgType>(type: Type): Column<Type, false> => ({ type, nullable: false });

export const uuid = defineColumn('uuid');
export const text = defineColumn('text');
export const numeric = defineColumn('numeric');
export const int = defineColumn('int4');
export const bigint = defineColumn('int8');
export const bool = defineColumn('bool');
export const timestamp = defineColumn('timestamptz');
export const date = defineColumn('date');
export const textList = defineColumn('text[]');
export const tagList: typeof textList = { ...textList, areTags: true };
export const json = defineColumn('jsonb');
export const nullable = <Type extends PgType, Value extends string>(
  column: Column<Type, false, Value>,
): Column<Type, true, Value> => ({ ...column, nullable: true });
export const withDefault = <C extends Column>(column: C): C & { readonly hasDefault: true } => ({
  ...column,
  hasDefault: true,
});
export const oneOf = <Value extends string>(...values: readonly Value[]): Column<'text', false, Value> => ({
  type: 'text',
  nullable: false,
  values,
});

const schemas: Record<PgType, z.ZodType> = {
  uuid: z.uuid(),
  text: z.string(),
  'text[]': z.array(z.string()),
  numeric: z.number(),
  int4: z.number().int(),
  int8: z.number().int(),
  bool: z.boolean(),
  date: z.string(),
  timestamptz: z.string(),
  jsonb: z.unknown(),
};
function schemaOf({ type, values, nullable }: Column): z.ZodType {
  const schema = values ? z.enum(values) : schemas[type];
  return nullable ? schema.nullable() : schema;
}
/** A row as the table API returns it. */
export const rowSchema = <C extends Columns>(columns: C) =>
  z.object(
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, schemaOf(column)])) as {
      [Name in keyof C]: z.ZodType<WireValue<C[Name]>, WireValue<C[Name]>>;
    },
  );

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
