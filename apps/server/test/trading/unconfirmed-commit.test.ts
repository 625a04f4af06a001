/**
 * A commit that no standby has confirmed. PostgreSQL waits for one that never connects; whoever cancels that wait makes it answer the
 * commit as done, with a warning. The engine must not believe it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runningCluster } from '../../src/platform/database/embedded/running.ts';
import { databaseName, superuserAt } from '../../src/platform/database/owner.ts';
import { eventually } from '../harness/eventually.ts';
import { startTestServer, type TestServer } from '../harness/index.ts';

let dataDir: string;
let server: TestServer;
let superuser: pg.Client;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-unconfirmed-'));
  server = await startTestServer({ config: { databaseUrl: null, dataDir } });
  superuser = new pg.Client({
    ...superuserAt(runningCluster(dataDir)?.socketDir ?? ''),
    database: databaseName,
  });
  await superuser.connect();
}, 60_000);
afterAll(async () => {
  await superuser.end();
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function setStandby(name: string): Promise<void> {
  await superuser.query(`alter system set synchronous_standby_names = '${name}'`);
  await superuser.query('select pg_reload_conf()');
}

/** The process that runs this statement and waits for the standby. */
const waiting = (statement: string): Promise<number> =>
  eventually(async () => {
    const { rows } = await superuser.query<{ pid: number }>(
      `select pid from pg_stat_activity where wait_event = 'SyncRep' and query like $1`,
      [`%${statement}%`],
    );
    expect(rows).toHaveLength(1);
    return rows[0]?.pid ?? 0;
  });

test('a canceled wait for a standby is an unknown commit: nothing is answered before one is confirmed, and it is done once', async () => {
  server.feed.setPrice('BTCUSDT', '100');
  const trader = await server.signUpTrader();
  const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 1, p_leverage: 10, p_client_id: 'once' };
  await setStandby('absent');
  try {
    let isAnswered = false;
    const opening = trader.client.rpc('open_position', order).then((answer) => {
      isAnswered = true;
      return answer;
    });
    const writer = await waiting('engine_write');
    await superuser.query('select pg_cancel_backend($1)', [writer]);
    // The engine has another session, which begins with a commit and reads nothing before that is confirmed.
    expect(await waiting('set confirmed_at')).not.toBe(writer);
    expect(isAnswered).toBe(false);
    const { rows } = await superuser.query('select from app.positions');
    expect(rows, 'written, yet perhaps on no standby').toHaveLength(1);

    await setStandby('');
    const { data, error } = await opening;
    expect(error).toBeNull();
    const repeated = await trader.client.rpc('open_position', order);
    expect(repeated.data).toEqual(data);
    expect((await superuser.query('select from app.positions')).rows).toHaveLength(1);
  } finally {
    await setStandby('');
  }
});
