/** The reports of `npm run doctor` about common faults, each in one line with the next step. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hourMs } from '@fulcrum/domain';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKeyFile } from '../../src/platform/backup/index.ts';
import { loadSecrets } from '../../src/platform/config/secrets.ts';
import { withDatabase } from '../../src/platform/database/index.ts';
import { childEnv } from '../harness/child-env.ts';
import { freePort } from '../harness/free-port.ts';
import { cloneDatabase, testLog } from '../harness/index.ts';
import { type Installation, makeInstallation } from '../harness/server-process.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const doctor = join(root, 'scripts/doctor.mjs');

interface Diagnosis {
  readonly code: number;
  readonly lines: readonly string[];
  /** Lines with ✗. */
  readonly wrong: readonly string[];
  readonly hints: readonly string[];
}

async function diagnose(env: Record<string, string>, program = doctor): Promise<Diagnosis> {
  const child = spawn(process.execPath, [program], {
    env: { ...childEnv, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number];
  const lines = output.split('\n');
  const marked = (mark: string) => lines.filter((line) => line.startsWith(mark));
  return { code, lines, wrong: marked('✗'), hints: marked('!') };
}

describe('the doctor', () => {
  let installation: Installation;
  let DATA_DIR: string;
  beforeEach(() => {
    installation = makeInstallation();
    DATA_DIR = installation.dataDir;
  });
  afterEach(() => installation.dispose());

  test('reports no fault for a fresh folder, and creates nothing in it', async () => {
    const fresh = join(DATA_DIR, 'new');
    const { code, wrong, lines } = await diagnose({ DATA_DIR: fresh });
    expect(wrong).toEqual([]);
    expect(code).toBe(0);
    expect(lines).toContain(`✓ the data directory ${fresh} does not exist yet; the first start makes it`);
    expect(
      lines.some((line) => /^✓ postgres \(PostgreSQL\) \d+\.\d+ of the npm package runs$/.test(line)),
    ).toBe(true);
    expect(() => rmSync(fresh)).toThrow(/ENOENT/);
  });

  test('a running server: its owner, its readiness, a balanced ledger; after kill -9 the leftovers', async () => {
    const PORT = String(await freePort());
    const server = installation.run({ env: { PORT } });
    await server.ready();
    const running = await diagnose({ DATA_DIR, PORT });
    expect(running).toMatchObject({ code: 0, wrong: [] });
    expect(
      running.lines.some((line) => line.startsWith(`✓ process ${server.process.pid} runs on it since 20`)),
    ).toBe(true);
    expect(running.lines).toEqual(
      expect.arrayContaining([
        `✓ the server on port ${PORT} of 127.0.0.1 is ready`,
        '✓ the schema is that of this version',
        '✓ the ledger agrees with wallets and positions',
      ]),
    );

    const postmaster = installation.postmaster();
    await server.end('SIGKILL');
    const killed = await diagnose({ DATA_DIR, PORT });
    expect(killed).toMatchObject({ code: 0, wrong: [] });
    expect(killed.hints).toEqual([
      `! left behind: the note of a killed server; its PostgreSQL, process ${postmaster}, which still runs — the next start puts that right`,
    ]);
  });

  test('an unbalanced ledger, and a schema of a newer version', async () => {
    const location = { databaseUrl: null, dataDir: DATA_DIR };
    // Past the trigger that would not let it happen.
    await withDatabase(location, testLog, (client) =>
      client.query(`set session_replication_role = replica;
                    insert into app.ledger_entries (group_id, account, amount, kind, source_id)
                    values (gen_random_uuid(), 'external', 5, 'adjustment', gen_random_uuid())`),
    );
    const cooked = await diagnose({ DATA_DIR });
    expect(cooked.code).toBe(1);
    expect(cooked.wrong[0]).toMatch(
      /^✗ the ledger violates an invariant: the ledger sums to zero \(ledger: 5\) — /,
    );

    await withDatabase(location, testLog, (client) =>
      client.query(`insert into meta.schema_migrations (name, checksum) values ('9999_later.sql', 'x')`),
    );
    expect((await diagnose({ DATA_DIR })).wrong).toEqual([
      '✗ the database has migration 9999_later.sql, which this version of Fulcrum does not know — start the version of Fulcrum that wrote this database',
    ]);
  });

  test('each wrong setting in a line of its own, without the password in it', async () => {
    const { code, wrong, lines } = await diagnose({
      DATA_DIR,
      RULES: 'none',
      STALE_AFTER_S: '0',
      SMTP_URL: 'smtp://me:very-secret@',
    });
    expect(code).toBe(1);
    expect(wrong).toEqual([
      '✗ the setting RULES=none is not valid; allowed: standard or as-specified — correct or unset RULES',
      '✗ the setting STALE_AFTER_S=0 is not valid; allowed: a whole number from 1 to 86400 — correct or unset STALE_AFTER_S',
      expect.stringMatching(
        /^✗ the setting SMTP_URL=\(not shown\) is not valid; .* — correct or unset SMTP_URL$/,
      ),
    ]);
    expect(lines.join('\n')).not.toContain('very-secret');
  });

  test('settings that open the demo, passwords and limits to the world', async () => {
    const { code, hints } = await diagnose({ DATA_DIR, HOST: '0.0.0.0', DEMO: 'true', TRUST_PROXY: '1' });
    expect(code).toBe(0);
    expect(hints.map((line) => line.slice(2, 40))).toEqual([
      'the demo accounts, whose password is p',
      'passwords travel unencrypted to http:/',
      'TRUST_PROXY=1 also trusts clients that',
    ]);
    const behind = await diagnose({ DATA_DIR, PUBLIC_URL: 'https://fulcrum.example', DEMO: 'false' });
    expect(behind.hints).toEqual([expect.stringContaining('all visitors count as one address')]);
  });

  test('a data directory that is a file', async () => {
    const file = join(DATA_DIR, 'file');
    writeFileSync(file, '');
    expect((await diagnose({ DATA_DIR: file })).wrong).toEqual([
      `✗ the data directory ${file} is a file — set DATA_DIR to a folder`,
    ]);
  });

  test('another major version, damaged secrets, secrets open to others', async () => {
    mkdirSync(join(DATA_DIR, 'postgres'));
    writeFileSync(join(DATA_DIR, 'postgres/PG_VERSION'), '17\n');
    writeFileSync(join(DATA_DIR, 'secrets.json'), '{', { mode: 0o600 });
    const { code, wrong } = await diagnose({ DATA_DIR });
    expect(code).toBe(1);
    expect(wrong).toEqual([
      expect.stringMatching(/^✗ the secrets: .*secrets\.json is damaged/),
      expect.stringMatching(/^✗ the database was made by PostgreSQL 17, and this is 18 — back it up/),
    ]);
    chmodSync(join(DATA_DIR, 'secrets.json'), 0o644);
    expect((await diagnose({ DATA_DIR })).wrong[0]).toContain('is open to other users; run: chmod 600');
  });

  test('backups: a folder or key that is missing, a key that others may read, and an old backup', async () => {
    const [missing, folder, keyFile] = ['none', 'backups', 'backup.key'].map((name) => `${DATA_DIR}-${name}`);
    const lost = await diagnose({ DATA_DIR, BACKUP_DIR: missing!, BACKUP_KEY_FILE: keyFile! });
    expect(lost.wrong).toEqual([
      expect.stringMatching(/^✗ cannot read BACKUP_KEY_FILE=.*ENOENT.* — correct or unset BACKUP_KEY_FILE$/),
    ]);
    expect(lost.hints).toEqual([
      expect.stringMatching(
        /^! no backup can be written: ENOENT.* — make the folder, for the user of the server/,
      ),
    ]);

    mkdirSync(folder!);
    const recipient = await createKeyFile(keyFile!);
    const mark = loadSecrets(DATA_DIR).instanceId.slice(0, 8);
    const backup = (at: number) => {
      const instant = new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
      writeFileSync(join(folder!, `fulcrum-${instant}Z-${mark}.fulcrum`), '');
    };
    backup(Date.now() - 31 * hourMs);
    chmodSync(keyFile!, 0o644);
    const env = { DATA_DIR, BACKUP_DIR: folder!, BACKUP_KEY_FILE: keyFile! };
    const old = await diagnose(env);
    expect(old).toMatchObject({ code: 0, wrong: [] });
    expect(old.hints).toEqual([
      `! other users may read the secret key ${keyFile} — run: chmod 600 ${keyFile}`,
      expect.stringMatching(
        /^! the newest backup is 31 hours old \(.*\.fulcrum\) — the reason is in backup\.failure of \/health/,
      ),
    ]);
    backup(Date.now() - hourMs);
    chmodSync(keyFile!, 0o600);
    const well = await diagnose(env);
    expect(well.hints).toEqual([]);
    expect(well.lines).toContain(
      `✓ backups are encrypted for the key ${recipient}, and ${keyFile} restores them`,
    );
    expect(well.lines.some((line) => line.startsWith('✓ the newest backup is 1 hours old'))).toBe(true);
    for (const path of [folder!, keyFile!]) rmSync(path, { recursive: true });
  });

  test('a port of another program, an unreachable mail server and database', async () => {
    const other = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, wrong } = await diagnose({
      DATA_DIR,
      PORT: String(port),
      SMTP_URL: 'smtp://127.0.0.1:9',
      DATABASE_URL: 'postgresql://nobody@/none?host=/tmp/fulcrum-nowhere',
    });
    other.close();
    expect(code).toBe(1);
    expect(wrong).toEqual([
      `✗ port ${port} of 127.0.0.1 is used by another program — stop it or set PORT`,
      expect.stringMatching(/^✗ the database: cannot connect to the database: .*ENOENT.* — /),
      expect.stringMatching(/^✗ the mail server 127\.0\.0\.1:9 cannot be reached: .*ECONNREFUSED/),
    ]);
  });

  test('a server of this directory that reports many faults is distinguished from another program', async () => {
    const { anonKey } = loadSecrets(DATA_DIR);
    const violations = Array.from({ length: 200 }, (_, n) => ({
      invariant: 'balance',
      detail: `wallet ${n}`,
    }));
    const health = { status: 'degraded', invariants: { ok: false, violations } };
    const server = createServer(({ url }, response) =>
      response.end(JSON.stringify(url === '/health' ? health : { anonKey })),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { wrong } = await diagnose({ DATA_DIR, PORT: String(port) });
    server.close();
    expect(wrong).toEqual([
      expect.stringMatching(`^✗ the server on port ${port} of 127\\.0\\.0\\.1 is degraded: .*wallet 0`),
    ]);
  });

  test('DATABASE_URL: what is pending, and demo accounts that still have their password', async () => {
    const empty = await cloneDatabase('template0');
    const pending = await diagnose({ DATA_DIR, DATABASE_URL: empty.url });
    expect(pending.wrong).toEqual([]);
    expect(pending.hints).toEqual([
      expect.stringMatching(
        /^! \d+ migrations and functions are not applied \(0001_accounts\.sql, .*\) — the next start applies them$/,
      ),
    ]);
    await empty.drop();

    const filled = await cloneDatabase();
    const server = installation.run({
      env: { DATABASE_URL: filled.url, DEMO: 'true', DEMO_HISTORY: 'false' },
    });
    await server.ready();
    await server.end('SIGTERM');
    const opened = {
      DATA_DIR,
      DATABASE_URL: filled.url,
      DEMO: 'false',
      PUBLIC_URL: 'https://fulcrum.example',
    };
    expect((await diagnose({ ...opened, TRUST_PROXY: '1' })).wrong).toEqual(
      ['admin', 'manager', 'support', 'trader'].map(
        (name) =>
          `✗ ${name}@fulcrum.local still has the public demo password — change it or suspend the account`,
      ),
    );
    await filled.drop();
  });
});

describe('the doctor of a clone without installed packages', () => {
  const clone = mkdtempSync(join(tmpdir(), 'fulcrum-clone-'));
  afterAll(() => rmSync(clone, { recursive: true, force: true }));

  test('reports it with the next step, without a fault of its own', async () => {
    mkdirSync(join(clone, 'scripts'));
    for (const file of ['doctor.mjs', 'installed.mjs']) {
      copyFileSync(join(root, 'scripts', file), join(clone, 'scripts', file));
    }
    cpSync(join(root, 'scripts/doctor'), join(clone, 'scripts/doctor'), { recursive: true });
    copyFileSync(join(root, 'package-lock.json'), join(clone, 'package-lock.json'));
    const { code, wrong } = await diagnose({}, join(clone, 'scripts/doctor.mjs'));
    expect(code).toBe(1);
    expect(wrong[0]).toBe(
      '✗ the packages: nothing is installed — run npm start, which installs them, or npm ci',
    );
    expect(wrong.at(-1)).toMatch(/^✗ the examination cannot go on: .* — run npm ci and try again$/);
  });
});
