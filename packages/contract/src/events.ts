/** Events of the in-process bus: hints about what is committed or observed, never the source of truth. */
import type { TableName } from './tables/index.ts';
import type { Tick } from './topics.ts';

export interface RowChange {
  readonly table: TableName;
  readonly type: 'INSERT' | 'UPDATE' | 'DELETE';
  /** The row's owner; null for public rows. */
  readonly userId: string | null;
  /** Whether that owner is another trading account than a main one; staff do not follow those (A112). */
  readonly isOfOtherAccount?: boolean;
  /** The new row in its wire form (JSON-ready, all declared columns); null for DELETE. */
  readonly record: Readonly<Record<string, unknown>> | null;
  /** The key columns of the old row for UPDATE and DELETE. */
  readonly oldRecord: Readonly<Record<string, unknown>> | null;
  /** ISO 8601 UTC. */
  readonly committedAt: string;
}

export interface Events {
  /** The hub accepted a checked price. */
  'market.tick': Tick;
  /** Rows that a committed batch changed, in commit order. */
  'account.changed': { readonly changes: readonly RowChange[] };
  /** A user's role changed; the user's earlier sessions are revoked. */
  'role.changed': { readonly userId: string };
  /** The assignments of these managers, or the data of an assigned trader, changed. */
  'traders.changed': { readonly managerIds: readonly string[] };
  /** A session ended: its access tokens are void at once. */
  'session.revoked': { readonly sessionId: string; readonly userId: string };
  /** An impersonation ended: its access tokens are void at once, its session continues. */
  'impersonation.ended': { readonly impersonationId: string; readonly sessionId: string };
  /** A trading account ended: nothing trades or reads by its API keys any more. */
  'account.archived': { readonly accountId: string };
  /** An API key was revoked, has expired, or ended with its account: it is void at once. */
  'api_key.ended': { readonly keyId: string };
  /** Rows of these accounts were written past the engine, which reads them again. */
  'accounts.written': { readonly accountIds: readonly string[] };
  /** A process has its connection to the others back: what it published meanwhile was lost. */
  'link.restored': Readonly<Record<string, never>>;
  /** A user became present on a topic (without its `realtime:` prefix). */
  'presence.came': { readonly topic: string; readonly userId: string };
  /** The last presence of a user on a topic ended. */
  'presence.left': { readonly topic: string; readonly userId: string };
}

/**
 * Whom an event reaches when several processes form a cluster. `process`: subscribers of the process that publishes it. `tell`: those of
 * every process, as `tell.<topic>`. `rows`: the same, as `acct.<slot>.<user>` for the rows of one user and `rows.<table>` for rows
 * without an owner. Those messages may be lost, as any hint.
 */
export const eventReach = {
  'market.tick': 'process',
  'account.changed': 'rows',
  'role.changed': 'tell',
  'traders.changed': 'tell',
  'session.revoked': 'tell',
  'impersonation.ended': 'tell',
  'account.archived': 'tell',
  'api_key.ended': 'tell',
  'accounts.written': 'tell',
  'link.restored': 'tell',
  'presence.came': 'process',
  'presence.left': 'process',
} as const satisfies Record<keyof Events, 'process' | 'tell' | 'rows'>;
