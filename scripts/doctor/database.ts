/** Checks the database: its version, schema and rights, the ledger, the demo accounts and the queued mails. */
import type pg from 'pg';
import { demoPassword } from '../../apps/server/src/features/identity/index.ts';
import { checkInvariants } from '../../apps/server/src/features/wallet/index.ts';
import type { Config } from '../../apps/server/src/platform/config/index.ts';
import { type Queryable, withDatabase } from '../../apps/server/src/platform/database/index.ts';
import { restrictedRole } from '../../apps/server/src/platform/database/restricted-role.ts';
import { unappliedFiles } from '../../apps/server/src/platform/database/schema.ts';
import { createLog } from '../../apps/server/src/platform/log/index.ts';
import { isOpen } from './configuration.ts';
import { messageOf, type Report } from './report.ts';

export async function examineDatabase(config: Config, report: Report): Promise<void> {
  await withDatabase(
    config,
    createLog({ logLevel: 'silent' }),
    async (client) => {
      await examineVersion(client, config, report);
      const pending = await examineMigrations(client, report);
      if (pending === null || pending > 0) return;
      await examineLedger(client, report);
      await examineDemoAccounts(client, config, report);
      await examineWaitingMails(client, report);
    },
    { schema: 'untouched' },
  );
}

async function examineVersion(client: pg.Client, { databaseUrl }: Config, report: Report): Promise<void> {
  const { rows } = await client.query<{
    version: string;
    num: string;
    self: string;
    may: boolean;
    exists: boolean;
  }>(
    `select current_setting('server_version') as version, current_setting('server_version_num') as num,
            current_user as self,
            (select rolsuper or rolcreaterole from pg_roles where rolname = current_user)
              and has_database_privilege(current_database(), 'create') as may,
            exists (select from pg_roles where rolname = $1) as exists`,
    [restrictedRole],
  );
  const [found] = rows;
  if (!found) throw new Error('PostgreSQL does not report its user');
  if (Number(found.num) < 150_000) {
    report.bad(`PostgreSQL ${found.version} is too old`, 'let DATABASE_URL lead to a PostgreSQL 15 or newer');
  } else if (databaseUrl !== null && !found.may && !found.exists) {
    report.bad(
      `${found.self} may not prepare the database`,
      `let an administrator run: create role ${restrictedRole} nologin; grant ${restrictedRole} to ${found.self};`,
    );
  } else {
    report.good(`PostgreSQL ${found.version} answers, as ${found.self}`);
  }
}

/** How many migrations and functions wait; null when the schema is not one of this program. */
async function examineMigrations(client: pg.Client, report: Report): Promise<number | null> {
  try {
    const pending = await unappliedFiles(client);
    if (pending.length === 0) report.good('the schema is that of this version');
    else
      report.hint(
        `${pending.length} migrations and functions are not applied (${pending.join(', ')})`,
        'the next start applies them',
      );
    return pending.length;
  } catch (error) {
    report.bad(messageOf(error), 'start the version of Fulcrum that wrote this database');
    return null;
  }
}

async function examineLedger(client: pg.Client, report: Report): Promise<void> {
  const { ok, violations } = await checkInvariants(queryable(client));
  if (ok) report.good('the ledger agrees with wallets and positions');
  for (const { invariant, detail } of violations) {
    report.bad(
      `the ledger violates an invariant: ${invariant} (${detail})`,
      'trading is halted until this is resolved; keep a backup as evidence',
    );
  }
}

async function examineDemoAccounts(client: pg.Client, config: Config, report: Report): Promise<void> {
  // With DEMO=true, the check of the settings has reported it.
  if (config.demo || !isOpen(config)) return;
  const { verify } = await import('@node-rs/argon2');
  const { rows } = await client.query<{ email: string; password_hash: string }>(
    `select u.email, c.password_hash from app.users u join app.credentials c on c.user_id = u.id
     where u.email like '%@fulcrum.local' order by u.email limit 20`,
  );
  for (const { email, password_hash } of rows) {
    if (!(await verify(password_hash, demoPassword))) continue;
    report.bad(`${email} still has the public demo password`, 'change it or suspend the account');
  }
}

async function examineWaitingMails(client: pg.Client, report: Report): Promise<void> {
  const { rows } = await client.query<{ waiting: string; failed: string; error: string | null }>(
    `select count(*) as waiting, count(*) filter (where attempts > 0) as failed,
            max(last_error) filter (where attempts > 0) as error
     from app.mails where sent_at is null and expires_at > now()`,
  );
  const { waiting = '0', failed = '0', error = null } = rows[0] ?? {};
  if (Number(failed) > 0)
    report.hint(`${failed} mails could not be sent yet: ${error ?? ''}`, 'see SMTP_URL');
  else if (Number(waiting) > 0) report.good(`${waiting} mails wait to be sent`);
}

const queryable = (client: pg.Client): Queryable => ({
  query: async <Row>(text: string, values: readonly unknown[] = []) => {
    const { rows, rowCount } = await client.query(text, [...values]);
    return { rows: rows as Row[], rowCount: rowCount ?? 0 };
  },
});
