/**
 * The role that the application uses. It owns nothing and has no DDL; `grants.sql` lists its rights. The embedded
 * PostgreSQL has it as a login role; with DATABASE_URL the given role switches to it at connection start.
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { StartError } from '../start-error.ts';

export const restrictedRole = 'fulcrum_app';

const grants = readFileSync(new URL('./grants.sql', import.meta.url), 'utf8');

/** Creates a missing role and lets the connected one switch to it. Throws a StartError with the missing statement. */
export async function ensureRestrictedRole(
  client: pg.Client,
  access: 'logs in' | 'is switched to',
): Promise<void> {
  const login = access === 'logs in' ? 'login' : 'nologin';
  const { rows } = await client.query<{ self: string; superuser: boolean; exists: boolean }>(
    `select current_user as self, (select rolsuper from pg_roles where rolname = current_user) as superuser,
            exists (select from pg_roles where rolname = $1) as exists`,
    [restrictedRole],
  );
  const { self = '', superuser = false, exists = false } = rows[0] ?? {};
  if (!exists) {
    await attempt(client, `create role ${restrictedRole} ${login}`);
  }
  if (superuser || (await mayBecome(client))) return;
  await attempt(client, `grant ${restrictedRole} to ${pg.escapeIdentifier(self)}`);
}

async function attempt(client: pg.Client, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    const code = (error as { code?: string }).code;
    // Another server of the same cluster created it first.
    if (code === '42710' || code === '23505') return;
    if (code !== '42501') throw error;
    throw new StartError(
      `the role of DATABASE_URL may not prepare itself; let an administrator run: ${statement};`,
    );
  }
}

async function mayBecome(client: pg.Client): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query(`set local role ${restrictedRole}`);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return false;
    throw error;
  } finally {
    await client.query('rollback');
  }
}

/** Applies `grants.sql` in one transaction: a running server never sees a gap. */
export async function applyGrants(client: pg.Client): Promise<void> {
  try {
    await client.query('begin');
    await client.query(grants);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
