/** Scheduled backups: when they are written, which stay, what a failure does, and a whole one stolen and restored elsewhere. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import {
  createBackupSchedule,
  createKeyFile,
  readKey,
  restore,
  verifyBackup,
} from '../../src/platform/backup/index.ts';
import type { Health } from '../../src/protocols/http/index.ts';
import { eventually } from '../harness/eventually.ts';
import {
  type ClonedDatabase,
  cloneDatabase,
  startTestServer,
  testLog,
  testPassword,
} from '../harness/index.ts';
import { createManualTimers, type ManualTimers } from '../harness/manual-timers.ts';
import { bookDeposit, cleanUp, newFolder, onDatabase, run } from './installations.ts';

const instanceId = '3f2a9c01-0000-4000-8000-000000000000';
const quarterPastThree = [3 * 60 + 15];
const at = (text: string) => Date.parse(`2026-11-${text}:00Z`);
const nameAt = (text: string, mark = '3f2a9c01') => `fulcrum-202611${text}00Z-${mark}.fulcrum`;

let source: ClonedDatabase;
beforeAll(async () => {
  source = await cloneDatabase();
  await onDatabase(source.url, (client) => bookDeposit(client, 50));
});
afterAll(async () => {
  await source.drop();
  await cleanUp();
});

interface Options {
  readonly dir?: string;
  readonly keepDays?: number;
  readonly databaseUrl?: string;
}

/** The schedule of a server that starts now. */
async function scheduleAt(timers: ManualTimers, { dir = newFolder(), keepDays = 14, ...more }: Options = {}) {
  const schedule = await createBackupSchedule({
    timers,
    log: testLog,
    instanceId,
    config: {
      databaseUrl: more.databaseUrl ?? source.url,
      dataDir: newFolder(),
      backups: { dir, times: quarterPastThree, keepDays },
      backupKeyFile: null,
    },
  });
  return { ...schedule!, dir, files: () => readdirSync(dir).sort() };
}

test('a backup is written once at its time, a missed one after the start, and none twice, also after a restart', async () => {
  const timers = createManualTimers(at('24T10:00'));
  const first = await scheduleAt(timers);
  first.start();
  await timers.advance(59_000);
  expect(first.files(), 'the start comes first').toEqual([]);
  await timers.advance(1_000);
  await Promise.all([first.pass(), first.pass()]);
  const missed = nameAt('24T1001');
  expect(first.files()).toEqual([missed]);
  expect(first.state()).toMatchObject({
    lastAt: '2026-11-24T10:01:00.000Z',
    nextAt: '2026-11-25T03:15:00.000Z',
    failure: null,
    trouble: null,
  });
  expect((await verifyBackup(join(first.dir, missed), null)).foot.ledger.rows).toBe(100);
  await first.stop();

  const second = await scheduleAt(timers, { dir: first.dir });
  await second.pass();
  await timers.advance(at('25T03:14') - timers.now());
  await second.pass();
  expect(second.files()).toEqual([missed]);
  await timers.advance(60_000);
  await second.pass();
  await second.pass();
  expect(second.files()).toEqual([missed, nameAt('25T0315')]);

  await timers.advance(at('26T09:16') - timers.now());
  expect(second.state().trouble, 'thirty hours and a minute').toBe('the last backup is too old');
});

test('the last days stay; older backups go, and nothing else of the folder', async () => {
  const dir = newFolder();
  const stays = [
    nameAt('24T0315'),
    nameAt('24T1515'),
    // Of another server, of a wrong clock, of the operator.
    nameAt('01T0315', '00000000'),
    nameAt('30T0315'),
    'fulcrum-2026-11-01.fulcrum',
    nameAt('01T0315').replace('.fulcrum', '.txt'),
    `${nameAt('01T0315', '00000000')}.partial`,
  ];
  const goes = [nameAt('23T0315'), nameAt('01T0315'), `${nameAt('20T0315')}.partial`];
  for (const name of [...stays, ...goes]) writeFileSync(join(dir, name), '');
  mkdirSync(join(dir, nameAt('02T0315')));
  const schedule = await scheduleAt(createManualTimers(at('25T03:15')), { dir, keepDays: 2 });
  await schedule.pass();
  expect(schedule.state().failure).toBeNull();
  expect(schedule.files()).toEqual([...stays, nameAt('02T0315'), nameAt('25T0315')].sort());
});

describe('a failure', () => {
  test('of the folder is reported at once, tried again after ten minutes, and over with the next backup', async () => {
    const timers = createManualTimers(at('24T03:14'));
    const dir = join(newFolder(), 'not-mounted');
    const schedule = await scheduleAt(timers, { dir });
    schedule.start();
    await eventually(() => expect(schedule.state().failure).not.toBeNull());
    expect(schedule.state().failure).toEqual({
      at: '2026-11-24T03:14:00.000Z',
      reason: expect.stringMatching(/^ENOENT: .*not-mounted/),
    });
    mkdirSync(dir);
    await timers.advance(9 * 60_000);
    await schedule.pass();
    expect(schedule.files()).toEqual([]);
    await timers.advance(60_000);
    await schedule.pass();
    expect(schedule.files()).toEqual([nameAt('24T0324')]);
    expect(schedule.state()).toMatchObject({ failure: null, trouble: null });
    await schedule.stop();
  });

  test('of the database leaves nothing in the folder, deletes nothing, and has its reason in one line', async () => {
    const dir = newFolder();
    writeFileSync(join(dir, nameAt('01T0315')), '');
    const databaseUrl = source.url.replace(source.name, 'no_such_database');
    const timers = createManualTimers(at('25T03:15'));
    const schedule = await scheduleAt(timers, { dir, keepDays: 1, databaseUrl });
    await schedule.pass();
    expect(schedule.state().failure?.reason).toBe(
      'cannot connect to the database: database "no_such_database" does not exist',
    );
    expect(schedule.files()).toEqual([nameAt('01T0315')]);
  });

  test('of a disk that is nearly full is met before it is full', async ({ skip }) => {
    const dir = newFolder();
    const mounted =
      process.getuid?.() === 0 &&
      spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'fulcrum-test', dir]).status === 0;
    // Only root may mount, and not in every container.
    if (!mounted) skip('mounting is not permitted here');
    try {
      const schedule = await scheduleAt(createManualTimers(at('25T03:15')), { dir });
      await schedule.pass();
      expect(schedule.state().failure?.reason).toMatch(
        / is nearly full \(\d+ MiB free\), so no backup was written$/,
      );
      expect(schedule.files()).toEqual([]);
    } finally {
      spawnSync('umount', [dir]);
    }
  });
});

test('a stop of the server ends a running backup, and nothing of it stays', async () => {
  const schedule = await scheduleAt(createManualTimers(at('25T03:15')));
  await onDatabase(source.url, async (client) => {
    // The backup waits for this lock with its draft open.
    await client.query('begin; lock table app.users in access exclusive mode');
    const pass = schedule.pass();
    await eventually(() => expect(schedule.files()).toEqual([`${nameAt('25T0315')}.partial`]));
    expect(schedule.state().isRunning).toBe(true);
    await schedule.stop();
    await pass;
  });
  expect(schedule.files()).toEqual([]);
  expect(schedule.state()).toMatchObject({ isRunning: false, failure: null });
});

test('useless settings are refused in one line at the start: a folder in the data folder, a key in the folder, no key', async () => {
  const [dataDir, dir] = [newFolder(), newFolder()];
  const keyFile = join(dir, 'backup.key');
  await createKeyFile(keyFile);
  const settings = (folder: string, backupKeyFile: string | null) => ({
    dataDir,
    backups: { dir: folder, times: quarterPastThree, keepDays: 14 },
    backupKeyFile,
  });
  const refusal = (folder: string, key: string | null) => {
    const config = { databaseUrl: source.url, ...settings(folder, key) };
    return createBackupSchedule({ timers: createManualTimers(0), log: testLog, instanceId, config }).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  };
  expect(await refusal(dir, null)).toBe('accepted');
  expect(await refusal(join(dataDir, 'backups'), null)).toMatch(
    /^BACKUP_DIR=.+ lies in the data directory .+, so both are lost together; set it to a folder elsewhere/,
  );
  symlinkSync(dataDir, join(dir, 'link'));
  expect(await refusal(join(dir, 'link', 'backups'), null)).toMatch(/ lies in the data directory /);
  expect(await refusal(dir, keyFile)).toMatch(
    /^BACKUP_KEY_FILE=.+ lies in BACKUP_DIR, so the key goes wherever the backups go; keep it elsewhere$/,
  );
  expect(await refusal(dir, '/no/such/key')).toMatch(/^cannot read BACKUP_KEY_FILE=\/no\/such\/key: ENOENT/);
  await expect(startTestServer({ config: settings(dir, keyFile) })).rejects.toThrow('lies in BACKUP_DIR');
});

describe('a server with a folder for backups', () => {
  const messages: { event: string; condition: string; reason: string }[] = [];
  const receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    messages.push(JSON.parse(body));
    response.writeHead(204).end();
  });
  afterAll(() => receiver.close());

  test('writes one with the public key alone; a thief reads nothing; the key restores it elsewhere, and its failure is reported', async () => {
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const dir = newFolder();
    const [secretKey, publicKey] = [join(newFolder(), 'secret'), join(newFolder(), 'public')];
    const recipient = await createKeyFile(secretKey);
    writeFileSync(publicKey, recipient);
    const backups = { dir, times: quarterPastThree, keepDays: 14 };
    const server = await startTestServer({
      config: {
        backups,
        backupKeyFile: publicKey,
        alertWebhook: {
          url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
          secret: 'of-the-receiver-0123456789',
        },
      },
    });
    const trader = await server.signUpTrader({ balance: 1000 });
    server.feed.setPrice('BTCUSDT', '100');
    const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 1, p_leverage: 10 };
    expect((await trader.client.rpc('open_position', order)).error).toBeNull();
    await server.server.backups?.pass();
    const [name = ''] = readdirSync(dir);
    expect(readdirSync(dir)).toHaveLength(1);

    const health = async (headers: Record<string, string> = {}) =>
      (await (await fetch(`${server.url}/health`, { headers })).json()) as Health;
    const metric = async (series: string) =>
      new RegExp(`^${series} (.+)$`, 'm').exec(await (await fetch(`${server.url}/metrics`)).text())?.[1];
    expect((await health()).backup).toMatchObject({
      ok: true,
      encryptedFor: recipient,
      lastAt: expect.any(String),
    });
    expect(Number(await metric('fulcrum_backup_age_seconds'))).toBeLessThan(120);
    expect(await metric('fulcrum_backup_failed')).toBe('0');
    expect(Number(await metric('fulcrum_backup_bytes'))).toBe(readFileSync(join(dir, name)).length);

    // Stolen: the file and the key of the server, which is the public part.
    const stolen = join(newFolder(), 'stolen.fulcrum');
    copyFileSync(join(dir, name), stolen);
    const text = readFileSync(stolen, 'latin1');
    for (const secret of [trader.email, trader.userId, server.server.secrets.jwtSecret]) {
      expect(text).not.toContain(secret);
    }
    const elsewhere = join(newFolder(), 'elsewhere');
    const thief = await run('restore', [stolen], { DATA_DIR: elsewhere, BACKUP_KEY_FILE: publicKey });
    expect(thief).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        `^${stolen} is encrypted for the key ${recipient}, and BACKUP_KEY_FILE has only`,
      ),
    });
    expect(existsSync(elsewhere)).toBe(false);

    const { foot } = await verifyBackup(stolen, await readKey(secretKey));
    const target = await cloneDatabase('template0');
    const location = { databaseUrl: target.url, dataDir: elsewhere };
    const { backup, findings } = await restore(location, stolen, {
      log: testLog,
      key: await readKey(secretKey),
      examine: checkInvariants,
    });
    expect(findings.ok).toBe(true);
    expect(backup.foot.ledger).toEqual(foot.ledger);
    expect(foot.ledger.rows).toBeGreaterThan(2);
    const copy = await startTestServer({ config: location });
    const client = copy.client();
    const signedIn = await client.auth.signInWithPassword({ email: trader.email, password: testPassword });
    expect(signedIn.error).toBeNull();
    const { data } = await client.from('positions').select('symbol, status').single();
    expect(data).toEqual({ symbol: 'BTCUSDT', status: 'open' });
    await copy.close();
    await target.drop();

    rmSync(dir, { recursive: true });
    await server.restart();
    await eventually(async () => expect((await health()).backup.ok).toBe(false));
    expect(await health()).toMatchObject({
      status: 'degraded',
      backup: { reason: 'the last backup failed', failure: { reason: expect.stringContaining('ENOENT') } },
    });
    expect((await health({ 'x-forwarded-for': '192.0.2.7' })).backup).toEqual({
      ok: false,
      reason: 'the last backup failed',
    });
    expect(await metric('fulcrum_backup_failed')).toBe('1');
    await eventually(() =>
      expect(messages).toContainEqual(
        expect.objectContaining({ event: 'raised', condition: 'backup', reason: 'the last backup failed' }),
      ),
    );
    server.feed.setPrice('BTCUSDT', '100');
    expect((await trader.client.rpc('open_position', order)).error, 'trading goes on').toBeNull();
    const admin = server.client();
    await onDatabase(server.databaseUrl, (owner) =>
      owner.query(
        `with made as (insert into app.users (id, email, username, role)
           values (gen_random_uuid(), 'boss@example.test', 'boss', 'admin') returning id)
         insert into app.credentials (user_id, password_hash)
         select made.id, c.password_hash from made, app.credentials c where c.user_id = $1`,
        [trader.userId],
      ),
    );
    await admin.auth.signInWithPassword({ email: 'boss@example.test', password: testPassword });
    expect((await admin.rpc('get_platform')).data.backup).toEqual({
      last_at: null,
      trouble: 'the last backup failed',
    });
    await server.close();
  });
});
