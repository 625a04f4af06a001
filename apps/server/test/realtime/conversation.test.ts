/** The topic of one conversation: its participants, the order of events during a join, and its end. */
import { randomUUID } from 'node:crypto';
import type { RowChange } from '@fulcrum/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  anonKey,
  impersonating,
  pause,
  type RawClient,
  type RealtimeServer,
  startRealtime,
  subscribed,
  type TestUser,
  tokenOf,
  until,
  userWithRole,
} from './realtime-server.ts';

const [trader, stranger, agent, admin] = [
  userWithRole('trader'),
  userWithRole('trader'),
  userWithRole('support'),
  userWithRole('admin'),
];
const session = randomUUID();
const topic = `chat:${session}`;

let server: RealtimeServer;
/** Questions to the database that are answered by the test; null answers at once. */
let held: (() => void)[] | null;
let questions: number;
let owners: Map<string, string>;

beforeEach(async () => {
  held = null;
  questions = 0;
  owners = new Map([[session, trader.userId]]);
  server = await startRealtime({
    chatOwner: async (id) => {
      questions += 1;
      const owner = owners.get(id) ?? null;
      const { promise, resolve } = Promise.withResolvers<void>();
      if (held) held.push(resolve);
      else resolve();
      await promise;
      if (id === broken) throw new Error('the database is gone');
      return owner;
    },
  });
});
afterEach(() => server.close());

const broken = randomUUID();

async function enter(holder: TestUser, name = topic) {
  const client = await server.client(holder);
  const channel = client.channel(name, { config: { broadcast: { ack: true } } });
  const received: string[] = [];
  channel.on('broadcast', { event: 'typing' }, ({ payload }) => received.push(String(payload.by)));
  channel.on('presence', { event: 'sync' }, () => {});
  const answer = await subscribed(channel);
  const type = (by = holder.userId) => channel.send({ type: 'broadcast', event: 'typing', payload: { by } });
  return { client, channel, received, answer, type };
}

/** A raw socket whose join of the conversation waits for the database. */
async function waiting(holder: TestUser): Promise<RawClient> {
  held = [];
  const raw = await server.raw();
  raw.send('1', '1', `realtime:${topic}`, 'phx_join', { access_token: tokenOf(holder) });
  await until(() => held?.length === 1);
  return raw;
}
const letGo = () => {
  for (const go of held?.splice(0) ?? []) go();
};
const repliesOf = (raw: RawClient) =>
  raw.frames
    .filter(([, , , event]) => event === 'phx_reply')
    .map(([, ref, , , { status, response }]) => [ref, status, response.reason].filter(Boolean).join(' '));

const deletion = (table: 'chat_sessions' | 'users', id: string): RowChange => ({
  table,
  type: 'DELETE',
  userId: trader.userId,
  record: null,
  oldRecord: { id },
  committedAt: new Date().toISOString(),
});

describe('permission to join', () => {
  test('the trader of the conversation, support and admins', async () => {
    for (const holder of [trader, agent, admin]) {
      expect((await enter(holder)).answer.status).toBe('SUBSCRIBED');
    }
  });

  test('a foreign conversation and one that does not exist look alike, to all others too', async () => {
    const reasonFor = async (holder: TestUser, name: string) => (await enter(holder, name)).answer.reason;
    const unknown = `chat:${randomUUID()}`;
    expect(await reasonFor(stranger, topic)).toContain(`${topic} is not open to you.`);
    expect(await reasonFor(stranger, unknown)).toContain(`${unknown} is not open to you.`);
    expect(await reasonFor(agent, unknown)).toContain(`${unknown} is not open to you.`);
    expect(await reasonFor(userWithRole('manager'), topic)).toContain(`${topic} is not open to you.`);
    expect((await enter(impersonating(admin, stranger))).answer.status).toBe('CHANNEL_ERROR');
  });

  test('an id has one spelling, and an invalid one costs the database nothing', async () => {
    const raw = await server.raw();
    const digits = session.replaceAll('-', '');
    const otherwise = digits.replace(/^(.{4})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    for (const id of [otherwise, session.toUpperCase(), '-'.repeat(36), `${digits}----`]) {
      const refused = await raw.join(`chat:${id}`, { access_token: tokenOf(trader) }, id);
      expect(refused.response.reason).toBe(`There is no topic chat:${id}.`);
    }
    expect(questions).toBe(0);
  });

  test('a caller without permission costs the database nothing', async () => {
    const raw = await server.raw();
    expect((await raw.join(topic)).status).toBe('error');
    await enter(userWithRole('manager'));
    expect(questions).toBe(0);
  });

  test('a fault of the database is a refusal without details, and the next topic is served', async () => {
    const raw = await server.raw();
    const refused = await raw.join(`chat:${broken}`, { access_token: tokenOf(agent) });
    expect(refused.status).toBe('error');
    expect(refused.response.reason).not.toContain('database');
    expect((await raw.join(topic, { access_token: tokenOf(agent) }, '2')).status).toBe('ok');
  });
});

describe('broadcasts and presence', () => {
  test('typing reaches the other side, and the trader alone is present', async () => {
    const [one, two] = [await enter(trader), await enter(agent)];
    expect(await one.type('the trader')).toBe('ok');
    await until(() => two.received.includes('the trader'));
    expect(await two.type('the agent')).toBe('ok');
    await until(() => one.received.includes('the agent'));
    expect(await one.channel.track({ side: 'trader' })).toBe('ok');
    // A trader does not learn who reads: agents are present on `chat-team:{session_id}`.
    expect(await two.channel.track({ side: 'support' })).toBe('error');
    await until(() => Object.keys(two.channel.presenceState()).length === 1);
    expect(Object.keys(two.channel.presenceState())).toEqual([trader.userId]);
  });

  test('an admin listens; impersonating staff neither type nor are present', async () => {
    const [own, listening, impersonator] = [
      await enter(trader),
      await enter(admin),
      await enter(impersonating(admin, trader)),
    ];
    expect(impersonator.answer.status).toBe('SUBSCRIBED');
    expect(await listening.type()).toBe('error');
    expect(await impersonator.type()).toBe('error');
    expect(await impersonator.channel.track({ side: 'trader' })).toBe('error');
    await own.type('myself');
    await until(() => listening.received.length === 1 && impersonator.received.length === 1);
    expect(own.received).toEqual([]);
  });

  test('by HTTP under the same rules', async () => {
    const listening = await enter(agent);
    const send = async (holder: TestUser, name: string) => {
      const response = await fetch(
        `http://127.0.0.1:${server.port}/realtime/v1/api/broadcast/${name}/events/typing`,
        {
          method: 'POST',
          headers: {
            apikey: anonKey,
            authorization: `Bearer ${tokenOf(holder)}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ by: holder.userId }),
        },
      );
      return response.status;
    };
    expect(await send(stranger, topic)).toBe(403);
    expect(await send(agent, `chat:${randomUUID()}`)).toBe(403);
    expect(await send(admin, topic)).toBe(403);
    expect(await send(impersonating(admin, trader), topic)).toBe(403);
    expect(await send(trader, topic)).toBe(202);
    await until(() => listening.received.length === 1);
    expect(listening.received).toEqual([trader.userId]);
  });
});

describe('while the join waits for the database', () => {
  test('what arrives for the topic follows it in order; other topics do not wait', async () => {
    const raw = await waiting(trader);
    const other = await server.raw();
    raw.send('1', '2', `realtime:${topic}`, 'presence', { event: 'track', payload: { side: 'trader' } });
    raw.send('1', '3', `realtime:${topic}`, 'access_token', { access_token: tokenOf(trader) });
    expect((await raw.join('presence:support', { access_token: tokenOf(trader) }, '4')).status).toBe('ok');
    expect((await other.join('prices')).status).toBe('ok');
    expect(repliesOf(raw)).toEqual(['4 ok']);
    letGo();
    await raw.reply('3');
    expect(repliesOf(raw)).toEqual(['4 ok', '1 ok', '2 ok', '3 ok']);
  });

  test('a leave ends the channel that came of it', async () => {
    const raw = await waiting(trader);
    raw.send('1', '2', `realtime:${topic}`, 'phx_leave', {});
    raw.send('1', '3', `realtime:${topic}`, 'broadcast', { event: 'typing', payload: {} });
    letGo();
    await raw.reply('3');
    expect(repliesOf(raw)).toEqual(['1 ok', '2 ok', '3 error Join the topic first.']);
    expect(server.realtime.state().channels).toBe(0);
  });

  test('a later join waits for the first and replaces it', async () => {
    const raw = await waiting(trader);
    raw.send('2', '2', `realtime:${topic}`, 'phx_join', { access_token: tokenOf(trader) });
    raw.send('2', '3', `realtime:${topic}`, 'presence', { event: 'track', payload: { side: 'trader' } });
    letGo();
    await until(() => held?.length === 1);
    expect(repliesOf(raw)).toEqual(['1 ok']);
    letGo();
    await raw.reply('3');
    expect(repliesOf(raw)).toEqual(['1 ok', '2 ok', '3 ok']);
    expect(server.realtime.state().channels).toBe(1);
  });

  test('a token of another user removes the channel', async () => {
    const raw = await waiting(trader);
    raw.send('1', '2', `realtime:${topic}`, 'access_token', { access_token: tokenOf(stranger) });
    letGo();
    expect((await raw.reply('2')).status).toBe('error');
    expect(repliesOf(raw)[0]).toBe('1 ok');
    expect(server.realtime.state().channels).toBe(0);
  });

  test('a session that ends is not let in', async () => {
    const holder = userWithRole('support');
    const raw = await waiting(holder);
    server.revoke(holder);
    letGo();
    expect((await raw.reply('1')).status).toBe('error');
  });

  test('a conversation that is deleted is not joined any more', async () => {
    const raw = await waiting(agent);
    server.announce(deletion('chat_sessions', session));
    letGo();
    expect((await raw.reply('1')).response.reason).toContain('is not open to you');
  });

  test('a closed socket leaves no state behind', async () => {
    const raw = await waiting(trader);
    raw.socket.terminate();
    await until(() => server.realtime.state().sockets === 0);
    letGo();
    await pause(20);
    expect(server.realtime.state()).toMatchObject({ sockets: 0, channels: 0 });
  });

  test('joins count as channels, and only so much waits behind one', async () => {
    await server.close();
    held = [];
    server = await startRealtime({
      limits: { channelsPerSocket: 2, waitingEvents: 2 },
      chatOwner: () => new Promise((resolve) => held?.push(() => resolve(trader.userId))),
    });
    const raw = await server.raw();
    for (const ref of ['1', '2', '3']) {
      raw.send(ref, ref, `realtime:chat:${randomUUID()}`, 'phx_join', { access_token: tokenOf(trader) });
    }
    expect((await raw.reply('3')).response.reason).toBe('At most 2 channels fit on a connection.');
    const other = await server.raw();
    other.send('1', '1', `realtime:${topic}`, 'phx_join', { access_token: tokenOf(trader) });
    for (const ref of ['2', '3', '4']) {
      other.send('1', ref, `realtime:${topic}`, 'broadcast', { event: 'typing', payload: {} });
    }
    expect((await other.reply('4')).status).toBe('error');
    letGo();
    expect((await other.reply('1')).status).toBe('ok');
  });

  test('A118: the limits of the user stop a flood of joins', async () => {
    await server.close();
    held = null;
    server = await startRealtime({
      limits: { userAttempts: { burst: 6, perSecond: 0.001 }, events: { burst: 100, perSecond: 10 } },
      chatOwner: async () => {
        questions += 1;
        return null;
      },
    });
    const raw = await server.raw();
    for (let ref = 1; ref <= 40; ref += 1) {
      raw.send(`${ref}`, `${ref}`, `realtime:chat:${randomUUID()}`, 'phx_join', {
        access_token: tokenOf(stranger),
      });
    }
    await until(() => repliesOf(raw).length === 40);
    expect(questions).toBeLessThanOrEqual(6);
    expect(repliesOf(raw).every((reply) => reply.includes('error'))).toBe(true);
  });
});

describe('when it is over', () => {
  test.each([
    ['the conversation is deleted', () => deletion('chat_sessions', session)],
    ['the account is gone', () => deletion('users', trader.userId)],
  ])('the channel ends for good when %s', async (_reason, change) => {
    const { channel, client } = await enter(agent);
    const untouched = randomUUID();
    owners.set(untouched, stranger.userId);
    const other = await enter(agent, `chat:${untouched}`);
    server.announce(change());
    await until(() => channel.state === 'closed');
    expect(client.getChannels()).toEqual([]);
    expect(other.channel.state).toBe('joined');
  });
});
