/** PostgreSQL dies while triggers are armed: nothing is lost or done twice, and crossed triggers fire afterwards. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { eventually } from '../harness/eventually.ts';
import { startTestServer, type TestServer, type Trader } from '../harness/index.ts';

let dataDir: string;
let server: TestServer;
let trader: Trader;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-restart-'));
  server = await startTestServer({ config: { databaseUrl: null, dataDir } });
  server.feed.setPrice('BTCUSDT', '100');
  trader = await server.signUpTrader();
}, 60_000);
afterAll(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const postmaster = (): number =>
  Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);

test('A05 A21 A20: kill -9 of PostgreSQL with triggers armed, and the crossing tick while it is away', async () => {
  const open = async (p_stop_loss_price: number | null) => {
    const { data, error } = await trader.client.rpc('open_position', {
      p_symbol: 'BTCUSDT',
      p_side: 'BUY',
      p_size: 1,
      p_leverage: 10,
      p_stop_loss_price,
    });
    expect(error).toBeNull();
    return data as { id: string };
  };
  const stopped = await open(95);
  const stored = await open(null);
  const { error } = await trader.client
    .from('orders')
    .insert({ symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', price: 96, size: 1, leverage: 10 });
  expect(error).toBeNull();
  expect(server.server.trading.state()).toMatchObject({ armed: 6 });

  process.kill(postmaster(), 'SIGKILL');
  server.feed.setPrice('BTCUSDT', '94');

  const rows = async () => {
    const { data } = await trader.client.from('positions').select('id, status, close_reason, close_price');
    return data ?? [];
  };
  await eventually(
    async () =>
      expect(await rows()).toEqual(
        expect.arrayContaining([
          { id: stopped.id, status: 'closed', close_reason: 'stop_loss', close_price: 94 },
          { id: stored.id, status: 'open', close_reason: null, close_price: null },
        ]),
      ),
    100,
  );
  await eventually(async () => expect(await rows()).toHaveLength(3), 100);
  await eventually(() =>
    expect(server.server.trading.state()).toMatchObject({ halted: null, staleAccounts: 0, queued: 0 }),
  );
  const { data: notices } = await trader.client.from('notifications').select('kind').order('kind');
  expect(notices).toEqual([{ kind: 'order_filled' }, { kind: 'stop_loss' }]);
  expect(await checkInvariants(server.db)).toMatchObject({ ok: true, violations: [] });
});
