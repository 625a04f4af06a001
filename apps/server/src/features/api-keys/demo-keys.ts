/**
 * Revokes the keys of demo accounts when the demo is over: anybody could make them with the published password. Accounts with another
 * password keep their keys.
 */
import { demoEmails } from '../identity/index.ts';
import type { ApiKeyDependencies } from './dependencies.ts';

export async function endDemoKeys({
  db,
  clock,
  log,
  identity,
}: Pick<ApiKeyDependencies, 'db' | 'clock' | 'log' | 'identity'>): Promise<void> {
  const { rows } = await db.query<{ email: string }>(
    `select distinct u.email from app.api_keys k join app.trading_accounts a on a.id = k.account_id
       join app.users u on u.id = a.owner_id
     where u.email = any($1) and k.revoked_at is null`,
    [demoEmails],
  );
  for (const { email } of rows) {
    const userId = await identity.findDemoUser(email);
    if (userId === null) continue;
    await db.query(
      `update app.api_keys k set revoked_at = $2 from app.trading_accounts a
       where a.id = k.account_id and a.owner_id = $1 and k.revoked_at is null`,
      [userId, new Date(clock.now())],
    );
    log.info({ email }, 'the demo is over: the API keys of an account have ended');
  }
}
