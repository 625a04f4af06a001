/** Backup and restore stream: what they need does not grow with the tables. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeyFile } from '../../src/platform/backup/index.ts';
import { type ClonedDatabase, cloneDatabase } from '../harness/index.ts';
import { bookDeposit, cleanUp, ledgerHashIn, newFolder, onDatabase, run } from './installations.ts';

/** About 135 MB are taken by Node and the modules themselves; one table held in memory would be more than the rest. */
const residentMax = 220 * 1024 * 1024;
const ledgerRows = 200_000;
/** Files of 80 MB that do not compress, as pictures do not; they are 160 MB as COPY text. */
const chunks = 320;

// The limit on the heap alone would not see buffers, which live outside it.
const nodeOptions = [
  '--max-old-space-size=48',
  `--import=data:text/javascript,process.on('exit',()=>process.stderr.write(String(process.resourceUsage().maxRSS)))`,
];
const residentIn = (err: string) => Number(/^(\d+)$/.exec(err)?.[1]) * 1024;

let source: ClonedDatabase;
beforeAll(async () => {
  source = await cloneDatabase();
  await onDatabase(source.url, async (client) => {
    await bookDeposit(client, ledgerRows / 2);
    await client.query(`
      insert into app.users (id, email, username, role)
        values ('00000000-0000-4000-8000-000000000002', 'owner@example.test', 'owner', 'trader');
      insert into app.file_uploads (id, owner_id, started_at)
        values ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000002', now());
      with noise as materialized (
        select string_agg(sha256(i::text::bytea), '') as bytes from generate_series(1, 8192) i
      )
      insert into app.file_chunks (upload_id, position, content)
        select '00000000-0000-4000-8000-000000000003', n, noise.bytes
        from generate_series(1, ${chunks}) n, noise`);
  });
}, 60_000);
afterAll(async () => {
  await source.drop();
  await cleanUp();
});

test.each([
  ['plain', false],
  ['encrypted', true],
])(
  '200,000 ledger entries and 80 MB of files pass through with a heap of 48 MB: %s',
  {
    timeout: 600_000,
  },
  async (_how, isEncrypted) => {
    const folder = newFolder();
    const [file, key] = [join(folder, 'large.fulcrum'), join(folder, 'key')];
    if (isEncrypted) await createKeyFile(key);
    const env = isEncrypted ? { BACKUP_KEY_FILE: key } : {};
    const from = { ...env, DATABASE_URL: source.url, DATA_DIR: folder };
    const made = await run('backup', [file], from, { nodeOptions });
    expect(made.code).toBe(0);
    expect(made.out).toContain(`${ledgerRows} entries, sum 0.00000000 USDT`);
    expect(residentIn(made.err)).toBeLessThan(residentMax);

    const target = await cloneDatabase('template0');
    const into = { ...env, DATABASE_URL: target.url, DATA_DIR: join(folder, 'restored') };
    const restored = await run('restore', [file], into, { nodeOptions });
    await target.drop();
    expect(restored.code).toBe(0);
    expect(ledgerHashIn(restored.out)).toBe(ledgerHashIn(made.out));
    expect(residentIn(restored.err)).toBeLessThan(residentMax);
  },
);
