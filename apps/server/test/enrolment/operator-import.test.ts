/** `npm run import-people` as a process on a database of its own. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp, newFolder, onDatabase, run } from '../backup/installations.ts';
import { type ClonedDatabase, cloneDatabase } from '../harness/index.ts';

let database: ClonedDatabase;
let folder: string;
beforeAll(async () => {
  database = await cloneDatabase();
  folder = newFolder();
});
afterAll(async () => {
  await database.drop();
  await cleanUp();
});

const importFile = (args: readonly string[], databaseUrl = database.url) =>
  run('import-users', args, { DATA_DIR: folder, DATABASE_URL: databaseUrl });
const linksIn = (file: string) => readFileSync(file, 'utf8').match(/https?:\S+/g) ?? [];

test('links are in a file of their owner; the same file again has fresh ones, and no user twice', {
  timeout: 60_000,
}, async () => {
  const file = join(folder, 'people.csv');
  writeFileSync(file, 'email;role\n\nkira@school.test;\n"leo@school.test";admin\n');
  const [first, second] = [join(folder, 'first.csv'), join(folder, 'second.csv')];
  const done = await importFile(['--links', first, file]);
  expect(done).toMatchObject({ code: 0, err: '' });
  expect(done.out).toContain('line 4 (leo@school.test): The role is one of trader, manager, support.');
  expect(done.out).toContain('1 created, 0 exist, 1 refused.');
  expect(statSync(first).mode & 0o777).toBe(0o600);
  expect(linksIn(first)).toHaveLength(1);

  const taken = await importFile(['--links', first, file]);
  expect(taken).toMatchObject({ code: 1, err: expect.stringContaining('exists already. Name another file') });

  expect((await importFile(['--links', second, file])).out).toContain('1 created, 0 exist, 1 refused.');
  expect(linksIn(second)).toHaveLength(1);
  expect(linksIn(second)).not.toEqual(linksIn(first));
  await onDatabase(database.url, async (client) => {
    const { rows } = await client.query('select email from app.users where email like $1', ['%@school.test']);
    expect(rows).toEqual([{ email: 'kira@school.test' }]);
  });
});

test('a run that stops leaves no file of links', { timeout: 60_000 }, async () => {
  const file = join(folder, 'others.csv');
  writeFileSync(file, 'email\nmia@school.test\n');
  const links = join(folder, 'links.csv');
  const failed = await importFile(
    ['--links', links, file],
    database.url.replace(database.name, 'no_such_database'),
  );
  expect(failed.code).toBe(1);
  expect([existsSync(links), existsSync(`${links}.part`)]).toEqual([false, false]);
  expect((await importFile(['--links', links, file])).out).toContain('1 created');
});
