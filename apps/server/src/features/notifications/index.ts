/**
 * Notifications that no engine decides on (A104). The row is written in the transaction of its event; the caller publishes
 * it after the commit. `app.write_chat_message_v1` writes the notification of a reply in a conversation.
 */
import type { RowChange } from '@fulcrum/contract';
import type { UserNotificationKind } from '@fulcrum/domain';
import { readWireRows, toRowChange } from '../../platform/changes/index.ts';
import type { Queryable } from '../../platform/database/index.ts';

export interface Notice {
  readonly userId: string;
  readonly kind: UserNotificationKind;
  readonly message: string;
  readonly at: Date;
}

export async function notify(tx: Queryable, { userId, kind, message, at }: Notice): Promise<RowChange> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into app.notifications (id, user_id, kind, message, created_at)
     values (gen_random_uuid(), $1, $2, $3, $4) returning id`,
    [userId, kind, message, at],
    'notify',
  );
  const [row] = await readWireRows(
    tx,
    'notifications',
    rows.map(({ id }) => id),
  );
  if (!row) throw new Error('a notification was not written');
  return toRowChange({ table: 'notifications', type: 'INSERT', committedAt: at.toISOString() }, row);
}

/** The same notification for many users, by one statement. */
export async function notifyAll(
  tx: Queryable,
  userIds: readonly string[],
  { kind, message, at }: Omit<Notice, 'userId'>,
): Promise<readonly RowChange[]> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into app.notifications (id, user_id, kind, message, created_at)
     select gen_random_uuid(), unnest($1::uuid[]), $2, $3, $4 returning id`,
    [userIds, kind, message, at],
    'notify_all',
  );
  const written = await readWireRows(
    tx,
    'notifications',
    rows.map(({ id }) => id),
  );
  const change = { table: 'notifications', type: 'INSERT', committedAt: at.toISOString() } as const;
  return written.map((row) => toRowChange(change, row));
}

/** Marks notifications of an event as read once the user has seen it elsewhere. Empty when nothing was unread. */
export async function markRead(
  tx: Queryable,
  { userId, kind, at }: Omit<Notice, 'message'>,
): Promise<readonly RowChange[]> {
  const { rows } = await tx.query<{ id: string }>(
    `update app.notifications set read_at = $3 where user_id = $1 and kind = $2 and read_at is null
     returning id`,
    [userId, kind, at],
    'notices_read',
  );
  const read = await readWireRows(
    tx,
    'notifications',
    rows.map(({ id }) => id),
  );
  const committedAt = at.toISOString();
  return read.map((row) => toRowChange({ table: 'notifications', type: 'UPDATE', committedAt }, row));
}
