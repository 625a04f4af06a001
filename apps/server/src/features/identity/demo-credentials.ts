/**
 * Ends the lasting credentials of demo accounts (API keys, addresses for signals) when the demo is over: anybody could make them with the
 * published password. Accounts with another password keep theirs. Features call it at their start, before anything is served.
 */
import type { Services } from '../../platform/services.ts';
import { demoEmails } from './demo.ts';

/** Tables of credentials with `account_id` and `revoked_at`. */
type CredentialTable = 'app.api_keys' | 'app.signal_hooks';

interface DemoCredentialDependencies extends Pick<Services, 'db' | 'clock' | 'log'> {
  /** The id of an account that still has the published password, or null. */
  readonly identity: { findDemoUser(email: string): Promise<string | null> };
}

export async function endDemoCredentials(
  { db, clock, log, identity }: DemoCredentialDependencies,
  table: CredentialTable,
): Promise<void> {
  const { rows } = await db.query<{ email: string }>(
    `select distinct u.email from ${table} k join app.trading_accounts a on a.id = k.account_id
       join app.users u on u.id = a.owner_id
     where u.email = any($1) and k.revoked_at is null`,
    [demoEmails],
  );
  for (const { email } of rows) {
    const userId = await identity.findDemoUser(email);
    if (userId === null) continue;
    await db.query(
      `update ${table} k set revoked_at = $2 from app.trading_accounts a
       where a.id = k.account_id and a.owner_id = $1 and k.revoked_at is null`,
      [userId, new Date(clock.now())],
    );
    log.info({ email, table }, 'the demo is over: the credentials of an account have ended');
  }
}
