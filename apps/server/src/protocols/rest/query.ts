/**
 * The typed form of a request to `/rest/v1/{table}`: what the parser produces and the SQL writer consumes. Invariant:
 * every table, column and relation in it is a declaration of the contract that the caller's role may use in that place;
 * client text appears only in values (already in the form their type needs) and in the output `name` of a selection.
 */
import type { Column, Role, Table } from '@fulcrum/contract';

/** What a request is read against. */
export interface Scope {
  readonly table: Table;
  readonly role: Role;
  /** Everything that an embed may lead to. */
  readonly tables: ReadonlyMap<string, Table>;
}

export interface ColumnSelection {
  readonly kind: 'column';
  /** Key in the answer: the column's name or the client's alias. */
  readonly name: string;
  readonly column: string;
}
/** The relation from a row to one other row, and the columns selected from it. */
export interface Reference {
  /** The column of the selecting table that holds the target's id. */
  readonly through: string;
  readonly table: Table;
  /** A target that does not fulfil them is as one that is not there. */
  readonly conditions: readonly Condition[];
}
/** A many-to-one row: `null` when there is none, or when its own policy or a filter hides it. */
export interface EmbedSelection extends Reference {
  readonly kind: 'embed';
  readonly name: string;
  /** `inner`: a row whose target is not there is not there either. */
  readonly join: 'left' | 'inner';
  readonly columns: readonly ColumnSelection[];
}
export type Selection = ColumnSelection | EmbedSelection;

export const comparisons = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const;
export type Comparison = (typeof comparisons)[number];
export const patternOperators = ['like', 'ilike'] as const;
export type PatternOperator = (typeof patternOperators)[number];

/** Of one list and another: has all of its elements, has none but them, has one of them. */
export const listOperators = ['cs', 'cd', 'ov'] as const;
export type ListOperator = (typeof listOperators)[number];

/** A value as PostgreSQL takes it: text that the column's type reads, or the elements of a text[]. */
export type Value = string | readonly string[];

export type Condition =
  | { readonly kind: 'compare'; readonly column: string; readonly by: Comparison; readonly value: Value }
  | { readonly kind: 'contain'; readonly column: string; readonly by: ListOperator; readonly value: Value }
  | { readonly kind: 'distinct'; readonly column: string; readonly value: Value }
  | { readonly kind: 'like'; readonly column: string; readonly by: PatternOperator; readonly pattern: string }
  | {
      readonly kind: 'quantified';
      readonly column: string;
      readonly by: Comparison | PatternOperator;
      readonly over: 'any' | 'all';
      readonly values: readonly string[];
    }
  | { readonly kind: 'in'; readonly column: string; readonly values: readonly string[] }
  | {
      readonly kind: 'is';
      readonly column: string;
      readonly state: 'null' | 'not_null' | 'true' | 'false' | 'unknown';
    }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'group'; readonly join: 'and' | 'or'; readonly conditions: readonly Condition[] };

export interface Ordering {
  readonly column: string;
  /** The embed whose column it is; null for the table's own. */
  readonly of: Reference | null;
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

/** What every write says about its answer. */
interface Write {
  readonly table: Table;
  readonly returning: readonly Selection[] | null;
  readonly single: boolean;
  /** State the number of rows. */
  readonly counted: boolean;
}

/** A cell of an inserted row: a value, NULL, or the column's default. */
export type Cell = { readonly value: Value | null } | 'default';

export interface InsertQuery extends Write {
  readonly kind: 'insert';
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** What a row with an existing key does. */
  readonly onDuplicate: 'refuse' | 'ignore' | 'merge';
}
export interface UpdateQuery extends Write {
  readonly kind: 'update';
  readonly changes: readonly { readonly column: string; readonly value: Value | null }[];
  /** Never empty. */
  readonly conditions: readonly Condition[];
}
export interface DeleteQuery extends Write {
  readonly kind: 'delete';
  /** Never empty. */
  readonly conditions: readonly Condition[];
}
/** Claimed values by column, in the form that the feature's command takes (`parseCommandValue`). */
export type UntrustedRow = Readonly<Record<string, unknown>>;

export interface InsertCommandQuery extends Write {
  readonly kind: 'insert command';
  readonly rows: readonly UntrustedRow[];
}
export interface UpdateCommandQuery extends Write {
  readonly kind: 'update command';
  readonly changes: UntrustedRow;
  /** Never empty. */
  readonly conditions: readonly Condition[];
}
export interface DeleteCommandQuery extends Write {
  readonly kind: 'delete command';
  /** Never empty. */
  readonly conditions: readonly Condition[];
}
/** Writes that are one statement. */
export type RowWrite = InsertQuery | UpdateQuery | DeleteQuery;
/** Writes that a feature's command carries out. */
export type CommandWrite = InsertCommandQuery | UpdateCommandQuery | DeleteCommandQuery;
export const isCommand = (query: RowWrite | CommandWrite): query is CommandWrite =>
  query.kind === 'insert command' || query.kind === 'update command' || query.kind === 'delete command';
export type TableQuery = SelectQuery | RowWrite | CommandWrite;

/** The declaration of a column, or undefined; names that only `Object.prototype` knows are unknown. */
export function columnOf(table: Table, name: string): Column | undefined {
  return Object.hasOwn(table.columns, name) ? table.columns[name] : undefined;
}

/** What a command write may name: a column, or a claim, which nothing but a command write knows. */
export function findCommandColumn(table: Table, name: string): Column | undefined {
  const { inputs = {} } = table;
  return columnOf(table, name) ?? (Object.hasOwn(inputs, name) ? inputs[name] : undefined);
}

/** A row as `/rest/v1` returns it, JSON-ready. */
export type WireRow = Readonly<Record<string, unknown>>;

/** The one row every statement returns. */
export interface Outcome {
  /** JSON text: an array, or one object for a single request; null without a body. */
  readonly body: string | null;
  /** Rows read or written. */
  readonly rows: number;
  /** All matching rows, when the request counts them. */
  readonly total: number | null;
  /** For a row write that is announced or recorded: the written rows with all their columns, if any. */
  readonly changed?: readonly WireRow[] | null;
}
