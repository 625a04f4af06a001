/** A68: presence of support agents, by their sockets and not by their last choice. */
import { dayMs, minuteMs } from '@fulcrum/domain';
import { RealtimeClient } from '@supabase/supabase-js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { startTestServer, type TestServer } from '../harness/index.ts';
import { createManualTimers, type ManualTimers } from '../harness/manual-timers.ts';
import { pause, subscribed, until } from '../realtime/realtime-server.ts';
import { type Member, member, storeConversation } from './conversations.ts';

let server: TestServer;
let timers: ManualTimers;

beforeEach(async () => {
  timers = createManualTimers(Date.now());
  server = await startTestServer({ timers });
});
afterEach(async () => {
  for (const client of consoles) await client.disconnect();
  consoles.clear();
  await server.close();
});

async function choose(agent: Member, status: string) {
  const answer = await agent.client
    .from('support_details')
    .update({ status })
    .eq('user_id', agent.id)
    .select('user_id, status');
  if (answer.error) throw answer.error;
  return answer.data;
}

/** A console of the agent: a socket of its own on which they are present. */
interface Console {
  /** The socket goes without a word. */
  close(): Promise<void>;
}

const consoles = new Set<RealtimeClient>();
async function open(agent: Member, status = 'available'): Promise<Console> {
  const client = new RealtimeClient(`${server.url.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: server.anonKey },
  });
  consoles.add(client);
  const { data } = await agent.client.auth.getSession();
  await client.setAuth(data.session!.access_token);
  const channel = client.channel('presence:support');
  channel.on('presence', { event: 'sync' }, () => {});
  expect((await subscribed(channel)).status).toBe('SUBSCRIBED');
  expect(await channel.track({ status })).toBe('ok');
  return {
    async close() {
      const before = await sockets();
      await client.disconnect();
      for (let tries = 0; (await sockets()) >= before && tries < 400; tries += 1) await pause(10);
    },
  };
}

async function sockets(): Promise<number> {
  const health = (await (await fetch(`${server.url}/health`)).json()) as { realtime: { sockets: number } };
  return health.realtime.sockets;
}

async function stored(agent: Member): Promise<string | undefined> {
  const { rows } = await server.db.query<{ status: string }>(
    'select status from app.support_details where user_id = $1',
    [agent.id],
  );
  return rows[0]?.status;
}

async function supportStatus(trader: Member) {
  const { data, error } = await trader.client.rpc('get_support_presence');
  if (error) throw error;
  return data;
}

async function becomes(agent: Member, status: string): Promise<void> {
  await eventually(async () => expect(await stored(agent)).toBe(status));
}

describe('what an agent chooses', () => {
  test('CALL-79, CHAT-25: is their own, of the list, and announced', async () => {
    const [agent, other, admin] = [
      await member(server, 'support'),
      await member(server, 'support'),
      await member(server, 'admin'),
    ];
    const received: unknown[] = [];
    await admin.client.realtime.setAuth();
    const channel = admin.client
      .channel(`user:${admin.id}`)
      .on('postgres_changes', { event: '*', schema: 'public', table: 'support_details' }, (change) =>
        received.push(change.new),
      );
    await new Promise<void>((resolve) => channel.subscribe((status) => status === 'SUBSCRIBED' && resolve()));
    expect(await choose(agent, 'busy')).toEqual([{ user_id: agent.id, status: 'busy' }]);
    await until(() => received.length === 1);
    expect(received[0]).toMatchObject({
      user_id: agent.id,
      status: 'busy',
      level: 'Agent',
      workingHours: { start: '09:00', end: '17:00', timezone: 'UTC' },
    });
    await choose(agent, 'busy');
    const foreign = await other.client
      .from('support_details')
      .update({ status: 'offline' })
      .eq('user_id', agent.id)
      .select();
    expect(foreign.data ?? []).toEqual([]);
    const wrong = await agent.client
      .from('support_details')
      .update({ status: 'asleep' })
      .eq('user_id', agent.id);
    expect(wrong.status).toBe(400);
    const byAdmin = await admin.client
      .from('support_details')
      .update({ status: 'offline' })
      .eq('user_id', agent.id);
    expect(byAdmin.status).toBe(403);
    expect(await stored(agent)).toBe('busy');
    expect(received).toHaveLength(1);
  });

  test('A68: does not hold for more than a minute without a socket', async () => {
    const agent = await member(server, 'support');
    await choose(agent, 'available');
    await timers.advance(59_000);
    expect(await stored(agent)).toBe('available');
    await timers.advance(1_000);
    await becomes(agent, 'offline');
  });
});

describe('a socket that closes', () => {
  test('CHAT-33: makes the agent offline after a minute, and busy stays busy when it reconnects before', async () => {
    const [agent, trader] = [await member(server, 'support'), await member(server, 'trader')];
    const first = await open(agent, 'busy');
    await choose(agent, 'busy');
    expect(await supportStatus(trader)).toMatchObject({
      status: 'busy',
      agents: [{ username: agent.username, status: 'busy' }],
    });
    await first.close();
    await timers.advance(30_000);
    expect(await supportStatus(trader)).toMatchObject({ status: 'busy' });
    const second = await open(agent, 'busy');
    await timers.advance(45_000);
    expect(await stored(agent)).toBe('busy');
    await second.close();
    await timers.advance(60_000);
    await becomes(agent, 'offline');
    expect(await supportStatus(trader)).toMatchObject({ status: 'offline', agents: [] });
  });

  test('counts only when it was the last one', async () => {
    const agent = await member(server, 'support');
    const first = await open(agent);
    await choose(agent, 'available');
    await open(agent);
    await first.close();
    await timers.advance(60_000);
    expect(await stored(agent)).toBe('available');
  });

  test('also when the server was restarted meanwhile', async () => {
    const [gone, back] = [await member(server, 'support'), await member(server, 'support')];
    for (const agent of [gone, back]) {
      const opened = await open(agent);
      await choose(agent, 'available');
      await opened.close();
    }
    await server.restart();
    expect(await stored(gone)).toBe('available');
    await open(back);
    await timers.advance(60_000);
    await becomes(gone, 'offline');
    expect(await stored(back)).toBe('available');
  });
});

describe('a session that ends', () => {
  test('CHAT-26: makes the agent offline at once', async () => {
    const agent = await member(server, 'support');
    await open(agent);
    await choose(agent, 'available');
    await agent.client.auth.signOut({ scope: 'global' });
    await becomes(agent, 'offline');
  });

  test('unless another one stays open', async () => {
    const agent = await member(server, 'support');
    const second = server.client();
    const { error } = await second.auth.signInWithPassword({
      email: agent.email,
      password: 'correct-horse-battery-9',
    });
    expect(error).toBeNull();
    await choose(agent, 'busy');
    await open(agent, 'busy');
    await second.auth.signOut({ scope: 'local' });
    await timers.advance(1_000);
    expect(await stored(agent)).toBe('busy');
  });

  test('A70: its row is deleted with the role, and returns with it', async () => {
    const [agent, admin, trader] = [
      await member(server, 'support'),
      await member(server, 'admin'),
      await member(server, 'trader'),
    ];
    await open(agent);
    await choose(agent, 'available');
    const as = async (new_role: string) => {
      const { error } = await admin.client.rpc('safe_update_user_profile', {
        user_id: agent.id,
        new_role,
      });
      expect(error).toBeNull();
    };
    await as('trader');
    expect(await stored(agent)).toBeUndefined();
    expect(await supportStatus(trader)).toMatchObject({ status: 'offline', agents: [] });
    await as('support');
    expect(await stored(agent)).toBe('offline');
  });
});

describe('the trader’s view', () => {
  test('available before busy, by name, and only to traders', async () => {
    const [one, two, away, trader] = [
      await member(server, 'support'),
      await member(server, 'support'),
      await member(server, 'support'),
      await member(server, 'trader'),
    ];
    await open(one, 'busy');
    await choose(one, 'busy');
    await open(two);
    await choose(two, 'available');
    await open(away, 'offline');
    expect(await supportStatus(trader)).toMatchObject({
      status: 'available',
      agents: [
        { username: two.username, status: 'available' },
        { username: one.username, status: 'busy' },
      ],
    });
    expect((await one.client.rpc('get_support_presence')).status).toBe(403);
  });

  test('the typical first response: the median of 30 days, and its number of responses', async () => {
    const [agent, trader] = [await member(server, 'support'), await member(server, 'trader')];
    expect(await supportStatus(trader)).toMatchObject({ typical_first_response_s: null, n: 0 });
    for (const [ago, wait] of [
      [1 * dayMs, 2 * minuteMs],
      [5 * dayMs, 4 * minuteMs],
      [29 * dayMs, 30 * minuteMs],
      [31 * dayMs, 90 * minuteMs],
    ] as const) {
      const requestedAt = timers.now() - ago;
      const { userId } = await server.signUpTrader();
      await storeConversation(server.db, {
        userId,
        messages: [
          { at: new Date(requestedAt), agent: null },
          { at: new Date(requestedAt + wait), agent: agent.id },
        ],
      });
    }
    await timers.advance(60_000);
    expect(await supportStatus(trader)).toMatchObject({ typical_first_response_s: 240, n: 3 });
  });
});
