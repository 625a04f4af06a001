/**
 * SQL functions that the server calls, as files: `functions/<name>_v<n>.sql` creates `app.<name>_v<n>` and the types of its
 * arguments. A start installs the versions that the database lacks. Invariants: a released file never changes, because a
 * change is a new version beside it; an installed function has the checksum of its file as its comment.
 *
 * A version that no release calls any more goes with a migration that drops it, and then its file. The release that stops to
 * call it keeps it, so that a server of the release before can go on during an upgrade. That migration says `drop function if
 * exists` and `drop type if exists`: a new database runs all migrations before it installs a function.
 *
 * Known limitation: a dump without comments (`pg_dump --no-comments`) loses the checksums. A start then names the statement
 * that writes one again.
 */
import type pg from 'pg';
import type { Log } from '../log/index.ts';
import { StartError } from '../start-error.ts';
import { applySqlFile, readSqlFiles, type SqlFile, withSchemaLock } from './sql-files.ts';

export const functionsDir = new URL('./functions/', import.meta.url);

export const readFunctions = (dir: URL = functionsDir): SqlFile[] =>
  readSqlFiles(dir, /^[a-z][a-z_]*_v[1-9]\d*\.sql$/);

const functionOf = ({ name }: SqlFile): string => name.replace('.sql', '');

/** The statement that records the checksum of the file in the database. */
const recordOf = (file: SqlFile): string =>
  `comment on function app.${functionOf(file)} is '${file.checksum}'`;

/** Installs the missing functions as the owner of the schema (`client`), which is migrated. Throws a StartError that names the file. */
export const installFunctions = (client: pg.Client, functions: readonly SqlFile[], log: Log): Promise<void> =>
  withSchemaLock(client, async () => {
    for (const file of await missingFunctions(client, functions)) {
      const name = functionOf(file);
      await applySqlFile(client, `function ${file.name}`, file, () => client.query(recordOf(file)));
      log.info({ function: name }, 'SQL function installed');
    }
  });

/** The functions that this database lacks. Throws a StartError for one that changed since it was installed, or has no checksum. */
export async function missingFunctions(client: pg.Client, functions: readonly SqlFile[]): Promise<SqlFile[]> {
  const { rows } = await client.query<{ name: string; checksum: string | null }>(
    `select proname as name, obj_description(oid, 'pg_proc') as checksum
     from pg_proc where pronamespace = to_regnamespace('app')`,
  );
  const installed = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  return functions.filter((file) => {
    const checksum = installed.get(functionOf(file));
    if (checksum === null) {
      throw new StartError(
        `function ${file.name} has no checksum in this database, as after a restore without comments; ` +
          `if the function itself is as it was installed, run as its owner: ${recordOf(file)}`,
      );
    }
    if (checksum !== undefined && checksum !== file.checksum) {
      throw new StartError(
        `function ${file.name} was changed after this database installed it; restore the file, and make a new version of it`,
      );
    }
    return checksum === undefined;
  });
}
