/**
 * The type `Database` for `createClient<Database>`, derived from the contract's tables and procedures. `Insert` and
 * `Update` hold what some role may write, as a row or as a claim of a command; `Row` has only the columns. Known
 * limitation: the types know no roles; the server refuses what a role may not do.
 */
import type { z } from 'zod';
import type { Column, WireValue } from './columns.ts';
import type { procedures } from './procedures/index.ts';
import type { Relation, Table, TableName, tables } from './tables/index.ts';

/** Any JSON value: what a jsonb column holds. */
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

/** Shows the keys of a type that others compose. */
type Flat<T> = { [K in keyof T]: T[K] };
/** An object type without any key, to which only `{}` is assignable under supabase-js's excess-property check. */
type None = { [_ in never]: never };

type Value<C> =
  C extends Column<'jsonb', infer Nullable> ? Json | (Nullable extends true ? null : never) : WireValue<C>;

/** The names that a write may use: the columns, and the claims that only a command accepts. */
type Writable<T extends Table> = T['columns'] & (T extends { inputs: infer Inputs } ? Inputs : unknown);
type WriteOf<T extends Table, Kind extends 'insert' | 'update'> = Extract<
  T['access'][keyof T['access']],
  Record<Kind, unknown>
>[Kind];
type ColumnsOf<Write> = Write extends { columns: readonly (infer Name)[] } ? Name : never;
type Part<W, Names> = { [N in Names & keyof W]?: Value<W[N]> };
type NeededBy<W, Names> = {
  [N in keyof W]: W[N] extends { nullable: true } | { hasDefault: true } ? never : N;
}[keyof W] &
  Names;

/**
 * Columns and claims that some role may insert. A plain insert may name the row's owner, but the token always decides
 * it. A command accepts any part of them.
 */
type Insert<Owner, W, Write, Names = ColumnsOf<Write>> = [Write] extends [never]
  ? None
  : [Write] extends [{ by: 'row' }]
    ? Flat<
        { [N in NeededBy<W, Names> & keyof W]: Value<W[N]> } & {
          [N in Exclude<(Names | Owner) & keyof W, NeededBy<W, Names>>]?: Value<W[N]>;
        }
      >
    : Part<W, Names>;

type Relationships<Name extends string, Relations extends readonly Relation[]> = {
  -readonly [I in keyof Relations]: {
    foreignKeyName: `${Name}_${Relations[I]['column']}_fkey`;
    columns: [Relations[I]['column']];
    isOneToOne: false;
    referencedRelation: Relations[I]['table'];
    referencedColumns: ['id'];
  };
};

type Tables = (typeof tables)[number];
type Procedures = (typeof procedures)[number];

export type Database = {
  /** The grammar of `/rest/v1` is that of PostgREST 12. */
  __InternalSupabase: { PostgrestVersion: '12' };
  public: {
    Tables: {
      [T in Tables as T['name']]: {
        Row: { -readonly [N in keyof T['columns']]: Value<T['columns'][N]> };
        Insert: Insert<T['owner'], Writable<T>, WriteOf<T, 'insert'>>;
        /** Columns and claims that some role may update. */
        Update: Part<Writable<T>, ColumnsOf<WriteOf<T, 'update'>>>;
        Relationships: Relationships<T['name'], T['relations']>;
      };
    };
    Views: None;
    Functions: {
      [P in Procedures as P['name']]: { Args: z.input<P['args']>; Returns: z.output<P['result']> };
    };
    Enums: None;
    CompositeTypes: None;
  };
};

/** A row as `/rest/v1` answers it. */
export type Row<T extends TableName> = Database['public']['Tables'][T]['Row'];
