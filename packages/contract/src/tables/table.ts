/** The declaration of a table: its columns, and which roles read and write which rows. */
import type { Columns } from '../columns.ts';
import type { ApiKeyScope, Role, SignedIn } from '../roles.ts';

/**
 * Which rows a role may access: all rows, or some of these. `own`: `owner` equals the caller. `assigned`: those of
 * traders assigned to the calling manager. `attended`: those of traders with an open support chat (A103).
 */
export type RowScope = 'own' | 'assigned' | 'own+assigned' | 'own+attended' | 'all';

interface SelectAccess {
  readonly rows: RowScope;
  /** Columns that the role may read; `'*'` is all declared ones. */
  readonly columns: '*' | readonly string[];
}
/** A plain insert under the table's columns. */
interface RowInsert {
  readonly by: 'row';
  /** Only `own`: the owner column comes from the token, whatever the client sends. */
  readonly rows: 'own';
  readonly columns: readonly string[];
  /**
   * `upsert`: a repeated row is no error when the client requests an upsert. A requested merge changes only what an
   * update may.
   */
  readonly upsert: boolean;
}
/**
 * An insert with consequences: the feature's command decides what becomes of the values. Where `anon` has one, the
 * command identifies its callers by their address only. Columns and claims that are declared but not listed may not
 * be named. An upsert is accepted: the command handles a repeat.
 */
export interface CommandInsert {
  readonly by: 'command';
  readonly columns: readonly string[];
}
/** A plain update of own rows. */
interface RowUpdate {
  readonly by: 'row';
  readonly rows: 'own';
  readonly columns: readonly string[];
}
/** An update with consequences: the filter selects rows within `rows`, the feature's command changes them. */
export interface CommandUpdate {
  readonly by: 'command';
  readonly rows: RowScope;
  readonly columns: readonly string[];
}
/** A plain delete of own rows. */
interface RowDelete {
  readonly by: 'row';
  readonly rows: 'own';
}
/**
 * A delete with a rule: the filter selects rows within `rows`, the feature's command decides which of them to delete.
 */
interface CommandDelete {
  readonly by: 'command';
  readonly rows: RowScope;
}
/** The scope that an API key needs for each use of a table; an absent one is refused to every key. */
interface ApiKeyAccess {
  readonly select?: ApiKeyScope;
  readonly insert?: ApiKeyScope;
  readonly update?: ApiKeyScope;
  readonly delete?: ApiKeyScope;
}
export interface Access {
  readonly select?: SelectAccess;
  readonly insert?: RowInsert | CommandInsert;
  readonly update?: RowUpdate | CommandUpdate;
  readonly delete?: RowDelete | CommandDelete;
  /** `refused`: staff cannot even read it during impersonation (A45). */
  readonly readsWhileImpersonating?: 'refused';
  /** Whether staff may write during impersonation (A45); absent: read only. */
  readonly writesWhileImpersonating?: 'allowed';
  /** Absent: refused to every API key. */
  readonly apiKey?: ApiKeyAccess;
}

/** A many-to-one embed: `relation:table(columns)` joins `table.id = this.column`. The target's own policy still applies. */
export interface Relation {
  readonly name: string;
  readonly table: string;
  readonly column: string;
}

export interface Table {
  readonly name: string;
  readonly columns: Columns;
  readonly key: readonly string[];
  /** Values that a command write may carry beside the columns; never read, never filtered by. */
  readonly inputs?: Columns;
  /** The column with the id of the user that a row belongs to; null for public rows. */
  readonly owner: string | null;
  /**
   * Whose id that is: the user's (default), a trading account's, or either of them. A main account has its user's id.
   */
  readonly ownedBy?: 'account' | 'either';
  /** The column with the id of the account, where `owner` is its user: an API key reaches the rows of its own account only. */
  readonly account?: string;
  readonly relations: readonly Relation[];
  readonly access: Readonly<Partial<Record<Role, Access>>>;
  /** Whether changes are announced through `postgres_changes`. */
  readonly realtime: boolean;
}

type Ownership = Pick<Table, 'ownedBy'>;
/** The owner of a row that the caller inserts. */
export const ownerIdOf = ({ ownedBy }: Ownership, { userId, accountId }: SignedIn): string =>
  ownedBy === undefined ? userId : accountId;
/** Whether `own` admits a row of this owner. */
export const isOwnerOf = (table: Ownership, caller: SignedIn, ownerId: string | null): boolean =>
  ownerId !== null &&
  (ownerId === ownerIdOf(table, caller) || (table.ownedBy === 'either' && ownerId === caller.userId));

export const all = { select: { rows: 'all', columns: '*' } } as const satisfies Access;
export const own = { select: { rows: 'own', columns: '*' } } as const satisfies Access;
/** Own rows that an API key reads as well. */
export const ownOfKey = { ...own, apiKey: { select: 'read' } } as const satisfies Access;
/** Rows that everybody reads, an API key as well. */
export const allOfKey = { ...all, apiKey: { select: 'read' } } as const satisfies Access;
export const assigned = { select: { rows: 'assigned', columns: '*' } } as const satisfies Access;

/** A table of which each row belongs to a trading account. */
export const ofAccount = { owner: 'user_id', ownedBy: 'account' } as const satisfies Partial<Table>;
/** The same for a table whose rows embed the user of the account. */
export const ofAccountWithUser = {
  ...ofAccount,
  relations: [{ name: 'user', table: 'users', column: 'user_id' }],
} as const satisfies Partial<Table>;
