/**
 * A rolling upgrade: processes of two releases on one database and one NATS. The former one is this code without what is new in the
 * database, with the function that it called for it, and with messages that lack or have fields. An applied migration that it does
 * not know is refused at its start only.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { slotOf } from '../../src/features/trading/index.ts';
import { eventually } from '../harness/eventually.ts';
import { hasNats } from '../harness/nats-server.ts';
import { makeRelease, type OtherRelease } from '../harness/other-release.ts';
import { type ClusterMember, openServerCluster, type ServerCluster } from '../harness/server-cluster.ts';
import { signUpAt } from '../harness/server-process.ts';

const roles = 'gateway,engine,market';
const functions = 'src/platform/database/functions';
const batchWrite = 'src/features/trading/engine/write.ts';
const codec = 'src/features/trading/cluster/command-codec.ts';

describe.skipIf(!hasNats)('two releases side by side', () => {
  let cluster: ServerCluster;
  let releases: OtherRelease[];
  beforeEach(async () => {
    releases = [];
    cluster = await openServerCluster();
  });
  afterEach(async () => {
    await cluster.dispose();
    for (const release of releases) release.dispose();
  });

  function release(...what: Parameters<typeof makeRelease>): OtherRelease {
    const made = makeRelease(...what);
    releases.push(made);
    return made;
  }
  async function at(member: ClusterMember, user: SupabaseClient): Promise<SupabaseClient> {
    const { data } = await user.auth.getSession();
    const token = data.session?.access_token ?? '';
    return createClient(member.url, cluster.secrets.anonKey, { accessToken: async () => token });
  }
  const open = (client: SupabaseClient, id: string = randomUUID()) =>
    client.rpc('open_position', {
      ...{ p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.0005, p_leverage: 10, p_client_id: id },
    });
  /** Asked again with its id: while slots or the market change hands an order may be answered `busy`. */
  const opened = (client: SupabaseClient, id: string = randomUUID()) =>
    eventually(() => open(client, id).throwOnError());
  const write = (client: SupabaseClient, session: string, content: string) =>
    client.from('chat_messages').insert({ session_id: session, content }).select().single().throwOnError();
  async function idsOf(client: SupabaseClient): Promise<unknown[]> {
    const { data } = await client.from('positions').select('id').throwOnError();
    return (data ?? []).map(({ id }) => id).toSorted();
  }
  const enginesOfSlots = async () =>
    (
      await cluster.db.asOwner(
        'select e.version, count(*)::int as slots from app.engine_slots s join app.engines e on e.id = s.engine group by 1 order by 1',
      )
    ).map((row) => ({ ...row }));

  test('both trade, chat and read at either; the leader of the former hands over; nothing is lost or done twice', async () => {
    const former = release(
      '0.0.9',
      [
        // It calls the functions that this release has replaced.
        { file: batchWrite, from: 'engine_write_v6', to: 'engine_write_v5' },
        { file: batchWrite, from: 'batch.priceNumber?.term ?? null,', to: '' },
        { file: batchWrite, from: 'batch.priceNumber?.seq ?? null,', to: '' },
        {
          file: 'src/features/support/messages.ts',
          from: 'app.write_chat_message_v1($1, $2, $3, $4, $5, $6, $7, make_interval(secs => $8),',
          to: 'app.write_chat_message($1, $2, $3, $4, $5, $6, $7::int > 0 and $8::float8 > 0,',
        },
        // Its commands have a field that this release does not know, as those of a next release may.
        {
          file: codec,
          from: 'commands: commands.map((one) => ({',
          to: "shade: 'blue', commands: commands.map((one) => ({ shade: 'blue',",
        },
        // It states nothing of itself to the others.
        { file: 'src/platform/cluster/members.ts', from: 'announce(own());', to: '' },
      ],
      [`${functions}/write_chat_message_v1.sql`, `${functions}/engine_write_v6.sql`],
    );
    const older = await cluster.start(roles, {}, former.program);
    const user = await signUpAt(older.url, 'anna');
    const made = [(await opened(user)).data.id];
    expect(await enginesOfSlots()).toEqual([{ version: '0.0.9', slots: 256 }]);

    const newer = await cluster.start(roles);
    await eventually(async () => {
      const engines = await enginesOfSlots();
      expect(engines.map(({ slots }) => slots)).toEqual([128, 128]);
    });
    // The former release goes on although the database has changed under it.
    expect((await older.health()).cluster.leadsMarket).not.toBeNull();
    const there = await at(newer, user);
    const id = randomUUID();
    made.push((await opened(there, id)).data.id);
    expect((await opened(user, id)).data.id).toBe(made[1]);
    const { data: session } = await user.rpc('open_chat_session', {}).throwOnError();
    await write(user, session.id, 'by the former release');
    await write(there, session.id, 'by this one');
    await write(user, session.id, 'and again');
    const { data: messages } = await there.from('chat_messages').select('seq').order('seq').throwOnError();
    expect(messages).toEqual([{ seq: 1 }, { seq: 2 }, { seq: 3 }]);
    // Accounts whose engine is of the one release, at gateways of the other.
    const owners = new Set<boolean>();
    for (let n = 0; owners.size < 2 || n < 4; n += 1) {
      const other = await signUpAt(n % 2 === 0 ? older.url : newer.url, `user-${n}`);
      const { data } = await other.auth.getUser();
      const [row] = await cluster.db.asOwner(
        'select e.version from app.engine_slots s join app.engines e on e.id = s.engine where s.slot = $1',
        [slotOf(data.user?.id ?? '')],
      );
      owners.add(row?.version === '0.0.9');
      for (const member of [older, newer]) await opened(await at(member, other));
      expect(await idsOf(other)).toHaveLength(2);
    }
    // The former function knows no number of the prices.
    const batches = await cluster.db.asOwner(
      `select distinct e.version = '0.0.9' as former, b.price_term is not null and b.price_seq is not null as numbered
       from app.engine_batches b join app.engines e on e.id = b.epoch order by 1`,
    );
    expect(batches).toEqual([
      { former: false, numbered: true },
      { former: true, numbered: false },
    ]);
    const dropped = { forged: 0, unreadable: 0, repeated: 0, late: 0 };
    for (const member of [older, newer])
      expect((await member.health()).cluster.nats.dropped).toMatchObject(dropped);

    const ended = older.end('SIGTERM');
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    // A pause keeps them within the balance, and within a page of rows.
    while (!isOver) {
      made.push((await opened(there)).data.id);
      await sleep(50);
    }
    expect(await ended).toBe(0);
    expect(await idsOf(there)).toEqual(made.toSorted());
    await eventually(async () => {
      expect((await enginesOfSlots()).map(({ slots }) => slots)).toEqual([256]);
      const { troubles, cluster: state } = await newer.health();
      expect(troubles).toEqual([]);
      expect(state.leadsMarket).not.toBeNull();
      expect(state.duties).toEqual({ ledger: true, chores: true });
    });
  });

  test('a process whose messages have another version does not start, and misleads no other', async () => {
    const later = release('9.0.0', [
      {
        file: 'src/platform/cluster/signed-frames.ts',
        from: "const version = '1';",
        to: "const version = '2';",
      },
    ]);
    const present = await cluster.start(roles);
    const user = await signUpAt(present.url, 'bert');
    const made = [(await opened(user)).data.id];
    const stranger = cluster.run(roles, {}, later.program);
    let isOver = false;
    void stranger.ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      made.push((await opened(user)).data.id);
      await sleep(100);
    }
    // The leader does not understand it, and it does not understand the leader.
    expect(await stranger.ended).toBe(1);
    expect(stranger.printed.err).toContain('no process leads the market of this cluster\n');
    const { troubles, cluster: state } = await present.health();
    expect(troubles).toEqual([]);
    expect(state.nats.dropped).toMatchObject({ forged: 0, repeated: 0, late: 0 });
    expect(state.nats.dropped.unreadable).toBeGreaterThan(0);
    expect(state.leadsMarket).not.toBeNull();
    made.push((await opened(user)).data.id);
    expect(await idsOf(user)).toEqual(made.toSorted());
  });

  test('a process of a release that lacks a migration of the database is refused in one line', async () => {
    const former = release('0.0.9', [], ['src/platform/database/migrations/0084_replica_marks.sql']);
    await cluster.start(roles);
    const refused = cluster.run(roles, {}, former.program);
    expect(await refused.ended).toBe(1);
    expect(refused.printed.err).toBe(
      'the database has migration 0084_replica_marks.sql, which this version of Fulcrum does not know\n',
    );
  });
});
