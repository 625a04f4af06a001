/**
 * The demo accounts of `DEMO=true`, one for each role, all with the same published password. Invariant: an account that
 * exists is left as it is, so a changed password or name survives every later start. Once the demo is over the published
 * password opens nothing, and what it opened before is closed.
 */
import { parseDecimal } from '@fulcrum/domain';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Accounts, NewAccount } from './accounts.ts';
import type { Context } from './context.ts';
import { AccountError } from './errors.ts';
import * as sessions from './sessions.ts';
import * as users from './users.ts';

export const demoPassword = 'fulcrum-demo';

/** Whether these are the published credentials, of an account that is there or was. */
export const areDemoCredentials = (email: string, password: string): boolean =>
  password === demoPassword && accountsInOrder.some((account) => account.email === email);

type DemoAccount = Pick<NewAccount, 'email' | 'username' | 'role' | 'phoneNumber' | 'initialBalance'>;

const manager: DemoAccount = {
  email: 'manager@fulcrum.local',
  username: 'demo_manager',
  role: 'manager',
  initialBalance: null,
};
const trader: DemoAccount = {
  email: 'trader@fulcrum.local',
  username: 'demo_trader',
  role: 'trader',
  phoneNumber: '+12025550143',
  initialBalance: parseDecimal('10000'),
};
// The manager comes before the trader who is assigned to him.
const accountsInOrder: readonly DemoAccount[] = [
  manager,
  trader,
  { email: 'support@fulcrum.local', username: 'demo_support', role: 'support', initialBalance: null },
  { email: 'admin@fulcrum.local', username: 'demo_admin', role: 'admin', initialBalance: null },
];

/** Makes the demo accounts that are missing. */
export async function seedDemo(deps: {
  readonly db: Database;
  readonly accounts: Pick<Accounts, 'createUser'>;
  readonly log: Log;
}): Promise<void> {
  const { db, accounts, log } = deps;
  const { rows } = await db.query<{ id: string; email: string; role: string }>(
    `select id, email, role from app.users where email = any($1)`,
    [accountsInOrder.map((account) => account.email)],
  );
  const present = new Set(rows.map((row) => row.email));
  let managerId = rows.find((row) => row.email === manager.email && row.role === 'manager')?.id ?? null;

  for (const account of accountsInOrder) {
    if (present.has(account.email)) continue;
    try {
      const user = await accounts.createUser(db, {
        ...account,
        password: demoPassword,
        managerId: account === trader ? managerId : null,
      });
      if (account === manager) managerId = user.id;
    } catch (error) {
      // Somebody registered under a demo name before: their account stays, and the demo does without this one.
      if (!(error instanceof AccountError)) throw error;
      log.warn({ email: account.email, reason: error.reason }, 'a demo account could not be made');
    }
  }
}

/**
 * Ends what was begun with the published password while the demo lasted: such a session would go on for up to 30 days.
 * Whoever has a password of their own keeps their sessions. To be called before `revocations` loads what has ended.
 */
export async function endDemoSessions({
  db,
  passwords,
  log,
  now,
}: Pick<Context, 'db' | 'passwords' | 'log' | 'now'>): Promise<void> {
  const { rows } = await db.query<{ id: string; email: string }>(
    `select id, email from app.users u where email = any($1)
       and exists (select from app.sessions s where s.user_id = u.id and s.revoked_at is null)`,
    [accountsInOrder.map((account) => account.email)],
  );
  for (const { id, email } of rows) {
    const known = await users.findCredentials(db, { userId: id });
    if (!known || !(await passwords.verify(known.passwordHash, demoPassword))) continue;
    const ended = await db.transaction(async (tx) => {
      await users.lockUser(tx, id);
      const current = await users.findCredentials(tx, { userId: id });
      return current?.passwordHash === known.passwordHash ? sessions.revokeAll(tx, id, now()) : [];
    });
    log.info({ email, sessions: ended.length }, 'the demo is over: its sessions of an account have ended');
  }
}
