/**
 * The demo accounts of `DEMO=true`, one per role, all with the same published password. Invariants: an existing account is
 * left unchanged, so a changed password or name survives every later start. Without DEMO the published password opens
 * nothing, and sessions that it opened are closed.
 */
import { parseDecimal } from '@fulcrum/domain';
import type { Services } from '../../platform/services.ts';
import type { Context } from './context.ts';
import { IdentityError } from './errors.ts';
import type { createRegistration, UserDraft } from './registration.ts';
import * as sessions from './sessions.ts';
import * as users from './users.ts';

export const demoPassword = 'fulcrum-demo';

/** Whether these are the published credentials, of an account that is there or was. */
export const areDemoCredentials = (email: string, password: string): boolean =>
  password === demoPassword && demoUsers.some((account) => account.email === email);

type DemoUser = Pick<UserDraft, 'email' | 'username' | 'role' | 'phoneNumber' | 'initialBalance'>;

const manager: DemoUser = {
  email: 'manager@fulcrum.local',
  username: 'demo_manager',
  role: 'manager',
  initialBalance: null,
};
const trader: DemoUser = {
  email: 'trader@fulcrum.local',
  username: 'demo_trader',
  role: 'trader',
  phoneNumber: '+12025550143',
  initialBalance: parseDecimal('10000'),
};
// The manager comes before the trader who is assigned to him.
const demoUsers: readonly DemoUser[] = [
  manager,
  trader,
  { email: 'support@fulcrum.local', username: 'demo_support', role: 'support', initialBalance: null },
  { email: 'admin@fulcrum.local', username: 'demo_admin', role: 'admin', initialBalance: null },
];

/** Makes the demo accounts that are missing; with `since`, as if they had been made then. */
export async function seedDemo(
  deps: Pick<Services, 'db' | 'log'> & {
    readonly identity: Pick<ReturnType<typeof createRegistration>, 'createUser'>;
    readonly since?: Date | null;
  },
): Promise<void> {
  const { db, identity, log, since = null } = deps;
  const { rows } = await db.query<{ id: string; email: string; role: string }>(
    `select id, email, role from app.users where email = any($1)`,
    [demoEmails],
  );
  const present = new Set(rows.map((row) => row.email));
  let managerId = rows.find((row) => row.email === manager.email && row.role === 'manager')?.id ?? null;

  for (const account of demoUsers) {
    if (present.has(account.email)) continue;
    try {
      const user = await identity.createUser(db, {
        ...account,
        password: demoPassword,
        ...(since && { createdAt: since }),
        managerId: account === trader ? managerId : null,
      });
      if (account === manager) managerId = user.id;
    } catch (error) {
      // A user registered under a demo name before: their account stays, and this demo account is not created.
      if (!(error instanceof IdentityError)) throw error;
      log.warn({ email: account.email, reason: error.reason }, 'a demo account could not be made');
    }
  }
}

/** The emails of the accounts whose password is published. */
export const demoEmails: readonly string[] = demoUsers.map(({ email }) => email);

/**
 * Ends sessions that the published password opened while the demo lasted: they would go on for up to 30 days. Accounts with
 * another password keep their sessions. Runs before `revocations` loads the ended sessions.
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
    [demoUsers.map((account) => account.email)],
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

/** The id of a demo account that still has the published password; null for another one, which belongs to its user. */
export async function findDemoUser(
  { db, passwords }: Pick<Context, 'db' | 'passwords'>,
  email: string,
): Promise<string | null> {
  const known = await users.findCredentials(db, { email });
  return known && (await passwords.verify(known.passwordHash, demoPassword)) ? known.userId : null;
}
