/** Processes of the program as one cluster: they trade as one server, and one of them dies. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { getAdminOverview, getPlatform } from '@fulcrum/contract';
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
      ...{ p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.0005, p_leverage: 10 },
      p_client_id: id,
    });
  /** Asked again with its id: on a busy machine a member can wait for prices or for an owner longer than an order may. */
  const opened = (client: SupabaseClient, id: string = randomUUID()) =>
    eventually(() => open(client, id).throwOnError());
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
      expect(states.flatMap(({ troubles }) => troubles)).toEqual([]);
      expect(states.filter(({ cluster: { leadsMarket } }) => leadsMarket !== null)).toHaveLength(1);
      for (const duty of ['ledger', 'chores'])
        expect(states.filter(({ cluster: { duties } }) => duties[duty])).toHaveLength(1);
    });
  });

  test('a user who is active at two gateways counts once at each process; one who signs out counts no more', async () => {
    const admin = await signUpAt(gateway.url, 'counting');
    await cluster.db.asOwner(`update app.users set role = 'admin' where username = 'counting'`);
    await admin.auth.refreshSession();
    const [twice, leaving] = [await signUpAt(one.url, 'twice'), await signUpAt(other.url, 'leaving')];
    await (await at(gateway, twice)).from('positions').select('id').throwOnError();
    await leaving.from('positions').select('id').throwOnError();
    const counts = () =>
      Promise.all(
        all().map(async (member) => {
          const { data } = await (await at(member, admin)).rpc('get_admin_overview').throwOnError();
          return getAdminOverview.result.parse(data).signed_in_now;
        }),
      );
    await eventually(async () => expect(await counts()).toEqual([3, 3, 3]));
    await leaving.auth.signOut();
    await eventually(async () => expect(await counts()).toEqual([2, 2, 2]));
  });

  test('an order at any process is done by the account’s engine, seen at every other, and once for its id', async () => {
    for (const name of ['anna', 'bert', 'carl', 'dora']) {
      const user = await signUpAt(gateway.url, name);
      const id = randomUUID();
      const { data } = await opened(user, id);
      for (const member of all()) {
        const there = await at(member, user);
        const { data: rows } = await there.from('positions').select('id').throwOnError();
        expect(rows).toEqual([{ id: data.id }]);
        expect((await opened(there, id)).data.id).toBe(data.id);
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
    const { data: position } = await opened(user);
    await eventually(() => expect(seen).toEqual([position.id]));
    await there.removeAllChannels();
  });

  test('each process states all with their roles: to admins, and to Prometheus', async () => {
    const admin = await signUpAt(gateway.url, 'figures');
    await cluster.db.asOwner(`update app.users set role = 'admin' where username = 'figures'`);
    await admin.auth.refreshSession();
    const everything = ['gateway', 'engine', 'market'];
    for (const member of [one, gateway]) {
      const there = await at(member, admin);
      await eventually(async () => {
        const { data } = await there.rpc('get_platform').throwOnError();
        const { processes, invariants, engine } = getPlatform.result.parse(data);
        expect(processes?.map(({ roles, silent }) => ({ roles, silent }))).toHaveLength(3);
        expect(processes?.filter(({ roles }) => roles.join() === 'gateway')).toHaveLength(1);
        expect(processes?.filter(({ roles }) => roles.join() === everything.join())).toHaveLength(2);
        expect(processes?.[0]?.roles).toEqual(member === gateway ? ['gateway'] : everything);
        expect(processes?.map(({ silent }) => silent)).toEqual([false, false, false]);
        expect(processes?.flatMap(({ duties }) => duties).toSorted()).toEqual(['chores', 'ledger', 'market']);
        expect(processes?.reduce((sum, { slots }) => sum + slots, 0)).toBe(256);
        // Of the holder of the duty, whichever process is asked.
        expect(invariants.map(({ ok }) => ok)).not.toContain(false);
        expect(invariants.map(({ detail }) => detail)).not.toContain('checked by another process');
        expect(engine.commands).toBeGreaterThan(0);
      });
      await eventually(async () => {
        const text = await (await fetch(`${member.url}/metrics`)).text();
        const samples = text.split('\n').filter((line) => !line.startsWith('#'));
        const valuesOf = (series: string) =>
          samples.filter((line) => line.startsWith(series)).map((line) => Number(line.split(' ').at(-1)));
        const roles = samples.filter((line) => line.startsWith('fulcrum_process_role{'));
        expect(roles.filter((line) => line.includes('role="gateway"'))).toHaveLength(3);
        expect(roles.filter((line) => line.includes('role="engine"'))).toHaveLength(2);
        expect(valuesOf('fulcrum_process_role{')).toEqual(roles.map(() => 1));
        expect(valuesOf('fulcrum_process_duty{')).toEqual([1, 1, 1]);
        expect(valuesOf('fulcrum_process_slots{').reduce((sum, n) => sum + n, 0)).toBe(256);
        expect(valuesOf('fulcrum_nats_connected ')).toEqual([1]);
      });
    }
  });

  test('weight and wrong passwords that one process counts are used up at every other', async () => {
    const weightAt = async (member: ClusterMember): Promise<number> => {
      const answer = await fetch(`${member.url}/fapi/v1/ping`);
      return Number(answer.headers.get('x-mbx-used-weight-1m'));
    };
    await eventually(async () => {
      await Promise.all(
        Array.from({ length: 100 }, () => fetch(`${one.url}/fapi/v1/depth?symbol=BTCUSDT&limit=1000`)),
      );
      expect(await weightAt(gateway)).toBeGreaterThan(200);
    });
    await signUpAt(one.url, 'guessed');
    const password = 'correct-horse-battery-9';
    const signIn = (member: ClusterMember, given: string) =>
      createClient(member.url, cluster.secrets.anonKey).auth.signInWithPassword({
        ...{ email: 'guessed@example.test', password: given },
      });
    for (let n = 0; n < 10; n += 1) await signIn(all()[n % 3]!, `wrong-password-${n}`);
    for (const member of all()) {
      const { error } = await signIn(member, password);
      expect(error?.status).toBe(429);
    }
  });

  test('a process with other rules or secrets is refused in one line, while the others live', async () => {
    const refused = cluster.run('gateway', { TRADING_FEE_RATE: '0.001' });
    expect(await refused.ended).toBe(1);
    expect(refused.printed.err).toBe(
      'TRADING_FEE_RATE is another one here than in the cluster that runs: give all processes the same, and stop all of them to change it\n',
    );
  });

  test('a halt at one process holds at every other, and its end too', async () => {
    const staff = await signUpAt(gateway.url, 'chief');
    await cluster.db.asOwner(`update app.users set role = 'admin' where username = 'chief'`);
    await staff.auth.refreshSession();
    const user = await signUpAt(other.url, 'halted');
    await opened(user);
    await staff.rpc('halt_trading', { p_reason: 'the ledger is checked' }).throwOnError();
    for (const member of all()) {
      const { error } = await open(await at(member, user));
      expect(error?.code).toBe('trading_halted');
    }
    await eventually(async () => {
      const states = await Promise.all(all().map((member) => member.health()));
      for (const { engine } of states) expect(engine.halted).toBe('the ledger is checked');
    });
    const elsewhere = await at(one, staff);
    await elsewhere.rpc('resume_trading', { p_reason: 'they are right' }).throwOnError();
    for (const member of all()) {
      const there = await at(member, user);
      await opened(there);
    }
  });

  test('while NATS is away nothing is done twice, and after its return orders go on', async () => {
    const user = await signUpAt(gateway.url, 'patient');
    await opened(user);
    await cluster.nats.kill();
    const id = randomUUID();
    const { error } = await open(user, id);
    expect(error?.code).toBe('busy');
    await cluster.nats.start();
    const { data } = await opened(user, id);
    expect((await opened(user, id)).data.id).toBe(data.id);
    const { data: rows } = await user.from('positions').select('id').throwOnError();
    expect(rows).toHaveLength(2);
  });

  test('after kill -9 of an account’s engine the other one takes its orders; nothing is lost or done twice', async () => {
    const user = await signUpAt(gateway.url, 'survivor');
    const id = randomUUID();
    const { data: before } = await opened(user, id);
    const owner = await ownerOf(user);
    await owner.end('SIGKILL');
    // Asked at once: it waits for the next owner, and for prices of the next leader.
    const { data: after } = await opened(user);
    expect((await opened(user, id)).data.id).toBe(before.id);
    const { data: rows } = await user.from('positions').select('id').throwOnError();
    expect(rows?.map((row) => row.id).toSorted()).toEqual([before.id, after.id].toSorted());
    await eventually(async () => {
      const text = await (await fetch(`${gateway.url}/metrics`)).text();
      const lines = text.split('\n');
      expect(lines.filter((line) => /^fulcrum_process_role\{.*\} 0$/.test(line))).toHaveLength(3);
      // Each by one of those that live; not by the silent one any more.
      expect(lines.filter((line) => line.startsWith('fulcrum_process_duty{'))).toHaveLength(3);
    });
    await eventually(async () => {
      const states = await Promise.all(all().map((member) => member.health()));
      expect(states.flatMap(({ troubles }) => troubles)).toEqual([]);
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
    const made = new Set<string>();
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    let id = randomUUID();
    while (!isOver) {
      const { data, error } = await open(user, id);
      // Prices pause while the next leader begins; one that waits for five seconds on a busy machine is asked again with its id.
      if (error && error.code !== 'price_stale' && error.code !== 'busy') errors.push(error);
      if (!error) made.add(data.id);
      if (error?.code !== 'busy') id = randomUUID();
      // A pause keeps them within the balance, and within a page of rows.
      await sleep(50);
    }
    expect(await ended).toBe(0);
    expect(errors).toEqual([]);
    expect(made.size).toBeGreaterThan(0);
    const { data: rows } = await user.from('positions').select('id').throwOnError();
    expect(new Set(rows?.map((row) => row.id))).toEqual(made);
    one = next;
    await opened(user);
  });
});
