/** A restore that fails or is killed: its leftovers are never used as a database, and the next restore starts over. */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, restore } from '../../src/platform/backup/index.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import { startServer } from '../../src/server.ts';
import { type ClonedDatabase, cloneDatabase, testLog } from '../harness/index.ts';
import {
  bookDeposit,
  cleanUp,
  contentOf,
  newFolder,
  onDatabase,
  run,
  start,
  startServerProcess,
  stop,
} from './installations.ts';

const log = testLog;
const marker = 'restore-unfinished.txt';
let source: ClonedDatabase;
let file: string;

beforeAll(async () => {
  source = await cloneDatabase();
  await onDatabase(source.url, (client) => bookDeposit(client, 40_000));
  file = join(newFolder(), 'source.fulcrum');
  await backUp({ databaseUrl: source.url, dataDir: newFolder() }, file, { log });
}, 60_000);
afterAll(async () => {
  await source.drop();
  await cleanUp();
});

const serverOn = (dataDir: string, databaseUrl: string | null) =>
  startServer({ ...loadConfig({ DEMO: 'false' }), port: 0, dataDir, databaseUrl }, { log });

test('kill -9 while the rows go in: refused to servers and backups, then restored by the same command', {
  timeout: 120_000,
}, async () => {
  const target = await cloneDatabase('template0');
  const dataDir = join(newFolder(), 'restored');
  const location = { DATA_DIR: dataDir, DATABASE_URL: target.url };
  const killed = start('scripts/restore.ts', [file], location);
  const copying = () =>
    onDatabase(target.url, async (client) => {
      const { rowCount } = await client.query(
        `select from pg_stat_activity where datname = current_database() and query like 'copy "app"."ledger_entries"%'`,
      );
      return rowCount;
    });
  await expect.poll(copying, { timeout: 60_000, interval: 5 }).toBe(1);
  killed.process.kill('SIGKILL');
  await once(killed.process, 'close');

  expect(readdirSync(dataDir)).toEqual([marker]);
  expect(readFileSync(join(dataDir, marker), 'utf8')).toContain(`Backup: ${file}`);
  await expect(serverOn(dataDir, target.url)).rejects.toThrow(
    /^a restore into .+ did not finish; run it again/,
  );
  expect(existsSync(join(dataDir, 'secrets.json'))).toBe(false);
  // Also one with another folder: the mark is in the database as well.
  await expect(serverOn(newFolder(), target.url)).rejects.toThrow(
    'a restore into this database did not finish; run it again with the same settings',
  );
  await expect(
    backUp({ databaseUrl: target.url, dataDir: newFolder() }, join(newFolder(), 'x'), { log }),
  ).rejects.toThrow('a restore into this database did not finish; there is nothing to back up yet');

  expect(await run('restore', [file], location)).toMatchObject({ code: 0, err: '' });
  expect(readdirSync(dataDir)).toEqual([]);
  expect(await contentOf(target.url)).toEqual(await contentOf(source.url));
  await target.drop();
});

test('kill -9 of a restore into a folder, whose PostgreSQL survives: the next one starts over and a server starts', {
  timeout: 120_000,
}, async () => {
  const dataDir = join(newFolder(), 'restored');
  const killed = start('scripts/restore.ts', [file], { DATA_DIR: dataDir });
  await expect
    .poll(() => existsSync(join(dataDir, 'postgres/postmaster.pid')), { timeout: 60_000, interval: 5 })
    .toBe(true);
  killed.process.kill('SIGKILL');
  await once(killed.process, 'close');

  const refused = start('apps/server/src/main.ts', [], { DATA_DIR: dataDir, PORT: '0' });
  expect(await refused.ended).toBe(1);
  expect(refused.printed.err).toBe(
    `a restore into ${dataDir} did not finish; run it again, or delete the folder (see ${marker} in it)\n`,
  );
  expect(await run('backup', [join(newFolder(), 'x')], { DATA_DIR: dataDir })).toMatchObject({ code: 1 });

  expect(await run('restore', [file], { DATA_DIR: dataDir })).toMatchObject({ code: 0, err: '' });
  expect(existsSync(join(dataDir, marker))).toBe(false);
  await stop(await startServerProcess({ DATA_DIR: dataDir }));
});

test('killed after the commit, before its last step: the same command finishes and loads nothing twice', async () => {
  const target = await cloneDatabase('template0');
  const dataDir = join(newFolder(), 'restored');
  const location = { databaseUrl: target.url, dataDir };
  const examine = async () => {
    throw new Error('the process ends here');
  };
  await expect(restore(location, file, { log, examine })).rejects.toThrow('the process ends here');
  expect(readdirSync(dataDir)).toEqual([marker]);
  await onDatabase(target.url, (client) =>
    client.query(`insert into app.audit_log (action) values ('since')`),
  );
  await restore(location, file, { log, examine: async () => null });
  expect(readdirSync(dataDir)).toEqual([]);
  const { rowCount } = await onDatabase(target.url, (client) =>
    client.query(`select from app.audit_log where action = 'since'`),
  );
  expect(rowCount).toBe(1);
  await target.drop();
});

test('rows that break a foreign key: a clear error, nothing committed, and a good file restores afterwards', async () => {
  const broken = await cloneDatabase();
  await onDatabase(broken.url, (client) =>
    client.query(`set session_replication_role = replica;
      insert into app.wallets (user_id) values ('00000000-0000-4000-8000-000000000007')`),
  );
  const brokenFile = join(newFolder(), 'broken.fulcrum');
  await backUp({ databaseUrl: broken.url, dataDir: newFolder() }, brokenFile, { log });
  const target = await cloneDatabase('template0');
  const location = { databaseUrl: target.url, dataDir: join(newFolder(), 'restored') };
  await expect(restore(location, brokenFile, { log, examine: async () => null })).rejects.toThrow(
    /^the backup could not be loaded: .+ violates foreign key constraint "wallets_user_id_fkey"$/,
  );
  const { rowCount } = await onDatabase(target.url, (client) => client.query('select from app.wallets'));
  expect(rowCount).toBe(0);
  await restore(location, file, { log, examine: async () => null });
  expect(await contentOf(target.url)).toEqual(await contentOf(source.url));
  await Promise.all([broken.drop(), target.drop()]);
});

test('two restores into one database: the second one is refused and the first one is whole', async () => {
  const target = await cloneDatabase('template0');
  const into = (dataDir: string) =>
    restore({ databaseUrl: target.url, dataDir }, file, { log, examine: async () => null });
  const [one, two] = await Promise.allSettled([into(join(newFolder(), 'a')), into(join(newFolder(), 'b'))]);
  const refused = [one, two].filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  expect(refused.map(({ reason }) => reason.message)).toEqual([
    'another restore into this database is running',
  ]);
  expect(await contentOf(target.url)).toEqual(await contentOf(source.url));
  await target.drop();
});
