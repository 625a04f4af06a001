/** A pool of the restricted role beside an owner's connection, for tools that do what the server does. */
import type pg from 'pg';
import type { Log } from '../log/index.ts';
import { createDatabase, type Database } from './pool.ts';
import { restrictedRole } from './restricted-role.ts';

/** Reaches the database that `owner` is connected to. @throws Error when the role is not handed on (a pooler between). */
export async function openRestrictedBeside(owner: pg.Client, log: Log): Promise<Database> {
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
