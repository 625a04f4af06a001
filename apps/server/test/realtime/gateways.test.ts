/** Two gateways of a cluster: clients at one of them see those at the other, and learn what was lost on the way. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RealtimeChannel } from '@supabase/supabase-js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { slotOf } from '../../src/features/trading/index.ts';
import type { ProcessBus } from '../../src/platform/bus/index.ts';
import { connectBus } from '../../src/platform/cluster/hints.ts';
import { createTestNetwork, type TestLink } from '../harness/cluster.ts';
import { createTestDatabase, type TestDatabase, testLog } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { createManualTimers } from '../harness/manual-timers.ts';
import {
  type RealtimeServer,
  startRealtime,
  subscribed,
  type TestUser,
  tokenOf,
  userWithRole,
  walletChange,
} from './realtime-server.ts';

const presenceTopic = 'presence:support';
const seconds = 1_000;

let db: TestDatabase;
let timers: ReturnType<typeof createManualTimers>;
let links: readonly [TestLink, TestLink];
let gateways: readonly [RealtimeServer, RealtimeServer];
beforeEach(async () => {
  db = await createTestDatabase();
  timers = createManualTimers(Date.now());
  const network = createTestNetwork();
  const chatOwner = async (id: string) => {
    const [row] = await db.asOwner('select user_id from app.chat_sessions where id = $1', [id]);
    return (row?.user_id as string | undefined) ?? null;
  };
  const start = (link: TestLink) => startRealtime({ timers, chatOwner, cluster: { link, db } });
  links = [network.link(), network.link()];
  gateways = [await start(links[0]), await start(links[1])];
});
afterEach(async () => {
  for (const gateway of gateways) await gateway.close();
  await db.close();
});

async function enter(gateway: RealtimeServer, holder: TestUser) {
  const client = await gateway.client(holder);
  const channel = client.channel(presenceTopic, { config: { presence: { key: 'own' } } });
  const events: string[] = [];
  channel.on('presence', { event: 'join' }, ({ key: id }) => events.push(`join ${id}`));
  channel.on('presence', { event: 'leave' }, ({ key: id }) => events.push(`leave ${id}`));
  expect((await subscribed(channel)).status).toBe('SUBSCRIBED');
  return { channel, events };
}
const presentAt = (channel: RealtimeChannel) => new Set(Object.keys(channel.presenceState()));
const setOf = (...users: readonly TestUser[]) => new Set(users.map(({ userId }) => userId));

test('who is present at one gateway is present at the other, until they leave', async () => {
  const [agent, second, trader] = [userWithRole('support'), userWithRole('support'), userWithRole('trader')];
  const came: string[] = [];
  gateways[1].bus.subscribe('presence.came', ({ userId }) => void came.push(userId));
  gateways[1].bus.subscribe('presence.left', ({ userId }) => void came.push(`left ${userId}`));
  const observer = await enter(gateways[1], trader);
  const own = await enter(gateways[0], agent);
  await own.channel.track({ status: 'available' });
  await eventually(() => expect(presentAt(observer.channel)).toEqual(setOf(agent)));
  // A second tab of theirs at the other gateway: they have come once.
  const tab = await enter(gateways[1], agent);
  await tab.channel.track({ status: 'busy' });
  await eventually(() => expect(observer.channel.presenceState()[agent.userId]).toHaveLength(2));
  expect(came).toEqual([agent.userId]);
  const other = await enter(gateways[1], second);
  await other.channel.track({ status: 'available' });
  await eventually(() => expect(presentAt(own.channel)).toEqual(setOf(agent, second)));
  await own.channel.untrack();
  await tab.channel.untrack();
  await eventually(() => expect(presentAt(observer.channel)).toEqual(setOf(second)));
  expect(came).toEqual([agent.userId, second.userId, `left ${agent.userId}`]);
  expect(observer.events.filter((event) => event === `join ${second.userId}`)).toHaveLength(1);
});

test('a lost message of presence heals within five seconds, and a gateway that is silent for ten has no user', async () => {
  const [agent, trader] = [userWithRole('support'), userWithRole('trader')];
  const observer = await enter(gateways[1], trader);
  const own = await enter(gateways[0], agent);
  links[1].lose((subject) => subject === 'gateway.presence');
  await own.channel.track({ status: 'available' });
  await eventually(() => expect(presentAt(own.channel)).toEqual(setOf(agent)));
  expect(presentAt(observer.channel)).toEqual(setOf());
  links[1].lose(null);
  await timers.advance(5 * seconds);
  await eventually(() => expect(presentAt(observer.channel)).toEqual(setOf(agent)));
  links[1].lose((subject) => subject === 'gateway.presence');
  for (let i = 0; i < 3; i += 1) await timers.advance(5 * seconds);
  await eventually(() => expect(presentAt(observer.channel)).toEqual(setOf()));
  expect(presentAt(own.channel)).toEqual(setOf(agent));
});

test('a message of a client reaches those at the other gateway, bytes as bytes', async () => {
  const trader = userWithRole('trader');
  const received: unknown[] = [];
  const devices: RealtimeChannel[] = [];
  for (const gateway of gateways) {
    const channel = (await gateway.client(trader)).channel(`user:${trader.userId}`);
    channel.on('broadcast', { event: '*' }, ({ event, payload }) => received.push([event, payload]));
    expect((await subscribed(channel)).status).toBe('SUBSCRIBED');
    devices.push(channel);
  }
  await devices[0]!.send({ type: 'broadcast', event: 'draft', payload: { text: 'hello' } });
  await eventually(() => expect(received).toEqual([['draft', { text: 'hello' }]]));
  await devices[0]!.send({ type: 'broadcast', event: 'bytes', payload: new Uint8Array([1, 2, 255]).buffer });
  await eventually(() => expect(received).toHaveLength(2));
  const [, bytes] = received[1] as [string, ArrayBuffer];
  expect([...new Uint8Array(bytes)]).toEqual([1, 2, 255]);
});

/** A trader with a wallet in PostgreSQL, joined at the second gateway; `ended` counts the errors of the channel. */
async function joinedTrader() {
  const trader = userWithRole('trader');
  await db.asOwner(`insert into app.users (id, email, username, role) values ($1, $2, $3, 'trader')`, [
    ...[trader.userId, `${trader.userId}@example.test`, trader.userId.slice(0, 18)],
  ]);
  await db.asOwner('insert into app.wallets (user_id, version) values ($1, 1)', [trader.userId]);
  const client = await gateways[1].client(trader);
  const seen: number[] = [];
  const ended: string[] = [];
  const channel = client.channel(`user:${trader.userId}`);
  channel.on(
    'postgres_changes',
    { event: '*', schema: 'public', table: 'wallets', filter: `user_id=eq.${trader.userId}` },
    ({ new: row }) => seen.push((row as { version: number }).version),
  );
  await new Promise<void>((resolve) => {
    channel.subscribe((status) => {
      if (status === 'SUBSCRIBED') resolve();
      if (status === 'CHANNEL_ERROR') ended.push(status);
    });
  });
  return { trader, seen, ended };
}
/** Each check asks PostgreSQL; the answer comes in its own time. */
async function check() {
  await timers.advance(10 * seconds);
  await db.query('select 1');
  await new Promise((resolve) => setTimeout(resolve, 100));
}

test('a client whose account has changed without a hint is made to read again; one that had all hints is not', async () => {
  const { trader, seen, ended } = await joinedTrader();
  const wellInformed = await joinedTrader();
  await check();
  for (const { userId } of [trader, wellInformed.trader])
    await db.asOwner('update app.wallets set version = 2 where user_id = $1', [userId]);
  gateways[1].bus.publish('account.changed', { changes: [walletChange(wellInformed.trader.userId, 2)] });
  await check();
  expect(ended).toEqual([]);
  await eventually(async () => {
    await check();
    expect(ended).toEqual(['CHANNEL_ERROR']);
  });
  for (let i = 0; i < 3; i += 1) await check();
  expect(ended).toHaveLength(1);
  expect(wellInformed.ended).toEqual([]);
  expect([seen, wellInformed.seen]).toEqual([[], [2]]);
});

test('the channel of a conversation ends for good although the hint of its deletion was lost', async () => {
  const { trader } = await joinedTrader();
  const [remaining, deleted] = [randomUUID(), randomUUID()];
  for (const [id, status] of [
    [remaining, 'open'],
    [deleted, 'closed'],
  ])
    await db.asOwner(
      `insert into app.chat_sessions (id, user_id, status, created_at, updated_at, closed_at)
       values ($1, $2, $3, now(), now(), case when $3 = 'closed' then now() end)`,
      [id, trader.userId, status],
    );
  const client = await gateways[1].client(trader);
  const join = async (id: string): Promise<string[]> => {
    const statuses: string[] = [];
    const channel = client.channel(`chat:${id}`);
    channel.subscribe((status) => void statuses.push(status));
    await eventually(() => expect(statuses).toEqual(['SUBSCRIBED']));
    return statuses;
  };
  const [ofRemaining, ofDeleted] = [await join(remaining), await join(deleted)];
  await db.asOwner('delete from app.chat_sessions where id = $1', [deleted]);
  expect(ofDeleted).toEqual(['SUBSCRIBED']);
  await eventually(async () => {
    await timers.advance(10 * seconds);
    expect(ofDeleted).toEqual(['SUBSCRIBED', 'CLOSED']);
  });
  expect(ofRemaining).toEqual(['SUBSCRIBED']);
});

test('after the connection to the others was away every client reads again', async () => {
  const { ended } = await joinedTrader();
  links[1].cut();
  links[1].mend();
  await eventually(() => expect(ended).toEqual(['CHANNEL_ERROR']));
});

test('a message of another gateway that cannot be read changes nothing', async () => {
  const observer = await enter(gateways[1], userWithRole('trader'));
  links[0].publish('gateway.presence', {
    process: randomUUID(),
    isWhole: true,
    topics: { [`realtime:${presenceTopic}`]: 'all' },
  });
  links[0].publish('gateway.broadcast', { topic: 5 });
  await check();
  expect(presentAt(observer.channel)).toEqual(setOf());
});

test('a gateway gets the rows of those who joined there, and of everybody while staff follow them', async () => {
  const ends = gateways.map(({ bus }, n) =>
    connectBus({ bus: bus as ProcessBus, link: links[n as 0 | 1], slotOf, log: testLog }),
  );
  const arrived: string[] = [];
  links[1].lose((subject) => {
    if (subject.startsWith('acct.')) arrived.push(subject.split('.')[2] ?? '');
    return false;
  });
  const [trader, stranger, chief] = [userWithRole('trader'), userWithRole('trader'), userWithRole('admin')];
  const announce = (...users: readonly TestUser[]) => {
    for (const { userId } of users)
      gateways[0].bus.publish('account.changed', { changes: [walletChange(userId, 1)] });
  };
  announce(trader, stranger);
  const channel = (await gateways[1].client(trader)).channel(`user:${trader.userId}`);
  channel.on('postgres_changes', { event: '*', schema: 'public', table: 'wallets' }, () => {});
  expect((await subscribed(channel)).status).toBe('SUBSCRIBED');
  announce(trader, stranger);
  await eventually(() => expect(arrived).toEqual([trader.userId]));

  const everybody = (await gateways[1].client(chief)).channel(`user:${chief.userId}`);
  everybody.on('postgres_changes', { event: '*', schema: 'public', table: 'wallets' }, () => {});
  expect((await subscribed(everybody)).status).toBe('SUBSCRIBED');
  announce(trader, stranger);
  await eventually(() => expect(arrived).toEqual([trader.userId, trader.userId, stranger.userId]));

  await everybody.unsubscribe();
  await channel.unsubscribe();
  await eventually(async () => {
    const before = arrived.length;
    announce(trader, stranger);
    await sleep(50);
    expect(arrived).toHaveLength(before);
  });
  for (const end of ends) end();
});

test('a new token of the same user keeps the subscription to their rows', async () => {
  const bus = gateways[1].bus as ProcessBus;
  const needed: (readonly [string | null, boolean])[] = [];
  bus.onNeededRows((ownerId, isNeeded) => needed.push([ownerId, isNeeded]));
  const trader = userWithRole('trader');
  const raw = await gateways[1].raw();
  const topic = `user:${trader.userId}`;
  expect((await raw.join(topic, { access_token: tokenOf(trader) })).status).toBe('ok');
  expect(needed).toEqual([[trader.userId, true]]);
  for (const ref of ['2', '3']) {
    const later = tokenOf(trader, Date.now() + 1_000_000 + Number(ref) * 1_000);
    raw.send('1', ref, `realtime:${topic}`, 'access_token', { access_token: later });
    await raw.reply(ref);
  }
  expect(needed).toEqual([[trader.userId, true]]);
  raw.send('1', '4', `realtime:${topic}`, 'phx_leave', {});
  await raw.reply('4');
  expect(needed).toEqual([
    [trader.userId, true],
    [trader.userId, false],
  ]);
});
