/** A whole server as the one member of a cluster, and the default start, which knows nothing of one. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Events, RowChange } from '@fulcrum/contract';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { createBus } from '../../src/platform/bus/index.ts';
import { connectBus } from '../../src/platform/cluster/hints.ts';
import { eventually } from '../harness/eventually.ts';
import { startTestServer, type TestServer, testLog } from '../harness/index.ts';
import { hasNats, login, type NatsServer, startNats } from '../harness/nats-server.ts';
import { type Installation, makeInstallation } from '../harness/server-process.ts';

const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: '1', p_leverage: 10 };

describe.skipIf(!hasNats)('a server with NATS_URL', () => {
  let nats: NatsServer;
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
    await nats.dispose();
  });
  const readHealth = async () => (await fetch(`${server?.url}/health`)).json();

  test('trades, and reports on NATS and the clock', async () => {
    nats = await startNats();
    const servers = { addresses: [{ host: '127.0.0.1', port: nats.port }], tls: false, login };
    server = await startTestServer({ config: { nats: servers } });
    server.feed.setPrice('BTCUSDT', '100');
    const trader = await server.signUpTrader();
    expect((await trader.client.rpc('open_position', order)).error).toBeNull();
    expect(await readHealth()).toMatchObject({
      cluster: {
        ...{ ok: true, reason: null, clock: { ok: true, offsetMs: expect.any(Number) } },
        nats: { isConnected: true, dropped: { forged: 0 } },
        commands: { waiting: 0, underWay: 0, unownedSlots: 0 },
      },
    });
    await nats.kill();
    await eventually(async () =>
      expect(await readHealth()).toMatchObject({
        ...{ status: 'degraded', cluster: { ok: false, reason: 'NATS is not connected' } },
      }),
    );
    // Its own engine needs no NATS.
    expect((await trader.client.rpc('open_position', order)).error).toBeNull();
    await nats.start();
    await eventually(async () => expect(await readHealth()).toMatchObject({ cluster: { ok: true } }));
  });

  test('keeps its duties while other work has used up the connections to the database', async () => {
    nats = await startNats();
    const servers = { addresses: [{ host: '127.0.0.1', port: nats.port }], tls: false, login };
    server = await startTestServer({ config: { nats: servers } });
    const { db } = server;
    const duties = async (from: Pick<typeof db, 'query'>) =>
      (
        await from.query<{ name: string; term: string; isFresh: boolean }>(
          `select name, term, heard_at > clock_timestamp() - interval '1.5 seconds' as "isFresh" from app.duties order by name`,
        )
      ).rows;
    await eventually(async () =>
      expect((await duties(db)).map(({ isFresh }) => isFresh)).toEqual([true, true, true]),
    );
    const before = await duties(db);
    const { pool } = db;
    const taken: pg.PoolClient[] = [];
    const takeAll = async (): Promise<void> => {
      while (pool.idleCount > 0 || pool.totalCount < pool.options.max) taken.push(await pool.connect());
    };
    await takeAll();
    // The holder has to connect again, or its belief ends within 2.5 s.
    const owner = new pg.Client({ connectionString: server.databaseUrl });
    await owner.connect();
    const { rowCount } = await owner.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid between $1 and $2
         and database = (select oid from pg_database where datname = current_database())`,
      [0x44555401, 0x44555403],
    );
    expect(rowCount).toBe(3);
    for (let n = 0; n < 40; n += 1) {
      await sleep(100);
      await takeAll();
    }
    const after = await duties({ query: (text: string) => owner.query(text) } as unknown as typeof db);
    await owner.end();
    for (const session of taken) session.release();
    expect(after).toEqual(before);
  });

  test('events of a bus reach the subscribers of another process, grouped by user and in order, and end there', async () => {
    nats = await startNats();
    const links = await Promise.all([nats.link(), nats.link(), nats.link()]);
    const [one, other] = ['3f2b5c1e-0b6a-4d7e-9c58-6f1d2a3b4cff', '3f2b5c1e-0b6a-4d7e-9c58-6f1d2a3b4c00'];
    const received: { topic: string; payload: unknown }[][] = [];
    /** Said until everybody hears it, and not part of what is compared. */
    const hello: Events['session.revoked'] = { sessionId: 'hello', userId: 'nobody' };
    const isHello = (payload: unknown) => (payload as { sessionId?: string }).sessionId === 'hello';
    const greeted = new Set<number>();
    const buses = links.map((link, n) => {
      const bus = createBus(testLog);
      // Each but the third needs the rows of every user.
      bus.needRows(n < 2 ? null : one);
      connectBus({ bus, link, slotOf: (id) => Number.parseInt(id.slice(-2), 16), log: testLog });
      const own: (typeof received)[number] = [];
      received.push(own);
      for (const topic of ['account.changed', 'session.revoked', 'presence.came'] as const)
        bus.subscribe(topic, (payload) => {
          if (isHello(payload)) greeted.add(n);
          else own.push({ topic, payload });
        });
      return bus;
    });
    const subjects: string[] = [];
    links[2]!.subscribe('>', (payload, subject) => {
      if (!isHello(payload)) subjects.push(subject);
    });
    const change = (userId: string | null, n: number): RowChange => ({
      ...{ table: userId === null ? 'trading_pairs' : 'orders', type: 'UPDATE', userId, oldRecord: null },
      ...{ record: { n }, committedAt: '2026-11-28T10:00:00.000Z' },
    });
    const ended: Events['session.revoked'] = { sessionId: 's', userId: one };
    await eventually(() => {
      buses[0]!.publish('session.revoked', hello);
      expect(greeted.size).toBe(3);
    });
    buses[0]!.publish('account.changed', {
      changes: [change(one, 1), change(null, 2), change(other, 3), change(one, 4)],
    });
    buses[0]!.publish('presence.came', { topic: 'room', userId: one });
    buses[0]!.publish('session.revoked', ended);
    const expected = [
      { topic: 'account.changed', payload: { changes: [change(one, 1), change(one, 4)] } },
      { topic: 'account.changed', payload: { changes: [change(null, 2)] } },
      { topic: 'account.changed', payload: { changes: [change(other, 3)] } },
      { topic: 'session.revoked', payload: ended },
    ];
    const needed = expected.filter((_, n) => n !== 2);
    await eventually(() => expect([received[1], received[2]]).toEqual([expected, needed]));
    expect(received[0]).toHaveLength(3);
    expect(subjects).toEqual([
      `acct.255.${one}`,
      'rows.trading_pairs',
      `acct.0.${other}`,
      'tell.session.revoked',
    ]);
    // Of a later release: what is known of it is delivered.
    const later = { ...change(one, 5), shade: 'blue' };
    links[0]!.publish(`acct.255.${one}`, { changes: [{ ...later, table: 'moons' }, later], more: 1 });
    links[0]!.publish('tell.session.revoked', { sessionId: 5 });
    links[0]!.publish('tell.comet.came', {});
    buses[0]!.publish('session.revoked', ended);
    await eventually(() => expect(received[1]).toHaveLength(6));
    expect(received[1]?.slice(4)).toEqual([
      { topic: 'account.changed', payload: { changes: [change(one, 5)] } },
      { topic: 'session.revoked', payload: ended },
    ]);
  });
});

describe('a start', () => {
  let installation: Installation;
  afterEach(() => installation.dispose());

  test('without NATS_URL loads no client of NATS and nothing that speaks to one', async () => {
    installation = makeInstallation();
    const coverage = mkdtempSync(join(tmpdir(), 'fulcrum-loaded-'));
    try {
      // V8 lists every script that was loaded.
      const server = installation.run({ env: { NODE_V8_COVERAGE: coverage } });
      await server.ready();
      expect(await server.end('SIGTERM')).toBe(0);
      const loaded = readdirSync(coverage).flatMap((file) => {
        const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as {
          result: { url: string }[];
        };
        return result.map(({ url }) => url);
      });
      expect(loaded.some((url) => url.endsWith('/platform/cluster/index.ts'))).toBe(true);
      expect(loaded.some((url) => url.includes('/node_modules/pg/'))).toBe(true);
      expect(
        loaded.filter((url) =>
          /@nats-io|tweetnacl|nats-link|signed-frames|cluster\/hints\.ts|market\/cluster/.test(url),
        ),
      ).toEqual([]);
    } finally {
      rmSync(coverage, { recursive: true });
    }
  });
});
