import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { RealtimeClient } from '@supabase/supabase-js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../src/platform/clock/index.ts';
import {
  anonKey,
  pause,
  type RealtimeServer,
  startRealtime,
  subscribed,
  tokenOf,
  until,
  userWithRole,
} from './realtime-server.ts';

let server: RealtimeServer;
beforeEach(async () => {
  server = await startRealtime();
});
afterEach(() => server.close());

/** The status of an upgrade, 101 when it succeeded. */
function upgradeStatus(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const upgrade = request({
      port: server.port,
      path,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    });
    upgrade.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode);
    });
    upgrade.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    upgrade.on('error', reject);
    upgrade.end();
  });
}

describe('the handshake', () => {
  const path = '/realtime/v1/websocket';

  test('CALL-10, CALL-02: the websocket is at /realtime/v1/websocket and opens with the public key only', async () => {
    expect(await upgradeStatus(`${path}?apikey=${anonKey}&vsn=2.0.0`)).toBe(101);
    expect(await upgradeStatus(`${path}?apikey=wrong&vsn=2.0.0`)).toBe(401);
    expect(await upgradeStatus(`${path}?vsn=2.0.0`)).toBe(400);
    expect(await upgradeStatus(`${path}?apikey=${anonKey}&vsn=3.0.0`)).toBe(400);
    expect(await upgradeStatus(`/elsewhere?apikey=${anonKey}&vsn=2.0.0`)).toBe(404);
    await until(() => server.realtime.state().sockets === 0);
  });

  test('only its own address leaves HTTP: an unread long response elsewhere does not delay a stop', async () => {
    await server.close();
    server = await startRealtime({
      routes: (app) => app.get('/long', () => 'x'.repeat(20_000_000)),
    });
    const socket = connect(server.port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('GET /long HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await once(socket, 'readable');
    // As the server's drain does it.
    const closing = server.app.close();
    server.app.server.closeAllConnections();
    await closing;
    socket.destroy();
  });

  test('CALL-10: a plain request is answered 426', async () => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}?apikey=${anonKey}`);
    expect(answer.status).toBe(426);
  });

  test('CALL-10: a broken upgrade is refused and leaves no state behind', async () => {
    const status = await new Promise((resolve) => {
      const upgrade = request({
        port: server.port,
        path: `${path}?apikey=${anonKey}&vsn=2.0.0`,
        headers: { connection: 'Upgrade', upgrade: 'websocket' },
      });
      upgrade.on('response', (response) => resolve(response.statusCode));
      upgrade.end();
    });
    expect(status).toBe(400);
    expect(server.realtime.state().sockets).toBe(0);
  });
});

describe('permission to join', () => {
  const trader = userWithRole('trader');

  test('anybody joins prices', async () => {
    const anonymous = await server.client();
    const channel = anonymous.channel('prices');
    expect(await subscribed(channel)).toEqual({ status: 'SUBSCRIBED' });
    expect(channel.state).toBe('joined');
  });

  test('the public key as a token is a caller without a session', async () => {
    const client = await server.client(undefined, anonKey);
    expect((await subscribed(client.channel('prices'))).status).toBe('SUBSCRIBED');
    const channel = client.channel('prices:BTCUSDT');
    expect(await subscribed(channel)).toEqual({
      status: 'CHANNEL_ERROR',
      reason: 'Auth session missing!',
    });
    expect(channel.state).toBe('errored');
  });

  test('prices of one symbol need a session', async () => {
    const anonymous = await server.client();
    expect((await subscribed(anonymous.channel('prices:BTCUSDT'))).status).toBe('CHANNEL_ERROR');
    const client = await server.client(trader);
    expect((await subscribed(client.channel('prices:BTC/USD'))).status).toBe('SUBSCRIBED');
  });

  test('an account topic is open to its owner only, whatever the role', async () => {
    const own = await server.client(trader);
    expect((await subscribed(own.channel(`user:${trader.userId}`))).status).toBe('SUBSCRIBED');
    for (const other of [
      userWithRole('trader'),
      userWithRole('manager'),
      userWithRole('support'),
      userWithRole('admin'),
    ]) {
      const client = await server.client(other);
      const answer = await subscribed(client.channel(`user:${trader.userId}`));
      expect(answer).toEqual({
        status: 'CHANNEL_ERROR',
        reason: `user:${trader.userId} is not open to you.`,
      });
    }
    expect((await subscribed((await server.client()).channel(`user:${trader.userId}`))).status).toBe(
      'CHANNEL_ERROR',
    );
  });

  test('a topic that the contract does not declare cannot be joined', async () => {
    const client = await server.client(userWithRole('admin'));
    for (const topic of ['room', 'prices:', 'prices:btc', 'user:me', '']) {
      expect((await subscribed(client.channel(topic))).reason).toBe(`There is no topic ${topic}.`);
    }
    const raw = await server.raw();
    raw.send('1', '1', 'prices', 'phx_join', {});
    expect((await raw.reply('1')).response.reason).toBe('There is no topic prices.');
  });

  test('a private join without a session is refused, and the client heals once it has one', async () => {
    const client = await server.client();
    const statuses: string[] = [];
    client.channel('prices', { config: { private: true } }).subscribe((status) => statuses.push(status));
    await until(() => statuses.includes('CHANNEL_ERROR'));
    await client.setAuth(tokenOf(trader));
    await until(() => statuses.includes('SUBSCRIBED'));
  });

  test('a forged or expired token joins no topic', async () => {
    const expired = tokenOf(trader, Date.now() - 1000);
    const client = await server.client(trader, expired);
    expect(await subscribed(client.channel('prices'))).toEqual({
      status: 'CHANNEL_ERROR',
      reason: 'JWT expired',
    });
    const forged = await server.client(trader, 'not-a-token');
    expect((await subscribed(forged.channel('prices'))).reason).toBe('An unexpected error occurred');
  });
});

describe('a joined channel', () => {
  const trader = userWithRole('trader');

  test('CALL-11: heartbeats are answered', async () => {
    const client = await server.client();
    const beats: string[] = [];
    client.onHeartbeat((status) => beats.push(status));
    expect((await subscribed(client.channel('prices'))).status).toBe('SUBSCRIBED');
    await client.sendHeartbeat();
    await until(() => beats.includes('ok'));
  });

  test('CALL-12: a channel is joining, joined, errored, joined again, and closed once it was left', async () => {
    const client = await server.client(trader);
    const channel = client.channel(`user:${trader.userId}`);
    const first = subscribed(channel);
    expect(channel.state).toBe('joining');
    await first;
    expect(channel.state).toBe('joined');
    expect(server.realtime.state().channels).toBe(1);
    await client.setAuth(tokenOf(userWithRole('trader')));
    await until(() => channel.state === 'errored');
    await until(() => server.realtime.state().channels === 0);
    await client.setAuth(tokenOf(trader));
    await until(() => channel.state === 'joined');
    await channel.unsubscribe();
    expect(channel.state).toBe('closed');
    await until(() => server.realtime.state().channels === 0);
  });

  test('after leaving, the topic can be joined again', async () => {
    const client = await server.client();
    const channel = client.channel('prices');
    await subscribed(channel);
    expect(await channel.unsubscribe()).toBe('ok');
    expect((await subscribed(client.channel('prices'))).status).toBe('SUBSCRIBED');
  });

  test('a leave of an earlier join does not end the present one', async () => {
    const raw = await server.raw();
    await raw.join('prices', {}, '1');
    await raw.join('prices', {}, '2');
    expect(server.realtime.state().channels).toBe(1);
    raw.send('1', '3', 'realtime:prices', 'phx_leave', {});
    expect((await raw.reply('3')).status).toBe('ok');
    expect(server.realtime.state().channels).toBe(1);
  });

  test('the end of a token ends the channel, and a new token restores it', async () => {
    const clock = createManualClock(Date.now());
    await server.close();
    server = await startRealtime({ clock });
    const client = await server.client(trader, tokenOf(trader, clock.now() + 60_000));
    const channel = client.channel(`user:${trader.userId}`);
    const statuses: string[] = [];
    channel.subscribe((status) => statuses.push(status));
    await until(() => statuses.includes('SUBSCRIBED'));
    clock.advance(59_000);
    await pause(1_100);
    expect(channel.state).toBe('joined');
    clock.advance(2_000);
    await until(() => statuses.includes('CHANNEL_ERROR'));
    await until(() => server.realtime.state().channels === 0);
    await client.setAuth(tokenOf(trader, clock.now() + 60_000));
    await until(() => statuses.at(-1) === 'SUBSCRIBED');
  });

  test('a fresh token in time preserves the channel', async () => {
    const clock = createManualClock(Date.now());
    await server.close();
    server = await startRealtime({ clock });
    const client = await server.client(trader, tokenOf(trader, clock.now() + 10_000));
    const channel = client.channel(`user:${trader.userId}`);
    const statuses: string[] = [];
    channel.subscribe((status) => statuses.push(status));
    await until(() => statuses.includes('SUBSCRIBED'));
    await client.setAuth(tokenOf(trader, clock.now() + 50_000));
    // Frames are taken in their order: the token has arrived when this one is answered.
    expect((await subscribed(client.channel('prices'))).status).toBe('SUBSCRIBED');
    clock.advance(20_000);
    await pause(1_100);
    expect(statuses).toEqual(['SUBSCRIBED']);
  });

  test('a token of another user ends the channel of the first user', async () => {
    const client = await server.client(trader);
    const channel = client.channel(`user:${trader.userId}`);
    const statuses: string[] = [];
    channel.subscribe((status) => statuses.push(status));
    await until(() => statuses.includes('SUBSCRIBED'));
    await client.setAuth(tokenOf(userWithRole('trader')));
    await until(() => statuses.includes('CHANNEL_ERROR'));
    expect(server.realtime.state().channels).toBe(0);
  });

  test('a revoked session loses its channels at once, and only its own', async () => {
    const other = userWithRole('trader');
    const [mine, theirs] = [await server.raw(), await server.raw()];
    await mine.join(`user:${trader.userId}`, { access_token: tokenOf(trader) });
    await theirs.join(`user:${other.userId}`, { access_token: tokenOf(other) });
    server.revoke(trader);
    const failed = await until(() => mine.frames.find((frame) => frame[3] === 'phx_error'));
    expect(failed).toEqual([
      '1',
      '1',
      `realtime:user:${trader.userId}`,
      'phx_error',
      { reason: 'The session has ended.' },
    ]);
    expect(server.realtime.state().channels).toBe(1);
    const again = await mine.join(`user:${trader.userId}`, { access_token: tokenOf(trader) }, '2');
    expect(again.response.reason).toBe('JWT expired');
  });

  test('what clients send into a price topic is refused', async () => {
    const client = await server.client(trader);
    const channel = client.channel('prices', { config: { broadcast: { ack: true } } });
    const observer = await server.raw();
    await observer.join('prices');
    await subscribed(channel);
    const answer = await channel.send({ type: 'broadcast', event: 'tick', payload: { ticks: [] } });
    expect(answer).toBe('error');
    expect(observer.frames.filter((frame) => frame[3] === 'broadcast')).toEqual([]);
  });

  test('CALL-10: the older protocol version is spoken too', async () => {
    server.setPrice('BTCUSDT', 60_000);
    const client = new RealtimeClient(server.url, { params: { apikey: anonKey }, vsn: '1.0.0' });
    const frames: unknown[] = [];
    const channel = client
      .channel('prices')
      .on('broadcast', { event: 'tick' }, (frame) => frames.push(frame));
    expect((await subscribed(channel)).status).toBe('SUBSCRIBED');
    await until(() => frames.length > 0);
    await client.disconnect();
  });

  test('a stop closes sockets as going away', async () => {
    const raw = await server.raw();
    await raw.join('prices');
    await server.app.close();
    expect(await until(() => raw.closed)).toEqual({ code: 1001, reason: 'the server is stopping' });
    expect(server.realtime.state()).toMatchObject({ sockets: 0, channels: 0 });
  });

  test('CALL-13: after a restart the client is back by itself, 1 s later at first, then 2, 5 and 10 s', async () => {
    const client = await server.client();
    expect([1, 2, 3, 4, 5].map((tries) => client.reconnectAfterMs(tries))).toEqual([
      1_000, 2_000, 5_000, 10_000, 10_000,
    ]);
    const statuses: string[] = [];
    client.channel('prices').subscribe((status) => statuses.push(status));
    await until(() => statuses.includes('SUBSCRIBED'));
    const { port } = server;
    await server.app.close();
    await until(() => statuses.includes('CHANNEL_ERROR'));
    server = await startRealtime({ port });
    await until(() => statuses.at(-1) === 'SUBSCRIBED');
  });

  test('a join is answered before the client gives up after 10 s', async () => {
    const client = await server.client();
    expect(client.timeout).toBe(10_000);
    expect(await subscribed(client.channel('prices'))).toEqual({ status: 'SUBSCRIBED' });
  });
});
