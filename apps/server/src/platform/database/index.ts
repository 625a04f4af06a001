/**
 * The database: an embedded PostgreSQL in the data directory, or the one that DATABASE_URL names. `openDatabase` brings
 * it to this program's schema as its owner, closes that connection, and returns a pool that works as the restricted role.
 */
import type { Log } from '../log/index.ts';
import { StartError } from '../start-error.ts';
import { startEmbedded } from './embedded/index.ts';
import {
  asOwner,
  createFulcrumDatabase,
  type DatabaseLocation,
  databaseName,
  prepare,
  superuserAt,
} from './owner.ts';
import { createDatabase, type Database } from './pool.ts';
import { restrictedRole } from './restricted-role.ts';

export { isOverload } from './overload.ts';
export { type DatabaseLocation, type OwnerOptions, prepare, withDatabase } from './owner.ts';
export type { Database, Queryable } from './pool.ts';
export { createReadingTurns } from './reading-turns.ts';
export { openRestrictedBeside } from './restricted-beside.ts';

/** Settings of each application connection; they hold whatever a foreign server's defaults are. */
const sessionSettings = [
  'timezone=UTC',
  'synchronous_commit=on',
  'statement_timeout=15s',
  'lock_timeout=10s',
  'idle_in_transaction_session_timeout=15s',
];

export interface ServingDatabase extends Database {
  /** To be called when the stop begins, before `close`. */
  leave(): void;
}

/** `dataDir` is used only without a `databaseUrl`. Throws a StartError in words when the database cannot serve. */
export async function openDatabase(config: DatabaseLocation, log: Log): Promise<ServingDatabase> {
  return config.databaseUrl === null
    ? openEmbedded(config.dataDir, log)
    : openForeign(config.databaseUrl, log);
}

async function openEmbedded(dataDir: string, log: Log): Promise<ServingDatabase> {
  const postgres = await startEmbedded({ dir: dataDir, log });
  const superuser = superuserAt(postgres.socketDir);
  try {
    await createFulcrumDatabase(superuser);
    await asOwner({ ...superuser, database: databaseName }, (client) => prepare(client, 'logs in', log));
    const database = createDatabase(
      { ...superuser, user: restrictedRole, database: databaseName, options: optionsOf(sessionSettings) },
      log,
    );
    return {
      ...database,
      leave: postgres.leave,
      close: async () => {
        try {
          await database.close();
        } finally {
          await postgres.stop();
        }
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function openForeign(databaseUrl: string, log: Log): Promise<ServingDatabase> {
  await asOwner({ connectionString: databaseUrl }, (client) => prepare(client, 'is switched to', log));
  const connectionString = withOptions(
    databaseUrl,
    optionsOf([`role=${restrictedRole}`, ...sessionSettings]),
  );
  const database = createDatabase({ connectionString }, log);
  try {
    const { rows } = await database.query<{ role: string }>('select current_user as role');
    // A pooler in between may drop start-up options; then the ledger would be open to updates.
    if (rows[0]?.role !== restrictedRole) {
      throw new StartError(
        `DATABASE_URL does not pass the role on (is there a pooler?); connect to PostgreSQL directly`,
      );
    }
    return { ...database, leave: () => undefined };
  } catch (error) {
    await database.close();
    throw error;
  }
}

const optionsOf = (settings: readonly string[]) => settings.map((setting) => `-c ${setting}`).join(' ');

/** The URL with start-up options added to those it may already have; a URL's options win over all other settings of pg. */
function withOptions(databaseUrl: string, options: string): string {
  const [address, query = ''] = databaseUrl.split('?', 2);
  const parameters = new URLSearchParams(query);
  const given = parameters.get('options');
  parameters.set('options', given === null ? options : `${given} ${options}`);
  return `${address}?${parameters.toString().replaceAll('+', '%20')}`;
}
