/** PostgreSQL is killed under a running server: it restarts by itself, and sessions continue. */
import type { SupabaseClient } from '@supabase/supabase-js';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { withDatabase } from '../../src/platform/database/index.ts';
import { freePort } from '../harness/free-port.ts';
import { testLog } from '../harness/index.ts';
import {
  type Installation,
  makeInstallation,
  type ServerProcess,
  signUpAt,
  tryKill,
} from '../harness/server-process.ts';

describe('a PostgreSQL that dies under the server', () => {
  let installation: Installation;
  let server: ServerProcess;
  let url: string;
  let trader: SupabaseClient;
  let orders = 0;

  beforeAll(async () => {
    installation = makeInstallation();
    // The address has to stay, for the client's sake.
    server = installation.run({ env: { PORT: String(await freePort()) } });
    url = await server.ready();
    trader = await signUpAt(url, 'survivor');
    await open();
  }, 60_000);
  afterAll(() => installation.dispose());

  const placeOrder = (clientId: string) =>
    trader.rpc('open_position', {
      p_symbol: 'BTCUSDT',
      p_side: 'BUY',
      p_size: 0.001,
      p_leverage: 10,
      p_entry_price: null,
      p_required_margin: null,
      p_client_id: clientId,
    });
  /** Places one order, repeating it under its id while the service is busy, as a client does. */
  const open = async () => {
    orders += 1;
    const clientId = `order-${orders}`;
    for (;;) {
      const { error, status } = await placeOrder(clientId);
      if (error === null) return;
      expect([503, 0]).toContain(status);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const asOwner = <T>(work: (client: pg.Client) => Promise<T>) =>
    withDatabase({ databaseUrl: null, dataDir: installation.dataDir }, testLog, work);
  const health = async () => {
    const answer = await fetch(`${url}/health`);
    return { code: answer.status, body: (await answer.json()) as { status: string; database: object } };
  };
  const expectOrdersOnce = () =>
    asOwner(async (client) => {
      const { rows } = await client.query<{ count: string }>('select count(*) from app.positions');
      expect(Number(rows[0]!.count)).toBe(orders);
      const queryable = {
        query: (text: string, values: readonly unknown[] = []) => client.query(text, [...values]) as never,
      };
      expect(await checkInvariants(queryable)).toMatchObject({ ok: true, violations: [] });
    });

  test('kill -9 of the postmaster: it is restarted, sessions hold, and trading continues', async () => {
    const before = installation.postmaster()!;
    tryKill(before, 'SIGKILL');
    // A backend outlives its postmaster by a moment, in which an order may still go through.
    await open();
    await expect.poll(() => installation.postmaster()).not.toBe(before);
    await open();
    expect(server.isRunning()).toBe(true);
    expect((await trader.from('positions').select('id')).data).toHaveLength(orders);
    await expect.poll(health).toMatchObject({ code: 200, body: { status: 'ready', database: { ok: true } } });
    await expectOrdersOnce();
  });

  test('kill -9 of every process of PostgreSQL', async () => {
    for (const pid of installation.postgresPids()) tryKill(pid, 'SIGKILL');
    await open();
    await expectOrdersOnce();
  });

  test("kill -9 of the engine's backend: PostgreSQL ends all others, and each command is done once", async () => {
    const postmaster = installation.postmaster();
    const backend = await asOwner(async (client) => {
      const { rows } = await client.query<{ pid: number }>(
        "select pid from pg_locks where locktype = 'advisory' and granted",
      );
      return rows[0]!.pid;
    });
    const under = Array.from({ length: 8 }, () => open());
    tryKill(backend, 'SIGKILL');
    await Promise.all(under);
    expect(installation.postmaster()).toBe(postmaster);
    await expectOrdersOnce();
  });

  test('a PostgreSQL that is frozen: /health does not wait for it', async () => {
    const pids = installation.postgresPids();
    for (const pid of pids) tryKill(pid, 'SIGSTOP');
    expect(await health()).toMatchObject({ code: 503, body: { status: 'unavailable' } });
    for (const pid of pids) tryKill(pid, 'SIGCONT');
    await open();
    expect(await health()).toMatchObject({ code: 200 });
  });

  test('during the outage callers get 503, /health reports it, and the process stays up', async () => {
    // Frozen backends keep their cluster, so PostgreSQL cannot be started again before they are gone.
    const postmaster = installation.postmaster()!;
    const backends = installation.postgresPids().filter((pid) => pid !== postmaster);
    for (const pid of backends) tryKill(pid, 'SIGSTOP');
    tryKill(postmaster, 'SIGKILL');
    for (const pid of backends.slice(1)) tryKill(pid, 'SIGKILL');
    await expect
      .poll(health)
      .toMatchObject({ code: 503, body: { status: 'unavailable', database: { ok: false } } });
    expect((await trader.from('positions').select('id')).status).toBe(503);
    expect(
      (await trader.auth.signInWithPassword({ email: 'survivor@example.test', password: 'x' })).error?.status,
    ).toBe(503);
    // What is frozen for good is ended by the supervisor itself.
    await open();
    await expectOrdersOnce();
  });
});
