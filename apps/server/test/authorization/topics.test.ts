/** Walks role x topic, role x announced table, and the delivered changes, over a real socket with the official client. */
import { setTimeout } from 'node:timers/promises';
import type { RealtimeChannel } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { alphabetical, none, tableUnder } from './matrix.ts';
import {
  callers,
  checkOf,
  conversationOf,
  createWorld,
  type Ownership,
  price,
  reaches,
  symbol,
  type UserName,
  type World,
} from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await Promise.all(callers.map(({ userName: user }) => world.clientOf(user).realtime.setAuth()));
});
afterAll(() => world.close());

type Change = { readonly table: string; readonly new: Record<string, unknown> };

/** A socket takes ten frames a second (CALL-14); a join and its leave are two. */
const paceMs = 250;

/** Resolves with the first answer to a join, paced so that a refusal is never one of too many frames. */
const joined = async (channel: RealtimeChannel) => {
  await setTimeout(paceMs);
  return new Promise<'joined' | 'refused'>((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') resolve('joined');
      else if (/not open|not offered|session missing/.test(error?.message ?? '')) resolve('refused');
      else reject(new Error(`${channel.topic}: ${status} ${error?.message}`));
    });
  });
};

function channelOf(user: UserName | null, topic: string): RealtimeChannel {
  return world.clientOf(user).channel(topic, { config: { private: user !== null } });
}

/** The callers walk side by side, each on its own socket. */
async function walk(step: (caller: (typeof callers)[number]) => Promise<string[]>): Promise<string[]> {
  return (await Promise.all(callers.map(step))).flat();
}

test('X-20: each role may join the documented topics only', async () => {
  const expected: string[] = [];
  const outcomes = await walk(async ({ role, userName: user, rows }) => {
    const answers: string[] = [];
    for (const { topic = '', ...cells } of tableUnder('Topics')) {
      for (const [ownership, whose] of Object.entries(rows)) {
        const channel = channelOf(
          user,
          topic
            .replace('{symbol}', symbol)
            .replace('{id}', world.idOf[whose])
            .replace('{session_id}', conversationOf(world, whose)),
        );
        const what = `${role} joins ${topic} of ${ownership}`;
        answers.push(`${what}: ${await joined(channel)}`);
        expected.push(
          `${what}: ${reaches(cells[role] ?? '', ownership as Ownership) ? 'joined' : 'refused'}`,
        );
        await world.clientOf(user).removeChannel(channel);
      }
    }
    return answers;
  });
  expect(outcomes.toSorted(alphabetical)).toEqual(expected.toSorted(alphabetical));
});

/** Any topic the caller may join carries `postgres_changes`. */
const openTopic = (user: UserName | null) => (user === null ? 'prices' : `user:${world.idOf[user]}`);

function subscribe(user: UserName | null, table: string, seen: Change[]): RealtimeChannel {
  return channelOf(user, openTopic(user)).on(
    'postgres_changes',
    { event: '*', schema: 'public', table },
    (change) => seen.push(change as unknown as Change),
  );
}

test('X-20: each role may subscribe to the documented changes only', async () => {
  const expected: string[] = [];
  const outcomes = await walk(async ({ role, userName: user }) => {
    const answers: string[] = [];
    for (const { table = '', ...cells } of tableUnder('Announced changes')) {
      const channel = subscribe(user, table, []);
      answers.push(`${role} watches ${table}: ${await joined(channel)}`);
      expected.push(`${role} watches ${table}: ${cells[role] === none ? 'refused' : 'joined'}`);
      await world.clientOf(user).removeChannel(channel);
    }
    return answers;
  });
  expect(outcomes.toSorted(alphabetical)).toEqual(expected.toSorted(alphabetical));
});

/** An order that is filled at once: order, position and wallet change, and the trader is told (A104). */
async function trade(trader: UserName): Promise<void> {
  // On a slow machine the walk takes longer than a price stays fresh.
  world.server.feed.setPrice(symbol, price);
  await world
    .clientOf(trader)
    .from('orders')
    .insert({ symbol, type: 'MARKET', side: 'BUY', size: 0.01, leverage: 10 })
    .throwOnError();
}

/** A message: it changes its conversation too, and opens one where there is none. */
async function write(trader: UserName): Promise<void> {
  const client = world.clientOf(trader);
  const { data } = await client.rpc('open_chat_session').throwOnError();
  await client.from('chat_messages').insert({ session_id: data.id, content: 'Hello' }).throwOnError();
}

/** A tag of support, which a repeat would not change. */
async function tag(trader: UserName): Promise<void> {
  const { data } = await world.clientOf(trader).rpc('open_chat_session').throwOnError();
  const args = { p_session_id: data.id, p_tag: `walk-${trader}`, p_is_on: true };
  await world.clientOf('sam').rpc('tag_chat_session', args).throwOnError();
}

async function setAlert(trader: UserName): Promise<void> {
  await world
    .clientOf(trader)
    .rpc('create_alert', { p_kind: 'price', p_symbol: symbol, p_level: 90_000 })
    .throwOnError();
}

async function decide(trader: UserName): Promise<void> {
  const pending = { p_id: checkOf(world, trader), p_version: 1 };
  await world
    .clientOf('ada')
    .rpc('review_kyc', { ...pending, p_decision: 'approved' })
    .throwOnError();
}

/** What changes a row of somebody, by table. Of what support keeps for itself, and of letters, no trader is the owner. */
const changesOf: Readonly<Record<string, ((trader: UserName) => Promise<void>) | 'no trader’s'>> = {
  wallets: trade,
  positions: trade,
  orders: trade,
  notifications: trade,
  alerts: setAlert,
  chat_sessions: write,
  chat_messages: write,
  kyc_verifications: decide,
  chat_triage: tag,
  chat_notes: 'no trader’s',
  support_details: 'no trader’s',
  contact_forms: 'no trader’s',
};

test('RULE-37, X-20: each role receives the documented changes only', async () => {
  for (const { table = '', ...cells } of tableUnder('Announced changes')) {
    const watching = callers.filter(({ role }) => cells[role] !== none);
    if (watching.length === 0) continue;
    const change = changesOf[table];
    if (!change) throw new Error(`nothing changes ${table}`);
    if (change === 'no trader’s') continue;
    const seen = new Map<string, Change[]>(watching.map(({ role }) => [role, []]));
    const channels = await Promise.all(
      watching.map(async ({ role, userName: user }) => {
        const channel = subscribe(user, table, seen.get(role) ?? []);
        expect(await joined(channel)).toBe('joined');
        return { user, channel };
      }),
    );
    for (const trader of ['bob', 'alice'] as const) await change(trader);
    // Alice trades last and each watcher of this world reaches her, so what was due before has arrived by then.
    await eventually(() => {
      for (const [role, changes] of seen) {
        expect(`${role} ${changes.some((change) => change.new.user_id === world.idOf.alice)}`).toBe(
          `${role} true`,
        );
      }
    });
    for (const { role, rows } of watching) {
      const owners = new Set(seen.get(role)?.map((change) => change.new.user_id));
      for (const whose of ['alice', 'bob'] as const) {
        const [ownership] = Object.entries(rows).find(([, user]) => user === whose) ?? ['foreign'];
        expect(`${table}: ${role} sees ${whose}: ${owners.has(world.idOf[whose])}`).toBe(
          `${table}: ${role} sees ${whose}: ${reaches(cells[role] ?? '', ownership as Ownership)}`,
        );
      }
    }
    await Promise.all(channels.map(({ user, channel }) => world.clientOf(user).removeChannel(channel)));
  }
});

test('X-20: rows without a trader are announced to roles that may read them', async () => {
  let isBusy = false;
  const otherStatus = () => {
    isBusy = !isBusy;
    return isBusy ? 'busy' : 'available';
  };
  const actions = {
    chat_notes: () =>
      world
        .clientOf('sam')
        .from('chat_notes')
        .insert({ session_id: conversationOf(world, 'alice'), content: 'For us' }),
    support_details: () =>
      world
        .clientOf('sam')
        .from('support_details')
        .update({ status: otherStatus() })
        .eq('user_id', world.idOf.sam),
    contact_forms: () =>
      world
        .clientOf(null)
        .from('contact_forms')
        .insert({ name: 'A', email: 'a@example.test', subject: 'A walk', message: 'A walk' }),
  };
  for (const [table, change] of Object.entries(actions)) {
    const cells = tableUnder('Announced changes').find((line) => line.table === table) ?? {};
    for (const { role, userName: user } of callers) {
      if (cells[role] === none) continue;
      const seen: Change[] = [];
      const channel = subscribe(user, table, seen);
      expect(await joined(channel)).toBe('joined');
      expect((await change()).error).toBeNull();
      await eventually(() => expect([role, seen.length > 0]).toEqual([role, true]));
      await world.clientOf(user).removeChannel(channel);
    }
  }
});

test('A104, X-20: a notification that is read in one place is announced to its trader only', async () => {
  const seen: Change[] = [];
  const ofBob: Change[] = [];
  const channels = [
    subscribe('alice', 'notifications', seen),
    subscribe('bob', 'notifications', ofBob),
  ] as const;
  for (const channel of channels) expect(await joined(channel)).toBe('joined');
  const read_at = '2026-11-21T09:00:00.000Z';
  for (const user of ['alice', 'bob'] as const) {
    const notifications = () => world.clientOf(user).from('notifications');
    const { data: first } = await notifications().select('id').order('created_at').limit(1).single();
    expect((await notifications().update({ read_at }).eq('id', first?.id)).error).toBeNull();
  }
  // Bob's came last: what of Alice's was on its way to him has arrived by then.
  await eventually(() => expect([seen.length, ofBob.length]).toEqual([1, 1]));
  expect(seen[0]).toMatchObject({
    eventType: 'UPDATE',
    new: { user_id: world.idOf.alice, kind: 'order_filled', read_at: '2026-11-21T09:00:00+00:00' },
    old: { id: seen[0]?.new.id },
  });
  expect(ofBob[0]?.new.user_id).toBe(world.idOf.bob);
  await world.clientOf('alice').removeChannel(channels[0]);
  await world.clientOf('bob').removeChannel(channels[1]);
});
