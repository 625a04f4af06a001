/**
 * What people are told that no engine decided (A104). The row is written in the transaction of what it tells of; its
 * announcement is for the caller to publish after the commit. That of an answer in a conversation is written with the message
 * (`app.write_chat_message`).
 */
import type { RowChange } from '@fulcrum/contract';
import type { PeopleNotificationKind } from '@fulcrum/domain';
import { changeOf, wireRows } from '../../platform/changes/index.ts';
import type { Queryable } from '../../platform/database/index.ts';

export interface Notice {
  readonly userId: string;
  readonly kind: PeopleNotificationKind;
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
  const [row] = await wireRows(
    tx,
    'notifications',
    rows.map(({ id }) => id),
  );
  if (!row) throw new Error('a notification was not written');
  return changeOf({ table: 'notifications', type: 'INSERT', committedAt: at.toISOString() }, row);
}

/** What was told of that is known by now: read, without a look at the list. Empty when nothing was unread. */
export async function haveRead(
  tx: Queryable,
  { userId, kind, at }: Omit<Notice, 'message'>,
): Promise<readonly RowChange[]> {
  const { rows } = await tx.query<{ id: string }>(
    `update app.notifications set read_at = $3 where user_id = $1 and kind = $2 and read_at is null
     returning id`,
    [userId, kind, at],
    'notices_read',
  );
  const read = await wireRows(
    tx,
    'notifications',
    rows.map(({ id }) => id),
  );
  const committedAt = at.toISOString();
  return read.map((row) => changeOf({ table: 'notifications', type: 'UPDATE', committedAt }, row));
}
