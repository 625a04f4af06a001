/** A database of its own for a test file, cloned from the migrated template in about 50 ms. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { beatSettings } from '../../src/platform/database/index.ts';
import { createDatabase, type Database } from '../../src/platform/database/pool.ts';
import { createLog } from '../../src/platform/log/index.ts';

export const testLog = createLog({ logLevel: 'silent' });

export interface TestDatabase extends Database {
  /** As a template of others, once this one is disconnected. */
  readonly name: string;
  /** For a server under test: DATABASE_URL as the owner, so that the server has to restrict itself. */
  readonly url: string;
  /** Runs one statement as the owner, past the grants (and on tables without triggers, past the rules). */
  asOwner(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** As the server's own, for members of a cluster. */
  openBeatConnection(): Database;
  /** Closes the connections and drops the database. */
  close(): Promise<void>;
}

/** An empty, migrated database (or a copy of the one named), connected as the restricted role. */
export async function createTestDatabase(template?: string): Promise<TestDatabase> {
  const { name, url, drop } = await cloneDatabase(template);
  const host = inject('postgresSocketDir');
  const connection = { host, user: 'fulcrum_app', database: name, options: '-c timezone=UTC' };
  const db = createDatabase(connection, testLog);
  return {
    ...db,
    name,
    url,
    openBeatConnection: () => createDatabase({ ...connection, ...beatSettings }, testLog),
    asOwner: async (text, values = []) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query(text, [...values])).rows;
      } finally {
        await client.end();
      }
    },
    close: async () => {
      await db.close();
      await drop();
    },
  };
}

export interface ClonedDatabase {
  readonly name: string;
  readonly url: string;
  drop(): Promise<void>;
}

/** A database without a connection to it; `template0` makes an empty one. */
export async function cloneDatabase(template = 'fulcrum_template'): Promise<ClonedDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // file_copy: the default copies through the log, which takes twice as long.
  await administer(`create database ${name} template ${template} strategy file_copy`);
  // Rights on a database itself are not copied with it.
  await administer(`revoke temporary on database ${name} from public`);
  return {
    name,
    url: `postgresql://postgres@/${name}?host=${encodeURIComponent(inject('postgresSocketDir'))}`,
    drop: () => administer(`drop database if exists ${name} with (force)`),
  };
}

/** Runs one statement as superuser in the cluster's own database. */
export async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ host: inject('postgresSocketDir'), user: 'postgres', database: 'postgres' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
