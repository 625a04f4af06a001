/** What travels on the in-process bus: hints about what is already committed or observed, never the truth itself. */
import type { TableName } from './tables/index.ts';
import type { Tick } from './topics.ts';

export interface RowChange {
  readonly table: TableName;
  readonly type: 'INSERT' | 'UPDATE' | 'DELETE';
  /** The row's owner; null for public rows. */
  readonly userId: string | null;
  /** The new row in its wire form (JSON-ready, all declared columns); null for DELETE. */
  readonly record: Readonly<Record<string, unknown>> | null;
  /** The key columns of the old row for UPDATE and DELETE. */
  readonly oldRecord: Readonly<Record<string, unknown>> | null;
  /** ISO 8601 UTC. */
  readonly committedAt: string;
}

export interface Events {
  /** A checked price was taken over by the hub. */
  'market.tick': Tick;
  /** Rows that a committed batch changed, in commit order. */
  'account.changed': { readonly changes: readonly RowChange[] };
  /** Somebody has another role; their sessions of before are over. */
  'role.changed': { readonly userId: string };
  /** Who is assigned to these managers, or what is known of one of them, has changed. */
  'traders.changed': { readonly managerIds: readonly string[] };
  /** A session ended: its access tokens are void at once. */
  'session.revoked': { readonly sessionId: string; readonly userId: string };
  /** Acting as somebody else ended: the access tokens of that impersonation are void at once, its session goes on. */
  'acting.ended': { readonly actingId: string; readonly sessionId: string };
  /** Somebody announced themselves on a topic (without its `realtime:` prefix) where they were not present before. */
  'presence.came': { readonly topic: string; readonly userId: string };
  /** The last presence of somebody on a topic is gone. */
  'presence.left': { readonly topic: string; readonly userId: string };
}
