/** Processes of the program as one cluster: they trade as one server, and one of them dies. */
import { randomUUID } from 'node:crypto';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slotOf } from '../../src/features/trading/index.ts';
import { eventually } from '../harness/eventually.ts';
import { hasNats } from '../harness/nats-server.ts';
import { type ClusterMember, openServerCluster, type ServerCluster } from '../harness/server-cluster.ts';
import { signUpAt } from '../harness/server-process.ts';

describe.skipIf(!hasNats)('a cluster of processes', () => {
  let cluster: ServerCluster;
  let one: ClusterMember;
  let other: ClusterMember;
  let gateway: ClusterMember;
  beforeAll(async () => {
    cluster = await openServerCluster();
    [one, other] = await Promise.all([
      cluster.start('gateway,engine,market'),
      cluster.start('gateway,engine,market'),
    ]);
    gateway = await cluster.start('gateway');
  });
  afterAll(() => cluster.dispose());

  const all = (): ClusterMember[] => [one, other, gateway].filter(({ isRunning }) => isRunning());
  /** The same user at another process. */
  async function at(member: ClusterMember, user: SupabaseClient): Promise<SupabaseClient> {
    const { data } = await user.auth.getSession();
    const token = data.session?.access_token ?? '';
    return createClient(member.url, cluster.secrets.anonKey, { accessToken: async () => token });
  }
  const open = (client: SupabaseClient, id: string = randomUUID()) =>
    client.rpc('open_position', {
      ...{ p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10 },
      p_client_id: id,
    });
  async function ownerOf(user: SupabaseClient): Promise<ClusterMember> {
    const { data } = await user.auth.getUser();
    const [row] = await cluster.db.asOwner(
      'select e.id from app.engine_slots s join app.engines e on e.id = s.engine where s.slot = $1',
      [slotOf(data.user?.id ?? '')],
    );
    for (const member of [one, other]) {
      if (member.isRunning() && String((await member.health()).engine.epoch) === String(row?.id))
        return member;
    }
    throw new Error('no process owns the account');
  }

  test('share the slots between two engines; one of them leads the market, one holds each duty', async () => {
    await eventually(async () => {
      const rows = await cluster.db.asOwner(
        'select engine, count(*)::int as slots from app.engine_slots group by engine',
      );
      expect(rows.map(({ slots }) => slots)).toEqual([128, 128]);
    });
    await eventually(async () => {
      const states = await Promise.all(all().map((member) => member.health()));
      expect(states.map(({ status }) => status)).toEqual(['ready', 'ready', 'ready']);
      expect(states.filter(({ cluster: { leadsMarket } }) => leadsMarket !== null)).toHaveLength(1);
      for (const duty of ['ledger', 'chores'])
        expect(states.filter(({ cluster: { duties } }) => duties[duty])).toHaveLength(1);
    });
  });

  test('an order at any process is done by the account’s engine, seen at every other, and once for its id', async () => {
    for (const name of ['anna', 'bert', 'carl', 'dora']) {
      const user = await signUpAt(gateway.url, name);
      const id = randomUUID();
      const { data } = await open(user, id).throwOnError();
      for (const member of all()) {
        const there = await at(member, user);
        const { data: rows } = await there.from('positions').select('id').throwOnError();
        expect(rows).toEqual([{ id: data.id }]);
        expect((await open(there, id).throwOnError()).data.id).toBe(data.id);
      }
    }
  });

  test('rows that one process writes reach sockets at another', async () => {
    const user = await signUpAt(one.url, 'socket');
    const there = await at(gateway, user);
    const { data } = await user.auth.getUser();
    const seen: unknown[] = [];
    await new Promise<void>((resolve, reject) => {
      there
        .channel(`user:${data.user?.id}`)
        .on(
          'postgres_changes',
          { event: 'INSERT', schema: 'public', table: 'positions', filter: `user_id=eq.${data.user?.id}` },
          ({ new: row }) => seen.push(row.id),
        )
        .subscribe((status, error) => {
          if (status === 'SUBSCRIBED') resolve();
          if (error) reject(error);
        });
    });
    const { data: position } = await open(user).throwOnError();
    await eventually(() => expect(seen).toEqual([position.id]));
    await there.removeAllChannels();
  });

  test('after kill -9 of an account’s engine the other one takes its orders; nothing is lost or done twice', async () => {
    const user = await signUpAt(gateway.url, 'survivor');
    const id = randomUUID();
    const { data: before } = await open(user, id).throwOnError();
    const owner = await ownerOf(user);
    await owner.end('SIGKILL');
    // Asked at once: it waits for the next owner, and for prices of the next leader.
    const { data: after } = await eventually(() => open(user).throwOnError());
    expect((await open(user, id).throwOnError()).data.id).toBe(before.id);
    const { data: rows } = await user.from('positions').select('id').throwOnError();
    expect(rows?.map((row) => row.id).toSorted()).toEqual([before.id, after.id].toSorted());
    await eventually(async () => {
      const states = await Promise.all(all().map((member) => member.health()));
      expect(states.map(({ status }) => status)).toEqual(['ready', 'ready']);
      expect(states.filter(({ cluster: { leadsMarket } }) => leadsMarket !== null)).toHaveLength(1);
    });
  });

  test('a process that ends by SIGTERM gives its accounts to one that has come, without a refused order', async () => {
    const old = [one, other].find(({ isRunning }) => isRunning())!;
    const next = await cluster.start('gateway,engine,market');
    const user = await signUpAt(gateway.url, 'handover');
    await eventually(async () => {
      const rows = await cluster.db.asOwner('select distinct engine from app.engine_slots');
      expect(rows).toHaveLength(2);
    });
    const ended = old.end('SIGTERM');
    const errors: unknown[] = [];
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    let opened = 0;
    while (!isOver) {
      const { error } = await open(user);
      // Prices pause while the next leader begins.
      if (error && error.code !== 'price_stale') errors.push(error);
      else if (!error) opened += 1;
    }
    expect(await ended).toBe(0);
    expect(errors).toEqual([]);
    expect(opened).toBeGreaterThan(0);
    one = next;
    await eventually(() => open(user).throwOnError());
  });
});
