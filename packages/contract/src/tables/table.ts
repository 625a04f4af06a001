/** What a declared table is: its columns, and who reads and writes which rows. */
import type { Column } from '../columns.ts';
import type { Role } from '../roles.ts';

/**
 * Which rows a role reaches: its own (`owner` equals the caller), those of traders assigned to the calling manager, those of
 * traders who have an open chat with support (A103), its own and one of these, or all.
 */
export type RowScope = 'own' | 'assigned' | 'own+assigned' | 'own+attended' | 'all';

export interface SelectAccess {
  readonly rows: RowScope;
  /** Columns that the role may read; `'*'` is all declared ones. */
  readonly columns: '*' | readonly string[];
}
/** A plain insert under the table's columns. */
export interface RowInsert {
  readonly by: 'row';
  /** Only `own`: the owner column comes from the token, whatever the client claims. */
  readonly rows: 'own';
  readonly columns: readonly string[];
  /**
   * `upsert` lets a repeated row be (the same key is not an error when the client asks for it). A merge that is asked for
   * changes only what an update may.
   */
  readonly upsert: boolean;
}
/**
 * An insert with consequences: the feature's command behind it decides what becomes of the claimed values. Where `anon` has
 * one, the command knows its callers by their address only. Columns and
 * claims that are declared but not listed may not be named. Asking for an upsert is accepted: the command knows what a repeat means.
 */
export interface CommandInsert {
  readonly by: 'command';
  readonly columns: readonly string[];
}
/** A plain update of own rows. */
export interface RowUpdate {
  readonly by: 'row';
  readonly rows: 'own';
  readonly columns: readonly string[];
}
/** An update with consequences: the filter finds rows within `rows`, the feature's command changes them. */
export interface CommandUpdate {
  readonly by: 'command';
  readonly rows: RowScope;
  readonly columns: readonly string[];
}
/** A plain delete of own rows. */
export interface RowDelete {
  readonly by: 'row';
  readonly rows: 'own';
}
/** A delete with a rule: the filter finds rows within `rows`, the feature's command says which of them go. */
export interface CommandDelete {
  readonly by: 'command';
  readonly rows: RowScope;
}
export interface Access {
  readonly select?: SelectAccess;
  readonly insert?: RowInsert | CommandInsert;
  readonly update?: RowUpdate | CommandUpdate;
  readonly delete?: RowDelete | CommandDelete;
  /** `refused`: not even read by staff while they act as somebody else (A45). */
  readonly readsWhileActing?: 'refused';
  /** Whether staff may write while they act as somebody else (A45); absent: they only read. */
  readonly writesWhileActing?: 'allowed';
}

/** A many-to-one embed: `relation:table(columns)` joins `table.id = this.column`. The target's own policy still applies. */
export interface Relation {
  readonly table: string;
  readonly column: string;
}

export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, Column>>;
  readonly key: readonly string[];
  /** What a command write may claim beside the columns; never read, never filtered by. */
  readonly claims?: Readonly<Record<string, Column>>;
  /** The column with the id of the user that a row belongs to; null for public rows. */
  readonly owner: string | null;
  readonly relations: Readonly<Record<string, Relation>>;
  readonly access: Readonly<Partial<Record<Role, Access>>>;
  /** Whether changes are announced through `postgres_changes`. */
  readonly realtime: boolean;
}

export const all: Access = { select: { rows: 'all', columns: '*' } };
export const own: Access = { select: { rows: 'own', columns: '*' } };
export const assigned: Access = { select: { rows: 'assigned', columns: '*' } };
