/**
 * What people are told that no engine decided (A104). The row is written in the transaction of what it tells of; its
 * announcement is for the caller to publish after the commit. That of an answer in a conversation is written with the message
 * (`app.write_chat_message`).
 */
import type { RowChange } from '@fulcrum/contract';
import { changeOf, wireRows } from '../../platform/changes/index.ts';
import type { Queryable } from '../../platform/database/index.ts';

export type PeopleNotificationKind = 'kyc_approved' | 'kyc_rejected' | 'chat_reply';

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

/** What is told is known from elsewhere by now: unread rows of the kind become read. The announcements are the caller's. */
export async function settleNotices(
  tx: Queryable,
  { userId, kind, at }: Omit<Notice, 'message'>,
): Promise<RowChange[]> {
  const { rows } = await tx.query<{ id: string }>(
    `update app.notifications set read_at = $3 where user_id = $1 and kind = $2 and read_at is null
     returning id`,
    [userId, kind, at],
    'settle_notices',
  );
  const settled = await wireRows(
    tx,
    'notifications',
    rows.map(({ id }) => id),
  );
  const committedAt = at.toISOString();
  return settled.map((row) => changeOf({ table: 'notifications', type: 'UPDATE', committedAt }, row));
}
