/** Presence with the unmodified client: users appear to all subscribers of the topic, and disappear when they leave. */
import type { RealtimeChannel } from '@supabase/supabase-js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../src/platform/clock/index.ts';
import {
  impersonating,
  pause,
  type RealtimeServer,
  startRealtime,
  subscribed,
  type TestUser,
  tokenOf,
  until,
  userWithRole,
} from './realtime-server.ts';

const topic = 'presence:support';
const available = { status: 'available' };

let server: RealtimeServer;
beforeEach(async () => {
  server = await startRealtime();
});
afterEach(() => server.close());

/** Joins the topic as `holder` with a listener for presence; `events` are the joins and leaves it was told. */
async function enter(holder: TestUser, key = 'a-key-of-my-own') {
  const client = await server.client(holder);
  const events: string[] = [];
  const channel = client.channel(topic, { config: { presence: { key } } });
  channel.on('presence', { event: 'join' }, ({ key: id }) => events.push(`join ${id}`));
  channel.on('presence', { event: 'leave' }, ({ key: id }) => events.push(`leave ${id}`));
  expect((await subscribed(channel)).status).toBe('SUBSCRIBED');
  return { client, channel, events };
}

const statesOf = (channel: RealtimeChannel, { userId }: TestUser) =>
  channel.presenceState<{ status: string }>()[userId]?.map(({ status }) => status);

describe('joining presences', () => {
  const [agent, second, trader] = [userWithRole('support'), userWithRole('support'), userWithRole('trader')];

  test('an agent is present under its user id, whatever key it requests, and all subscribers see it', async () => {
    const own = await enter(agent);
    const observer = await enter(trader);
    expect(await own.channel.track(available)).toBe('ok');
    await until(() => statesOf(observer.channel, agent));
    expect(Object.keys(observer.channel.presenceState())).toEqual([agent.userId]);
    expect(statesOf(observer.channel, agent)).toEqual(['available']);
    expect(observer.events).toEqual([`join ${agent.userId}`]);
    await until(() => statesOf(own.channel, agent));
  });

  test('a later subscriber gets the present state at once', async () => {
    const own = await enter(agent);
    await own.channel.track({ status: 'busy' });
    await until(() => statesOf(own.channel, agent));
    const observer = await enter(trader);
    await until(() => statesOf(observer.channel, agent)?.[0] === 'busy');
  });

  test('a new status replaces the old one', async () => {
    const own = await enter(agent);
    const observer = await enter(trader);
    await own.channel.track(available);
    await until(() => statesOf(observer.channel, agent));
    await own.channel.track({ status: 'offline' });
    await until(() => statesOf(observer.channel, agent)?.[0] === 'offline');
    expect(statesOf(observer.channel, agent)).toEqual(['offline']);
  });

  test('two tabs of a user are two presences of one key; the user leaves with the last', async () => {
    const [one, two, observer] = [await enter(agent), await enter(agent), await enter(trader)];
    await one.channel.track(available);
    await two.channel.track({ status: 'busy' });
    await until(() => statesOf(observer.channel, agent)?.length === 2);
    await one.client.removeChannel(one.channel);
    await until(() => statesOf(observer.channel, agent)?.length === 1);
    expect(statesOf(observer.channel, agent)).toEqual(['busy']);
    await two.channel.untrack();
    await until(() => !statesOf(observer.channel, agent));
  });

  test('changes of one beat travel in one diff, and what came and went in between in none', async () => {
    const observer = await server.raw();
    await observer.join(topic, { access_token: tokenOf(trader), config: { presence: { enabled: true } } });
    const [one, two, fleeting] = [
      await enter(agent),
      await enter(second),
      await enter(userWithRole('support')),
    ];
    const diffs = () => observer.frames.filter((frame) => frame[3] === 'presence_diff');
    await pause(300);
    await Promise.all([one.channel.track(available), two.channel.track(available)]);
    await until(() => {
      const joined = diffs().flatMap((frame) => Object.keys(frame[4].joins));
      return joined.length === 2 && joined;
    });
    expect(diffs().length).toBeLessThanOrEqual(2);
    const before = diffs().length;
    await Promise.all([fleeting.channel.track(available), fleeting.channel.untrack()]);
    await pause(600);
    await until(() => (diffs().length - before) % 2 === 0);
    // At most a beat fell between the two; then there is one diff for each.
    expect([0, 2]).toContain(diffs().length - before);
  });

  test('frames carry the ref of the join, so that none of an earlier one reaches a later one', async () => {
    const observer = await server.raw();
    const config = { presence: { enabled: true } };
    await observer.join(topic, { access_token: tokenOf(trader), config }, '7');
    const own = await enter(agent);
    await own.channel.track(available);
    await until(() => observer.frames.some((frame) => frame[3] === 'presence_diff'));
    const refs = observer.frames.filter((frame) => frame[3].startsWith('presence_')).map(([ref]) => ref);
    expect(refs).toEqual(['7', '7']);
  });
});

describe('leaving presences', () => {
  const [agent, trader] = [userWithRole('support'), userWithRole('trader')];

  async function tracked() {
    const own = await enter(agent);
    const observer = await enter(trader);
    await own.channel.track(available);
    await until(() => statesOf(observer.channel, agent));
    return { own, observer };
  }

  test('after it left the channel', async () => {
    const { own, observer } = await tracked();
    await own.channel.unsubscribe();
    await until(() => observer.events.includes(`leave ${agent.userId}`));
  });

  test('after its socket closed', async () => {
    const { own, observer } = await tracked();
    await own.client.disconnect();
    await until(() => !statesOf(observer.channel, agent));
  });

  test('after its session ended', async () => {
    const { observer } = await tracked();
    server.revoke(agent);
    await until(() => !statesOf(observer.channel, agent));
  });

  test('after a token of another user arrived on its channel', async () => {
    const { own, observer } = await tracked();
    await own.client.setAuth(tokenOf(userWithRole('support')));
    await until(() => !statesOf(observer.channel, agent));
    expect(own.channel.state).toBe('joined');
  });

  test('CALL-11: after 60 s of silence, even without an answer to the close', async () => {
    await server.close();
    const clock = createManualClock(Date.now());
    server = await startRealtime({ clock });
    const dead = await server.raw();
    await dead.join(topic, { access_token: tokenOf(agent, clock.now() + 900_000) });
    dead.send('1', '2', `realtime:${topic}`, 'presence', { event: 'track', payload: available });
    expect((await dead.reply('2')).status).toBe('ok');
    // Reads nothing any more, so it will not answer the close either.
    dead.socket.pause();
    clock.advance(45_000);
    const client = await server.client(trader, tokenOf(trader, clock.now() + 900_000));
    const channel = client.channel(topic).on('presence', { event: 'sync' }, () => {});
    await subscribed(channel);
    await until(() => statesOf(channel, agent));
    clock.advance(16_000);
    await until(() => !statesOf(channel, agent));
  });
});

describe('permission to announce', () => {
  test('only the roles that the topic names', async () => {
    for (const holder of [userWithRole('trader'), userWithRole('manager'), userWithRole('admin')]) {
      const { channel } = await enter(holder);
      expect(await channel.track(available)).toBe('error');
      expect(channel.presenceState()).toEqual({});
    }
  });

  test('an impersonating caller', async () => {
    const [admin, agent] = [userWithRole('admin'), userWithRole('support')];
    const { channel } = await enter(impersonating(admin, agent));
    expect(await channel.track(available)).toBe('error');
    const raw = await server.raw();
    await raw.join(topic, { access_token: tokenOf(impersonating(admin, agent)) });
    raw.send('1', '2', `realtime:${topic}`, 'presence', { event: 'track', payload: available });
    expect((await raw.reply('2')).response.reason).toBe('This is not possible while impersonating a user.');
  });

  test('keys outside the topic’s schema', async () => {
    const { channel } = await enter(userWithRole('support'));
    for (const payload of [{}, { status: 'asleep' }, { ...available, note: 'x' }, { phx_ref: '1' }]) {
      expect(await channel.track(payload)).toBe('error');
    }
    expect(await channel.track(available)).toBe('ok');
  });

  test('at most so many tabs of a user, and so many on a topic', async () => {
    await server.close();
    server = await startRealtime({ limits: { presencesPerUser: 2, presencesPerTopic: 3 } });
    const agent = userWithRole('support');
    const outcomes: string[] = [];
    for (const holder of [agent, agent, agent, userWithRole('support'), userWithRole('support')]) {
      outcomes.push(await (await enter(holder)).channel.track(available));
    }
    expect(outcomes).toEqual(['ok', 'ok', 'error', 'ok', 'error']);
  });
});

test('a topic without presence can be subscribed to: its state is empty', async () => {
  const client = await server.client(userWithRole('support'));
  const synced: object[] = [];
  const channel = client.channel('prices', { config: { presence: { enabled: true } } });
  channel.on('presence', { event: 'sync' }, () => synced.push(channel.presenceState()));
  expect(await subscribed(channel)).toEqual({ status: 'SUBSCRIBED' });
  await until(() => synced.length === 1);
  expect(synced).toEqual([{}]);
  expect(await channel.track(available)).toBe('error');
});
