/**
 * The columns of one stored kind of row, declared once. From a declaration follow the select list, the domain's value of a
 * stored row, the values that the engine writes, and the row on the wire. The types of the columns are the contract's; a
 * column that no client reads is declared `hidden`. The compiler compares each column with the field that it stores.
 *
 * A column whose name in camel case is a field of the value needs no further word. Any other one has a source.
 */
import type { Column, Columns, WireValue } from '@fulcrum/contract';
import { parseDecimal, toDecimalString, toNumber } from '@fulcrum/domain';

interface FieldTypes<Value> {
  uuid: string;
  text: Value;
  numeric: bigint;
  int4: number;
  int8: number;
  bool: boolean;
  timestamptz: number;
}
type StoredType = keyof FieldTypes<string>;

/** The value of a column in memory: units of 1e-8 for a figure, milliseconds since the epoch for a time. */
type FieldValue<C> =
  C extends Column<infer Type, infer Nullable, infer Text>
    ? FieldTypes<Text>[Type & StoredType] | (Nullable extends true ? null : never)
    : never;

interface Codec {
  /** Of a column: the expression with its value as JSON. A JSON number would pass a figure through a float. */
  readonly select: (column: string) => string;
  readonly fromJson: (json: never) => unknown;
  /** As a field of a composite value in the text form of an array. */
  readonly toSql: (field: never) => string;
  readonly toWire: (field: never) => unknown;
}

const same = <Value>(value: Value): Value => value;

/** As PostgreSQL writes a `timestamptz` into JSON, so that an announced row equals the one read through the table API. */
export function toWireTime(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString().replace(/\.?0*Z$/, '+00:00') };
  return last.text;
}
/** All rows of a batch have its one time. */
let last = { ms: 0, text: '1970-01-01T00:00:00+00:00' };

/** Quoted twice at once: as a field of a composite value, which is an element of an array. */
const quoteText = (text: string): string =>
  /^[\w:.-]+$/.test(text) ? text : `\\"${text.replaceAll('\\', '\\\\\\\\').replaceAll('"', '\\"\\"')}\\"`;

const plain: Codec = { select: same, fromJson: same, toSql: String, toWire: same };
const codecs: Record<StoredType, Codec> = {
  uuid: plain,
  text: { ...plain, toSql: quoteText },
  numeric: {
    select: (name) => `${name}::text`,
    fromJson: parseDecimal,
    toSql: toDecimalString,
    toWire: toNumber,
  },
  int4: plain,
  int8: plain,
  bool: plain,
  timestamptz: {
    select: (name) => `round(extract(epoch from ${name}) * 1000)`,
    fromJson: same,
    toSql: toWireTime,
    toWire: toWireTime,
  },
};

type CamelCase<Name> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : Name;
const toCamelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, initial: string) => initial.toUpperCase());

type Primitive = string | number | bigint | boolean | null;
/** A field, or one of a field: `closing.price` is null with `closing`. */
type Path<Value> = {
  [Field in keyof Value & string]: Value[Field] extends Primitive
    ? Field
    : `${Field}.${keyof NonNullable<Value[Field]> & string}`;
}[keyof Value & string];
type At<Value, P> = P extends keyof Value
  ? Value[P]
  : P extends `${infer Head}.${infer Tail}`
    ? Head extends keyof Value
      ? Tail extends keyof NonNullable<Value[Head]>
        ? NonNullable<Value[Head]>[Tail] | Extract<Value[Head], null>
        : never
      : never
    : never;
type PathTo<Value, Field> = { [P in Path<Value>]: At<Value, P> extends Field ? P : never }[Path<Value>];

type Source<Value, Context, C> =
  | PathTo<Value, FieldValue<C>>
  /** Computed, written and shown; a stored row is not read by it. */
  | { readonly write: (value: Value) => FieldValue<C> }
  /** Shown only: the engine does not write it. */
  | { readonly show: (value: Value, context: Context) => FieldValue<C> }
  /** PostgreSQL sets it, and no client reads it from here. */
  | null;
type HasField<Value, Name, C> =
  CamelCase<Name> extends keyof Value ? (Value[CamelCase<Name>] extends FieldValue<C> ? true : false) : false;
type Sources<Value, Context, All> = {
  readonly [Name in keyof All as HasField<Value, Name, All[Name]> extends true ? never : Name]: Source<
    Value,
    Context,
    All[Name]
  >;
};

type HeadOf<P> = P extends `${infer Head}.${string}` ? Head : P;
/** The fields that a stored row gives. */
type ReadField<Value, All, Given> = Extract<
  | {
      [Name in keyof All]: HasField<Value, Name, All[Name]> extends true ? CamelCase<Name> : never;
    }[keyof All]
  | { [Name in keyof Given]: Given[Name] extends string ? HeadOf<Given[Name]> : never }[keyof Given],
  keyof Value
>;

type WireRow<Public, Given> = {
  [Name in keyof Public as Name extends keyof Given
    ? Given[Name] extends null
      ? never
      : Name
    : Name]: WireValue<Public[Name]>;
};

/** A stored row as JSON, by the names of its columns. */
export type StoredRow = Readonly<Record<string, unknown>>;

interface Entry<Value, Context> {
  readonly name: string;
  readonly type: StoredType;
  readonly codec: Codec;
  readonly path: readonly [head: string, tail: string | undefined] | null;
  readonly get: (value: Value, context: Context) => unknown;
  readonly isWritten: boolean;
  readonly isShown: boolean;
}

type AnySource<Value, Context> =
  | string
  | { readonly write: (value: Value) => unknown }
  | { readonly show: (value: Value, context: Context) => unknown }
  | null;

function entryOf<Value, Context>(
  name: string,
  { type }: Column,
  source: AnySource<Value, Context>,
  isPublic: boolean,
): Entry<Value, Context> {
  const kind = type as StoredType;
  const shared = { name, type: kind, codec: codecs[kind], path: null, isWritten: true, isShown: isPublic };
  if (source === null) return { ...shared, get: () => null, isWritten: false, isShown: false };
  if (typeof source !== 'string') {
    return 'write' in source
      ? { ...shared, get: source.write }
      : { ...shared, get: source.show, isWritten: false };
  }
  const [head = '', tail] = source.split('.');
  const fieldOf = (value: unknown, field: string) => (value as Record<string, unknown>)[field];
  const get =
    tail === undefined
      ? (value: Value) => fieldOf(value, head)
      : (value: Value) => {
          const inner = fieldOf(value, head);
          return inner === null ? null : fieldOf(inner, tail);
        };
  return { ...shared, path: [head, tail], get };
}

interface ReadColumn {
  readonly name: string;
  readonly codec: Codec;
  readonly field: string;
}

const readColumn = (row: StoredRow, { name, codec }: ReadColumn): unknown => {
  const json = row[name];
  return json === null ? null : codec.fromJson(json as never);
};

/** A field that is an object or null: its columns are all there, or none. */
function readInner(row: StoredRow, columns: readonly ReadColumn[]): unknown {
  const empty = columns.filter(({ name }) => row[name] === null);
  if (empty.length === columns.length) return null;
  if (empty.length > 0) throw new Error(`the stored row ${row.id} lacks ${empty[0]?.name}`);
  return Object.fromEntries(columns.map((column) => [column.field, readColumn(row, column)]));
}

/**
 * `Context` is what the row on the wire needs beside the value, such as the mark of a position. The columns of the
 * contract come first, in its order; the composite type of the write function has the written ones in the same order.
 */
export const defineColumns =
  <Value, Context = void>() =>
  <
    const Public extends Columns,
    const Hidden extends Columns,
    const Given extends Sources<Value, Context, Public & Hidden>,
  >(declared: {
    readonly public: Public;
    readonly hidden: Hidden;
    readonly from: Given;
  }) => {
    const sources: Readonly<Record<string, AnySource<Value, Context>>> = declared.from;
    const entriesOf = (columns: Columns, isPublic: boolean) =>
      Object.entries(columns).map(([name, type]) =>
        entryOf(name, type, name in sources ? (sources[name] ?? null) : toCamelCase(name), isPublic),
      );
    const entries = [...entriesOf(declared.public, true), ...entriesOf(declared.hidden, false)];
    const written = entries.filter(({ isWritten }) => isWritten);
    const shown = entries.filter(({ isShown }) => isShown);
    const read = entries.flatMap(({ name, codec, path }) => (path ? [{ name, codec, path }] : []));
    const flat = read.flatMap(({ name, codec, path: [field, tail] }) =>
      tail === undefined ? [{ name, codec, field }] : [],
    );
    const inner = Map.groupBy(
      read.flatMap(({ name, codec, path: [head, field] }) =>
        field === undefined ? [] : [{ head, name, codec, field }],
      ),
      ({ head }) => head,
    );
    // Copies of one object have its shape, which makes them smaller and quicker than objects that grow.
    const blank: Record<string, unknown> = Object.fromEntries(
      [...flat.map(({ field }) => field), ...inner.keys()].map((field) => [field, null]),
    );
    const blankRow: Record<string, unknown> = Object.fromEntries(shown.map(({ name }) => [name, null]));

    return {
      /** Name and type of each written column, in the order of `toSql`. */
      written: written.map(({ name, type }) => ({ name, type })),

      /** The JSON object that `fromJson` reads, of the row `alias`. */
      select: (alias: string): string =>
        `json_build_object(${read.map(({ name, codec }) => `'${name}', ${codec.select(`${alias}.${name}`)}`).join(', ')})`,

      /** The fields that are stored, of an object that `select` made. @throws Error for a row that lacks a value */
      fromJson(row: StoredRow): Pick<Value, ReadField<Value, Public & Hidden, Given>> {
        const value = { ...blank };
        for (const column of flat) value[column.field] = readColumn(row, column);
        for (const [field, columns] of inner) value[field] = readInner(row, columns);
        return value as Pick<Value, ReadField<Value, Public & Hidden, Given>>;
      },

      /** PostgreSQL's text form of the array of composite values that the engine writes. */
      toSql(values: readonly Value[]): string {
        let text = '';
        for (const value of values) {
          let separator = text === '' ? '"(' : ',"(';
          for (const { codec, get } of written) {
            const field = get(value, undefined as Context);
            text += field === null ? separator : separator + codec.toSql(field as never);
            separator = ',';
          }
          text += ')"';
        }
        return `{${text}}`;
      },

      /** The row on the wire: every column of the contract that has a source. */
      toWire(value: Value, context: Context): WireRow<Public, Given> {
        const row = { ...blankRow };
        for (const { name, codec, get } of shown) {
          const field = get(value, context);
          if (field !== null) row[name] = codec.toWire(field as never);
        }
        return row as WireRow<Public, Given>;
      },
    };
  };
