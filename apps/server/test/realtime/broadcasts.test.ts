/** Broadcasts between the devices of one user, with the unmodified client, by socket and by HTTP. */
import { type RealtimeChannel, RealtimeClient } from '@supabase/supabase-js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  anonKey,
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

let server: RealtimeServer;
beforeEach(async () => {
  server = await startRealtime();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
});

interface Received {
  readonly type: string;
  readonly event: string;
  readonly payload: unknown;
}

const trader = userWithRole('trader');

async function device(
  holder: TestUser,
  broadcast: { ack?: boolean; self?: boolean } = {},
  client?: RealtimeClient,
) {
  const connected = client ?? (await server.client(holder));
  const channel: RealtimeChannel = connected.channel(`user:${holder.userId}`, { config: { broadcast } });
  const received: Received[] = [];
  channel.on('broadcast', { event: '*' }, (message) => received.push(message as unknown as Received));
  expect((await subscribed(channel)).status).toBe('SUBSCRIBED');
  const send = (event: string, payload: unknown = {}) => channel.send({ type: 'broadcast', event, payload });
  return { client: connected, channel, received, send };
}

/** A device that speaks the older protocol, whose broadcasts are text. */
async function olderDevice(holder: TestUser) {
  const client = new RealtimeClient(server.url, { params: { apikey: anonKey }, vsn: '1.0.0' });
  await client.setAuth(tokenOf(holder));
  return device(holder, { ack: true }, client);
}

describe('on the socket', () => {
  test('reaches the user’s other devices, in both protocol versions, and not the sender', async () => {
    const [one, two, older] = [await device(trader), await device(trader), await olderDevice(trader)];
    await one.send('theme_changed', { theme: 'dark', name: 'ü' });
    const message = { type: 'broadcast', event: 'theme_changed', payload: { theme: 'dark', name: 'ü' } };
    await until(() => two.received.length === 1 && older.received.length === 1);
    expect([two.received[0], older.received[0]]).toEqual([message, message]);
    expect(await older.send('read', [1])).toBe('ok');
    await until(() => one.received.length === 1 && two.received.length === 2);
    expect(one.received[0]).toEqual({ type: 'broadcast', event: 'read', payload: [1] });
    await older.client.disconnect();
  });

  test('the sender receives its own broadcast and a reply only on request', async () => {
    const self = await device(trader, { self: true, ack: true });
    expect(await self.send('ping_me')).toBe('ok');
    await until(() => self.received.length === 1);
  });

  test('bytes arrive as bytes', async () => {
    const [one, two, older] = [await device(trader), await device(trader), await olderDevice(trader)];
    await one.send('sketch', new Uint8Array([0, 255, 7]).buffer);
    await until(() => two.received.length === 1);
    expect(new Uint8Array(two.received[0]?.payload as ArrayBuffer)).toEqual(new Uint8Array([0, 255, 7]));
    expect(older.received).toEqual([]);
    await older.client.disconnect();
  });

  test('never reaches anybody else', async () => {
    const [mine, other] = [await device(trader), await device(userWithRole('trader'))];
    const foreign = mine.client.channel(`user:${userWithRole('trader').userId}`);
    expect((await subscribed(foreign)).status).toBe('CHANNEL_ERROR');
    await mine.send('hello');
    await pause(100);
    expect(other.received).toEqual([]);
  });
});

describe('a client cannot pass for the server', () => {
  test.each([
    'tick',
    'TICK',
    'system',
    'presence_diff',
    'presence_state',
    'postgres_changes',
    'insert',
    'INSERT',
    'phx_error',
    'access_token',
    'with space',
    '*',
    '',
    'x'.repeat(33),
  ])('with the event name %j', async (event) => {
    const [one, two] = [await device(trader, { ack: true }), await device(trader)];
    expect(await one.send(event, { ticks: [] })).toBe('error');
    await pause(20);
    expect(two.received).toEqual([]);
  });

  test('with keys beside the payload', async () => {
    const [raw, two] = [await server.raw(), await server.raw()];
    const payload = { access_token: tokenOf(trader), config: { broadcast: { ack: true } } };
    for (const socket of [raw, two]) await socket.join(`user:${trader.userId}`, payload);
    raw.send('1', '2', `realtime:user:${trader.userId}`, 'broadcast', {
      type: 'postgres_changes',
      event: 'hello',
      payload: { n: 1 },
      ids: [1],
      data: { type: 'INSERT', table: 'wallets' },
      meta: { replayed: true },
    });
    expect((await raw.reply('2')).status).toBe('ok');
    const frame = await until(() => two.frames.find((candidate) => candidate[3] === 'broadcast'));
    expect(frame[4]).toEqual({ type: 'broadcast', event: 'hello', payload: { n: 1 } });
  });

  test.each(['postgres_changes', 'system', 'presence_diff', 'phx_error', 'phx_close', 'tick'])(
    'with a frame %s',
    async (event) => {
      const [raw, two] = [await server.raw(), await server.raw()];
      for (const socket of [raw, two]) {
        await socket.join(`user:${trader.userId}`, { access_token: tokenOf(trader) });
      }
      raw.send('1', '2', `realtime:user:${trader.userId}`, event, { ids: [1], data: {} });
      expect((await raw.reply('2')).response.reason).toBe(`This topic takes no ${event} from clients.`);
      expect(two.frames).toHaveLength(1);
    },
  );

  test('on a price topic, which accepts no broadcasts', async () => {
    const client = await server.client(trader);
    const channel = client.channel('prices:BTCUSDT', { config: { broadcast: { ack: true } } });
    await subscribed(channel);
    expect(await channel.send({ type: 'broadcast', event: 'hello', payload: {} })).toBe('error');
  });
});

describe('what is refused', () => {
  test('every broadcast during an impersonation', async () => {
    const own = await device(trader);
    const impersonator = await device(impersonating(userWithRole('admin'), trader), { ack: true });
    expect(await impersonator.send('hello')).toBe('error');
    await pause(50);
    expect(own.received).toEqual([]);
    await own.send('hello');
    await until(() => impersonator.received.length === 1);
  });

  test('a payload that is too large; the channel stays', async () => {
    const [one, two] = [await device(trader, { ack: true }), await device(trader)];
    expect(await one.send('large', 'x'.repeat(9_000))).toBe('error');
    expect(await one.send('large', new ArrayBuffer(9_000))).toBe('error');
    expect(await one.send('small', 'x'.repeat(8_000))).toBe('ok');
    await until(() => two.received.length === 1);
  });

  test('storing broadcasts, and replaying stored ones', async () => {
    const client = await server.client(trader);
    const topic = `user:${trader.userId}`;
    const replaying = client.channel(topic, {
      config: { private: true, broadcast: { replay: { since: 0 } } },
    });
    expect((await subscribed(replaying)).reason).toBe('Broadcasts are not stored: omit replay.');
    await client.removeChannel(replaying);
    const channel = client.channel(topic, { config: { private: true, broadcast: { ack: true } } });
    await subscribed(channel);
    expect(await channel.send({ type: 'broadcast', event: 'hello', payload: {}, persist: true })).toBe(
      'error',
    );
  });

  test('CALL-14: more than 10 events a second of a socket', async () => {
    const [one, two] = [await device(trader, { ack: true }), await device(trader)];
    const answers = await Promise.all(Array.from({ length: 45 }, (_, n) => one.send('burst', n)));
    expect(answers.filter((answer) => answer === 'ok').length).toBeLessThanOrEqual(30);
    expect(answers).toContain('error');
    await until(() => two.received.length === answers.filter((answer) => answer === 'ok').length);
  });
});

describe('by HTTP', () => {
  test('send() of a channel that is not joined arrives', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const two = await device(trader);
    const channel = (await server.client(trader)).channel(`user:${trader.userId}`);
    expect(await channel.send({ type: 'broadcast', event: 'hello', payload: { n: 1 } })).toBe('ok');
    await until(() => two.received.length === 1);
    expect(two.received[0]).toEqual({ type: 'broadcast', event: 'hello', payload: { n: 1 } });
  });

  test('httpSend() arrives, as JSON and as bytes', async () => {
    const two = await device(trader);
    const channel = (await server.client(trader)).channel(`user:${trader.userId}`);
    expect(await channel.httpSend('hello', { n: 1 })).toEqual({ success: true });
    expect(await channel.httpSend('sketch', new Uint8Array([1, 2]))).toEqual({ success: true });
    await until(() => two.received.length === 2);
    expect(two.received[0]?.payload).toEqual({ n: 1 });
    expect(new Uint8Array(two.received[1]?.payload as ArrayBuffer)).toEqual(new Uint8Array([1, 2]));
  });

  test('the rules are those of the socket, and the client receives the reason', async () => {
    const two = await device(trader);
    const channelOf = async (holder?: TestUser, topic = `user:${trader.userId}`) =>
      (await server.client(holder)).channel(topic);
    const impersonator = impersonating(userWithRole('admin'), trader);
    await expect((await channelOf()).httpSend('hello', {})).rejects.toThrow('Auth session missing!');
    await expect((await channelOf(userWithRole('admin'))).httpSend('hello', {})).rejects.toThrow(
      /not open to you/,
    );
    await expect((await channelOf(impersonator)).httpSend('hello', {})).rejects.toThrow(
      /impersonating a user/,
    );
    await expect((await channelOf(trader)).httpSend('tick', {})).rejects.toThrow(/not open to clients/);
    await expect((await channelOf(trader)).httpSend('big', 'x'.repeat(9_000))).rejects.toThrow(
      /at most 8192 bytes/,
    );
    await expect((await channelOf(trader, 'prices')).httpSend('hello', {})).rejects.toThrow(
      'This topic takes no broadcast from clients.',
    );
    await pause(50);
    expect(two.received).toEqual([]);
  });

  test('a request sends all of its messages or none', async () => {
    const two = await device(trader);
    const post = (messages: unknown) =>
      fetch(`http://127.0.0.1:${server.port}/realtime/v1/api/broadcast`, {
        method: 'POST',
        headers: {
          apikey: anonKey,
          authorization: `Bearer ${tokenOf(trader)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ messages }),
      });
    const topic = `user:${trader.userId}`;
    const good = { topic, event: 'hello', payload: 1 };
    expect((await post([good, { ...good, event: 'tick' }])).status).toBe(400);
    expect((await post([good, { ...good, topic: 'prices' }])).status).toBe(403);
    expect((await post([])).status).toBe(400);
    expect((await post(Array.from({ length: 11 }, () => good))).status).toBe(400);
    expect((await post('x')).status).toBe(400);
    expect((await post([good, good])).status).toBe(202);
    await until(() => two.received.length === 2);
  });

  test('CALL-14, A118: a user sends at most their share', async () => {
    await server.close();
    server = await startRealtime({ limits: { userAttempts: { burst: 2, perSecond: 0.001 } } });
    const channel = (await server.client(trader)).channel(`user:${trader.userId}`);
    await channel.httpSend('hello', {});
    await channel.httpSend('hello', {});
    await expect(channel.httpSend('hello', {})).rejects.toThrow('Too many broadcasts.');
  });
});
