/** Backup and restore stream: what they need does not grow with the tables. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClonedDatabase, cloneDatabase } from '../harness/index.ts';
import { bookDeposit, cleanUp, ledgerHashIn, newFolder, onDatabase, run } from './installations.ts';

/** About 135 MB are taken by Node and the modules themselves; one table held in memory would be more than the rest. */
const residentMax = 220 * 1024 * 1024;
const ledgerRows = 200_000;
/** Files of 80 MB, which are 160 MB as COPY text. */
const chunks = 320;

// The limit on the heap alone would not see buffers, which live outside it.
const nodeOptions = [
  '--max-old-space-size=48',
  `--import=data:text/javascript,process.on('exit',()=>process.stderr.write(String(process.resourceUsage().maxRSS)))`,
];
const residentIn = (err: string) => Number(/^(\d+)$/.exec(err)?.[1]) * 1024;

let source: ClonedDatabase;
let target: ClonedDatabase;
beforeAll(async () => {
  source = await cloneDatabase();
  target = await cloneDatabase('template0');
  await onDatabase(source.url, async (client) => {
    await bookDeposit(client, ledgerRows / 2);
    await client.query(`
      insert into app.users (id, email, username, role)
        values ('00000000-0000-4000-8000-000000000002', 'owner@example.test', 'owner', 'trader');
      insert into app.file_uploads (id, owner_id, started_at)
        values ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000002', now());
      insert into app.file_chunks (upload_id, position, content)
        select '00000000-0000-4000-8000-000000000003', n, decode(repeat('a5', 262144), 'hex')
        from generate_series(1, ${chunks}) n`);
  });
}, 60_000);
afterAll(async () => {
  await source.drop();
  await target.drop();
  await cleanUp();
});

test('200,000 ledger entries and 80 MB of files pass through with a heap of 48 MB', {
  timeout: 120_000,
}, async () => {
  const folder = newFolder();
  const file = join(folder, 'large.fulcrum');
  const made = await run('backup', [file], { DATABASE_URL: source.url, DATA_DIR: folder }, { nodeOptions });
  expect(made.code).toBe(0);
  expect(made.out).toContain(`${ledgerRows} entries, sum 0.00000000 USDT`);
  expect(residentIn(made.err)).toBeLessThan(residentMax);

  const into = { DATABASE_URL: target.url, DATA_DIR: join(folder, 'restored') };
  const restored = await run('restore', [file], into, { nodeOptions });
  expect(restored.code).toBe(0);
  expect(ledgerHashIn(restored.out)).toBe(ledgerHashIn(made.out));
  expect(residentIn(restored.err)).toBeLessThan(residentMax);
});
