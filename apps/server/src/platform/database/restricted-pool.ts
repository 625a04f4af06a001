/** A pool of the restricted role beside an owner's connection, for operator tools that use server features. */
import type pg from 'pg';
import type { Log } from '../log/index.ts';
import { createDatabase, type Database } from './pool.ts';
import { restrictedRole } from './restricted-role.ts';

/** Connects to the database of `owner`. @throws Error when a pooler in between does not pass the role on. */
export async function openRestrictedPool(owner: pg.Client, log: Log): Promise<Database> {
  const { host, port, user, database, password, ssl } = owner;
  const db = createDatabase(
    {
      host,
      port,
      ...(user !== undefined && { user }),
      ...(database !== undefined && { database }),
      // A string: what pg made of the address or of the password file.
      ...(typeof password === 'string' && { password }),
      ssl,
      max: 2,
      options: `-c role=${restrictedRole} -c timezone=UTC -c synchronous_commit=on`,
    },
    log,
  );
  try {
    const { rows } = await db.query<{ role: string }>('select current_user as role');
    if (rows[0]?.role === restrictedRole) return db;
    throw new Error(`the connection is not that of ${restrictedRole}`);
  } catch (error) {
    await db.close();
    throw error;
  }
}
