/**
 * The typed form of a request to `/rest/v1/{table}`: what the parser produces and the SQL writer consumes. Invariant:
 * every table, column and relation in it is a declaration of the contract that the caller's role may use in that place;
 * client text appears only in `value`s (already in the form their type needs) and in the output `name` of a selection.
 */
import type { Column, Table } from '@fulcrum/contract';

export interface ColumnSelection {
  readonly kind: 'column';
  /** Key in the answer: the column's name or the client's alias. */
  readonly name: string;
  readonly column: string;
}
/** A many-to-one row: `null` when there is none or when its own policy hides it. */
export interface EmbedSelection {
  readonly kind: 'embed';
  readonly name: string;
  /** The column of the selecting table that holds the target's id. */
  readonly through: string;
  readonly table: Table;
  readonly columns: readonly ColumnSelection[];
}
export type Selection = ColumnSelection | EmbedSelection;

export const comparisons = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const;
export type Comparison = (typeof comparisons)[number];

export type Condition =
  | { readonly kind: 'compare'; readonly column: string; readonly by: Comparison; readonly value: string }
  | { readonly kind: 'in'; readonly column: string; readonly values: readonly string[] }
  | { readonly kind: 'is'; readonly column: string; readonly state: 'null' | 'not_null' | 'true' | 'false' };

export interface Ordering {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
  /** `null` leaves PostgreSQL's own: last ascending, first descending. */
  readonly nulls: 'first' | 'last' | null;
}

export interface SelectQuery {
  readonly kind: 'select';
  readonly table: Table;
  readonly selections: readonly Selection[];
  readonly conditions: readonly Condition[];
  readonly order: readonly Ordering[];
  readonly offset: number;
  /** Rows at most, never above the page cap. */
  readonly limit: number;
  /** True when `limit` is the cap and not the client's own wish: a full page may then be a cut one. */
  readonly capped: boolean;
  /** Also count all rows that match. */
  readonly counted: boolean;
  /** HEAD: the counts without the rows. */
  readonly headOnly: boolean;
  /** One object instead of an array. */
  readonly single: boolean;
}

/** A cell of an inserted row: a value as text, NULL, or the column's default. */
export type Cell = { readonly value: string | null } | 'default';

export interface InsertQuery {
  readonly kind: 'insert';
  readonly table: Table;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** What a row with an existing key does. */
  readonly onDuplicate: 'refuse' | 'ignore' | 'merge';
  readonly returning: readonly Selection[] | null;
  readonly single: boolean;
}

export interface DeleteQuery {
  readonly kind: 'delete';
  readonly table: Table;
  /** Never empty. */
  readonly conditions: readonly Condition[];
  readonly returning: readonly Selection[] | null;
  readonly single: boolean;
}
export type TableQuery = SelectQuery | InsertQuery | DeleteQuery;

/** The declaration of a column, or undefined; names that only `Object.prototype` knows are unknown. */
export function columnOf(table: Table, name: string): Column | undefined {
  return Object.hasOwn(table.columns, name) ? table.columns[name] : undefined;
}
