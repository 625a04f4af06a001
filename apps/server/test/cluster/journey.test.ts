/**
 * A trader and an agent over two gateways, with the engine and the market in processes of their own: they sign in at one, trade and write at
 * the other, and both see live what happens.
 */
import { randomUUID } from 'node:crypto';
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { hasNats } from '../harness/nats-server.ts';
import { type ClusterMember, openServerCluster, type ServerCluster } from '../harness/server-cluster.ts';
import { signUpAt } from '../harness/server-process.ts';

interface Seen {
  readonly table: string;
  readonly type: string;
  readonly row: Record<string, unknown>;
}

describe.skipIf(!hasNats)('a journey over two gateways', () => {
  let cluster: ServerCluster;
  let first: ClusterMember;
  let second: ClusterMember;
  beforeAll(async () => {
    cluster = await openServerCluster();
    await cluster.start('engine,market');
    [first, second] = await Promise.all([cluster.start('gateway'), cluster.start('gateway')]);
  });
  afterAll(() => cluster.dispose());

  async function idOf(user: SupabaseClient): Promise<string> {
    const { data } = await user.auth.getUser();
    return data.user?.id ?? '';
  }
  /** The same session at another gateway. */
  async function at(member: ClusterMember, user: SupabaseClient): Promise<SupabaseClient> {
    const { data } = await user.auth.getSession();
    const token = data.session?.access_token ?? '';
    return createClient(member.url, cluster.secrets.anonKey, { accessToken: async () => token });
  }
  async function agentAt(member: ClusterMember): Promise<SupabaseClient> {
    const agent = await signUpAt(member.url, 'agent');
    await cluster.db.asOwner(`update app.users set role = 'support' where username = 'agent'`);
    await agent.auth.refreshSession();
    return agent;
  }
  const joined = (channel: RealtimeChannel) =>
    new Promise<RealtimeChannel>((resolve, reject) => {
      channel.subscribe((status, error) => {
        if (status === 'SUBSCRIBED') resolve(channel);
        if (status === 'CHANNEL_ERROR') reject(error ?? new Error('the channel ended'));
      });
    });
  /** Everything that the user's own channel gets of these tables. */
  async function follow(client: SupabaseClient, userId: string, tables: readonly string[]): Promise<Seen[]> {
    const seen: Seen[] = [];
    let channel = client.channel(`user:${userId}`);
    for (const table of tables)
      channel = channel.on('postgres_changes', { event: '*', schema: 'public', table }, (change) =>
        seen.push({ table, type: change.eventType, row: change.new as Record<string, unknown> }),
      );
    await joined(channel);
    return seen;
  }
  const requested = (client: SupabaseClient, procedure: string, args: Record<string, unknown>) =>
    eventually(() => client.rpc(procedure, args).throwOnError());

  test('live rows at both of what is traded at either, without a gap', async () => {
    const anna = await signUpAt(first.url, 'anna');
    const id = await idOf(anna);
    const elsewhere = await at(second, anna);
    const seen = [
      await follow(anna, id, ['wallets', 'positions']),
      await follow(elsewhere, id, ['wallets', 'positions']),
    ];
    const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.0005, p_leverage: 10 };
    const positions: string[] = [];
    for (const client of [elsewhere, anna, elsewhere, anna]) {
      const { data } = await requested(client, 'open_position', { ...order, p_client_id: randomUUID() });
      positions.push(data.id);
    }
    for (const [n, client] of [anna, elsewhere].entries())
      await requested(client, 'close_position', { p_position_id: positions[n] });
    const { data: wallet } = await anna.from('wallets').select('version, balance').single().throwOnError();
    for (const rows of seen) {
      await eventually(() => {
        const wallets = rows.filter(({ table }) => table === 'wallets').map(({ row }) => Number(row.version));
        expect(wallets.at(-1)).toBe(wallet.version);
        expect(wallets).toEqual(wallets.map((_, n) => wallets[0]! + n));
        const closed = rows.filter(({ table, row }) => table === 'positions' && row.status === 'closed');
        expect(closed.map(({ row }) => row.id)).toEqual(positions.slice(0, 2));
      });
    }
    expect(seen[1]).toEqual(seen[0]);
    await anna.removeAllChannels();
    await elsewhere.removeAllChannels();
  });

  test('the prices are the same at both', async () => {
    const user = await signUpAt(first.url, 'prices');
    const ticks: Map<string, number>[] = [new Map(), new Map()];
    for (const [n, client] of [user, await at(second, user)].entries()) {
      const channel = client.channel('prices:BTCUSDT');
      channel.on('broadcast', { event: 'tick' }, ({ payload }) => {
        ticks[n]?.set(JSON.stringify(payload), 1);
      });
      await joined(channel);
    }
    // Frames are conflated, each gateway at its own beat: most prices are in both.
    await eventually(() => {
      const shared = [...(ticks[0]?.keys() ?? [])].filter((tick) => ticks[1]?.has(tick));
      expect(shared.length).toBeGreaterThan(5);
    });
    await user.removeAllChannels();
  });

  test('a chat: presence, typing, messages and their numbers, each side at another gateway', async () => {
    const [trader, agent] = [await signUpAt(first.url, 'bert'), await agentAt(second)];
    const [traderId, agentId] = [await idOf(trader), await idOf(agent)];
    const team = trader.channel('presence:support').on('presence', { event: 'sync' }, () => {});
    await joined(team);
    const presence = agent.channel('presence:support').on('presence', { event: 'sync' }, () => {});
    await joined(presence);
    await presence.track({ status: 'available' });
    await eventually(() => expect(Object.keys(team.presenceState())).toEqual([agentId]));

    const { data: session } = await trader.rpc('open_chat_session', {}).throwOnError();
    const ofTrader = await follow(trader, traderId, ['chat_messages', 'notifications']);
    const ofAgent = await follow(agent, agentId, ['chat_messages']);
    const typing: string[] = [];
    const room = trader.channel(`chat:${session.id}`);
    room.on('broadcast', { event: 'typing' }, () => typing.push('agent'));
    await joined(room);
    const agentRoom = agent.channel(`chat:${session.id}`);
    await joined(agentRoom);
    await eventually(async () => {
      await agentRoom.send({ type: 'broadcast', event: 'typing', payload: {} });
      expect(typing.length).toBeGreaterThan(0);
    });

    const write = (client: SupabaseClient, content: string) =>
      client
        .from('chat_messages')
        .insert({ session_id: session.id, content })
        .select()
        .single()
        .throwOnError();
    await write(trader, 'My order was not filled.');
    await write(agent, 'Its price was not reached.');
    await write(await at(second, trader), 'I see, thank you.');
    await write(await at(first, agent), 'You are welcome.');
    const inserted = (seen: readonly Seen[]) =>
      seen
        .filter(({ table, type }) => table === 'chat_messages' && type === 'INSERT')
        .map(({ row }) => [row.seq, row.sender_role]);
    const all = [
      [1, 'trader'],
      [2, 'support'],
      [3, 'trader'],
      [4, 'support'],
    ];
    await eventually(() => {
      expect(inserted(ofTrader).toSorted()).toEqual(all);
      expect(inserted(ofAgent).toSorted()).toEqual(all);
    });
    await eventually(() =>
      expect(ofTrader.filter(({ table }) => table === 'notifications').length).toBeGreaterThan(0),
    );
    await agent.rpc('mark_chat_read', { p_session_id: session.id, p_seq: 4 }).throwOnError();
    await presence.untrack();
    await eventually(() => expect(Object.keys(team.presenceState())).toEqual([]));
    await trader.removeAllChannels();
    await agent.removeAllChannels();
  });

  test('who signs out at one gateway is out at the other, and the channels there end', async () => {
    const user = await signUpAt(first.url, 'leaver');
    const elsewhere = await at(second, user);
    const id = await idOf(user);
    const statuses: string[] = [];
    elsewhere.channel(`user:${id}`).subscribe((status) => void statuses.push(status));
    await eventually(() => expect(statuses).toEqual(['SUBSCRIBED']));
    await user.auth.signOut();
    await eventually(async () => {
      const { error } = await elsewhere.from('wallets').select('version');
      expect(error).not.toBeNull();
    });
    await eventually(() => expect(statuses).toContain('CHANNEL_ERROR'));
    await elsewhere.removeAllChannels();
  });
});
