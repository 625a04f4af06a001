/** A recording over a cluster: its leader is killed, and the next one plays on where it was. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { hasNats } from '../harness/nats-server.ts';
import { type ClusterMember, openServerCluster, type ServerCluster } from '../harness/server-cluster.ts';
import { signUpAt } from '../harness/server-process.ts';
import { recordSwings } from '../long/made-recording.ts';

describe.skipIf(!hasNats)('a recording in a cluster', () => {
  let cluster: ServerCluster;
  let folder: string;
  beforeAll(async () => {
    cluster = await openServerCluster();
    folder = mkdtempSync(join(tmpdir(), 'fulcrum-recording-'));
    recordSwings(folder, [{ symbol: 'BTCUSDT', price: 30_000, share: 0.01, minutes: 60 }], 1_440);
  });
  afterAll(async () => {
    await cluster.dispose();
    rmSync(folder, { recursive: true });
  });

  async function adminAt(member: ClusterMember): Promise<SupabaseClient> {
    const admin = await signUpAt(member.url, 'teacher');
    await cluster.db.asOwner(`update app.users set role = 'admin' where username = 'teacher'`);
    await admin.auth.refreshSession();
    return admin;
  }
  interface Replay {
    readonly position_s: number;
    readonly begin_s: number;
    readonly speed: number;
  }
  async function replayAt(admin: SupabaseClient): Promise<Replay> {
    const { data } = await admin.rpc('get_market_controls', {}).throwOnError();
    return data.replay as Replay;
  }

  test('goes on where the killed leader was, at the speed that staff chose, and 60x is the most', async () => {
    const env = { PRICE_FEED: `replay:${folder}?speed=10` };
    const markets = await Promise.all([
      cluster.start('engine,market', env),
      cluster.start('engine,market', env),
    ]);
    const gateway = await cluster.start('gateway', env);
    const admin = await adminAt(gateway);
    const set = (speed: number) =>
      admin.rpc('set_replay', { p_speed: speed, p_reason: 'The lesson is short' });
    expect((await set(61)).error?.message).toBe('A recording plays at most at 60x here.');
    await set(60).throwOnError();
    await eventually(async () => {
      const { position_s: position, begin_s: begin } = await replayAt(admin);
      expect(position - begin).toBeGreaterThan(300);
    });
    const trader = await signUpAt(gateway.url, 'pupil');
    const open = () =>
      trader.rpc('open_position', { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.001, p_leverage: 10 });
    await eventually(() => open().throwOnError());

    const [row] = await cluster.db.asOwner(`select position from app.replay_position`);
    const before = await replayAt(admin);
    expect(Math.abs(before.position_s - Number(row?.position) / 1_000)).toBeLessThan(300);
    const leads = await Promise.all(markets.map(async (each) => (await each.health()).cluster.leadsMarket));
    const leader = markets[leads.findIndex((term) => term !== null)];
    if (!leader) throw new Error('no process leads the market');
    await leader.end('SIGKILL');
    await eventually(async () => {
      const after = await replayAt(admin);
      expect(after.speed).toBe(60);
      // It did not start over, and goes on.
      expect(after.position_s).toBeGreaterThan(before.position_s - 120);
      expect(after.position_s - after.begin_s).toBeGreaterThan(300);
    });
    const resumed = await replayAt(admin);
    await eventually(async () =>
      expect((await replayAt(admin)).position_s).toBeGreaterThan(resumed.position_s),
    );
    await eventually(() => open().throwOnError());
  });
});
