/**
 * The primary dies under a server that trades, and its standby is promoted: what was acknowledged is on it, once, and the server goes on
 * by itself. Commits wait for the standby, as docs/operations.md has it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { eventually } from '../harness/eventually.ts';
import { startTestServer, type TestServer, type Trader } from '../harness/index.ts';
import { type PostgresPair, startPostgresPair } from '../harness/postgres-pair.ts';

let pair: PostgresPair;
let server: TestServer;
let trader: Trader;
beforeAll(async () => {
  pair = await startPostgresPair();
  await pair.primary.query("alter system set synchronous_standby_names = 'ANY 1 (standby)'");
  await pair.primary.query('select pg_reload_conf()');
  server = await startTestServer({ config: { databaseUrl: pair.url, replicaUrl: pair.standby.url } });
  server.feed.setPrice('BTCUSDT', '100');
  trader = await server.signUpTrader();
});
afterAll(async () => {
  await server.close();
  await pair.dispose();
});

test('an acknowledged order survives the failover of PostgreSQL, and trading goes on', async () => {
  const acknowledged: string[] = [];
  const end = new AbortController();
  const placeOrder = async (clientId: string): Promise<void> => {
    const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.1, p_leverage: 10, p_client_id: clientId };
    const { error } = await trader.client.rpc('open_position', order);
    if (error === null) acknowledged.push(clientId);
  };
  const traders = Array.from({ length: 4 }, async (_, lane) => {
    for (let n = 0; !end.signal.aborted; n += 1) await placeOrder(`${lane}-${n}`);
  });
  await eventually(() => expect(acknowledged.length).toBeGreaterThan(20));
  await pair.primary.kill();
  const before = acknowledged.length;
  await pair.standby.query('select pg_promote()');
  await eventually(() => {
    server.feed.setPrice('BTCUSDT', '100');
    expect(acknowledged.length).toBeGreaterThan(before + 20);
  });
  end.abort();
  await Promise.all(traders);

  const { rows: serving } = await server.db.query<{ port: number }>('select inet_server_port() as port');
  expect(`127.0.0.1:${serving[0]?.port}`).toBe(pair.standby.address);

  const { rows: done } = await server.db.query<{ client_id: string }>(
    'select client_id from app.commands where user_id = $1',
    [trader.userId],
  );
  const ids = new Set(done.map(({ client_id }) => client_id));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  const { rows: opened } = await server.db.query('select from app.positions where user_id = $1', [
    trader.userId,
  ]);
  expect(opened).toHaveLength(done.length);
  expect(await checkInvariants(server.db)).toMatchObject({ ok: true });
});
