/**
 * A PostgreSQL that answers and cannot write: clients get busy, the operator gets the reason, and nothing happens
 * twice.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { openDatabase, withDatabase } from '../../src/platform/database/index.ts';
import { startTestServer, type TestServer, type Trader, testLog, testPassword } from '../harness/index.ts';

const mb = 1024 ** 2;
const busy = {
  status: 503,
  error: { code: 'busy', message: 'The service is busy. Please try again shortly.' },
};

let dataDir: string;
let server: TestServer;
let trader: Trader;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-refused-'));
  chmodSync(dataDir, 0o755);
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const start = async () => {
  server = await startTestServer({ config: { databaseUrl: null, dataDir } });
  server.feed.setPrice('BTCUSDT', '100');
  trader = await server.signUpTrader();
};
const placeOrder = async (clientId: string) => {
  const { data, error, status } = await trader.client.rpc('open_position', {
    ...{ p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10, p_client_id: clientId },
  });
  return { data: data as { id: string } | null, error, status };
};
const health = async () => {
  const answer = await fetch(`${server.url}/health`);
  return { code: answer.status, ...((await answer.json()) as Record<string, unknown>) };
};
const positions = async () => {
  const { data, error } = await trader.client.from('positions').select('id');
  expect(error).toBeNull();
  return (data ?? []).length;
};
const asOwner = (statement: string) =>
  withDatabase(
    { databaseUrl: null, dataDir },
    testLog,
    async (client) => {
      await client.query(statement);
      await client.query('select pg_reload_conf()');
    },
    { schema: 'untouched' },
  );
const diskCheck = { timeout: 15_000 };
/** The order happens once it can, under the id of the refusal, and only once for any number of repeats. */
const proveRecovery = async (refused: string, before: number) => {
  const done = await placeOrder(refused);
  expect(done).toMatchObject({ status: 200, error: null });
  expect((await placeOrder(refused)).data?.id).toBe(done.data?.id);
  expect(await positions()).toBe(before + 1);
  await expect
    .poll(health, diskCheck)
    .toMatchObject({ code: 200, status: 'ready', engine: { ok: true, reason: null } });
  expect(await checkInvariants(server.db)).toMatchObject({ ok: true, violations: [] });
};

describe('a database that becomes read-only', () => {
  beforeEach(start);
  afterEach(() => server.close());

  test('ENG-6: every write is busy, reads go on, health states why, and then all is well again', async () => {
    expect((await placeOrder('before')).status).toBe(200);
    expect(await health()).toMatchObject({ status: 'ready', disk: { ok: true, reason: null } });
    await asOwner('alter system set default_transaction_read_only = on');
    await expect.poll(async () => (await placeOrder('refused')).status).toBe(503);
    expect(await placeOrder('refused')).toMatchObject(busy);
    expect(await placeOrder('refused')).toMatchObject(busy);
    expect(await health()).toMatchObject({
      ...{ code: 200, status: 'degraded', database: { ok: true } },
      engine: { ok: false, reason: 'the database refuses writes: it is read-only', halted: null },
    });

    const favorite = await trader.client.from('favorites').insert({ symbol: 'BTCUSDT' });
    expect(favorite).toMatchObject(busy);
    const { email, password } = trader;
    const { error } = await server.client().auth.signInWithPassword({ email, password });
    expect(error).toMatchObject({ status: 503, message: busy.error.message });
    expect(await positions()).toBe(1);

    await asOwner('alter system reset default_transaction_read_only');
    await expect
      .poll(async () => (await trader.client.from('favorites').insert({ symbol: 'BTCUSDT' })).status)
      .toBe(201);
    await proveRecovery('refused', 1);
    expect(
      (await server.client().auth.signInWithPassword({ email, password: testPassword })).error,
    ).toBeNull();
  });

  test('ENG-6: a start on it logs one line', async () => {
    await asOwner('alter system set default_transaction_read_only = on');
    await server.server.close();
    await expect(openDatabase({ databaseUrl: null, dataDir }, testLog)).rejects.toThrow(
      /^the database refuses to work: it is read-only \(/,
    );
    await server.restart({ dataDir: mkdtempSync(join(dataDir, 'another-')) });
  });
});

/** A file system of its own, which only root can make. */
const mount = (dir: string, sizeMb: number) =>
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'fulcrum-test', dir]).status === 0;
const unmount = (dir: string) => spawnSync('umount', [dir]);
const canMount = (() => {
  const dir = mkdtempSync(join(tmpdir(), 'fulcrum-mount-'));
  const mounted = mount(dir, 1);
  if (mounted) unmount(dir);
  rmSync(dir, { recursive: true });
  return mounted;
})();

describe.runIf(canMount)('a disk that fills up', () => {
  beforeEach(async () => {
    expect(mount(dataDir, 700)).toBe(true);
    chmodSync(dataDir, 0o755);
    await start();
  });
  afterEach(async () => {
    try {
      await server.close();
    } finally {
      unmount(dataDir);
    }
  });

  const free = () => {
    const { bavail, bsize } = statfsSync(dataDir);
    return bavail * bsize;
  };
  /** Another program fills the disk, but for so many bytes. */
  const fill = (name: string, leave: number) => {
    const file = openSync(join(dataDir, name), 'w');
    try {
      while (free() > leave) writeSync(file, Buffer.alloc(Math.min(mb, free() - leave)));
    } finally {
      closeSync(file);
    }
  };

  test('ENG-6: a full disk: a warning before, then busy with the reason, and with room again each order once', async () => {
    expect((await placeOrder('before')).status).toBe(200);
    expect(await health()).toMatchObject({ status: 'ready', disk: { ok: true, low: false } });
    fill('other', 100 * mb);
    await expect.poll(health, diskCheck).toMatchObject({
      ...{ code: 200, status: 'degraded', engine: { ok: true } },
      disk: { ok: false, reason: 'the disk is nearly full', low: true },
    });
    expect((await placeOrder('still')).status).toBe(200);

    fill('rest', 0);
    let [accepted, refused] = [2, ''];
    for (let order = 0; order < 200 && refused === ''; order += 1) {
      const answer = await placeOrder(`order-${order}`);
      if (answer.status === 200) accepted += 1;
      else {
        expect(answer).toMatchObject(busy);
        refused = `order-${order}`;
      }
    }
    for (let again = 0; again < 3; again += 1) expect(await placeOrder(refused)).toMatchObject(busy);
    expect(await health()).toMatchObject({
      ...{ code: 200, status: 'degraded', database: { ok: true } },
      engine: { ok: false, reason: 'the database refuses writes: No space left on device' },
    });
    expect(await positions()).toBe(accepted);

    for (const name of ['rest', 'other']) rmSync(join(dataDir, name));
    await proveRecovery(refused, accepted);
  });
});
