/**
 * Removes what the demo invented: the accounts by the engine's own deletion, with an audit row each, and the contact messages.
 * Invariant: the marks of `app.demo_steps` stay and all steps are marked, so nothing comes back with the next start.
 */
import { AppError } from '@fulcrum/contract';
import type { Database } from '../../platform/database/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Trading } from '../trading/index.ts';
import { contactIdOf } from './conversations.ts';
import { contactMessages } from './script/conversations.ts';
import { users } from './script/users.ts';
import { findDemoUsers, stepOf } from './users.ts';

const reason = 'The demo was cleared';

interface ClearDependencies {
  readonly db: Database;
  readonly trading: Pick<Trading, 'engine'>;
  readonly accounts: Pick<Identity, 'findDemoUser'>;
}

/** Deletes the accounts; resolves with their number. @throws AppError without an administrator or while trading is halted */
export async function clearDemo({ db, trading, accounts }: ClearDependencies): Promise<number> {
  const { rows } = await db.query<{ id: string }>(
    `select id from app.users where role = 'admin' order by created_at limit 1`,
  );
  const actorId = rows[0]?.id;
  if (actorId === undefined) {
    throw new AppError('conflict', 'No administrator is there to delete accounts: npm run create-admin');
  }
  const trader = await accounts.findDemoUser('trader@fulcrum.local');
  const ids = [...(await findDemoUsers(db)).values()].map(({ id }) => id);
  await db.query(`insert into app.demo_steps (step) select unnest($1::text[]) on conflict do nothing`, [
    ['trader', 'chats', 'contact', 'school', ...users.map(stepOf)],
  ]);
  for (const accountId of trader === null ? ids : [trader, ...ids]) {
    const origin = { accountId, ownerId: accountId, actorId, authority: 'admin', reason } as const;
    await trading.engine.submit(origin, { kind: 'delete', reason }, null);
  }
  return ids.length + (trader === null ? 0 : 1);
}

/** A connection of the owner of the tables. */
interface OwnerConnection {
  query(text: string, values: unknown[]): Promise<{ readonly rowCount: number | null }>;
}

/** Resolves with the number of deleted messages. */
export async function deleteDemoMessages(owner: OwnerConnection): Promise<number> {
  const { rowCount } = await owner.query(`delete from app.contact_forms where client_id = any($1)`, [
    contactMessages.map((_, index) => contactIdOf(index)),
  ]);
  return rowCount ?? 0;
}
