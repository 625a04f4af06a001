import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../src/platform/clock/index.ts';
import type { Limits } from '../../src/protocols/realtime/index.ts';
import {
  anonKey,
  pause,
  type RawClient,
  type RealtimeServer,
  startRealtime,
  subscribed,
  tokenOf,
  until,
  userWithRole,
  walletChange,
} from './realtime-server.ts';

let server: RealtimeServer;
afterEach(() => server.close());

const wallets = { postgres_changes: [{ event: '*', schema: 'public', table: 'wallets' }] };

/** Stops reading, so that the kernel's buffers fill and then ours. */
const stopReading = (raw: RawClient) => raw.socket.pause();

describe('a client that reads too slowly', () => {
  const trader = userWithRole('trader');
  const wide = 'x'.repeat(20_000);

  /** Announces large changes, more than the kernel's buffers take, until `isDone`. */
  async function fill(isDone: () => boolean) {
    for (let version = 1; version <= 5_000 && !isDone(); version++) {
      const change = walletChange(trader.userId, version);
      server.announce({ ...change, record: { ...change.record, currency: wide } });
      if (version % 50 === 0) await pause(1);
    }
  }

  test('is cut once too many bytes are unsent, and counted; the others stay', async () => {
    server = await startRealtime({ limits: { cutBytes: 1024 * 1024 } });
    const [slow, quick] = [await server.raw(), await server.raw()];
    for (const raw of [slow, quick]) {
      await raw.join(`user:${trader.userId}`, { config: wallets, access_token: tokenOf(trader) });
    }
    stopReading(slow);
    await fill(() => server.realtime.state().cut > 0);
    expect(server.realtime.state().cut).toBe(1);
    await until(() => server.realtime.state().sockets === 1);
    const received = quick.frames.length;
    server.announce(walletChange(trader.userId, 9_999));
    await until(() => quick.frames.length > received);
    expect(quick.closed).toBeNull();
  });

  test('gets no price frames while it is behind, and the present prices when it has caught up', async () => {
    server = await startRealtime({ limits: { behindBytes: 10_000, cutBytes: 64 * 1024 * 1024 } });
    server.setPrice('BTCUSDT', 1);
    const raw = await server.raw();
    await raw.join('prices', { config: wallets, access_token: tokenOf(trader) });
    stopReading(raw);
    let sent = 0;
    await fill(() => ++sent > 800);
    for (let price = 2; price <= 6; price++) {
      server.setPrice('BTCUSDT', price);
      await pause(300);
    }
    raw.socket.resume();
    const prices = () =>
      raw.frames.filter((frame) => frame[3] === 'broadcast').map((frame) => frame[4].payload.ticks[0]?.price);
    await until(() => prices().at(-1) === 6);
    expect(new Set(prices())).toEqual(new Set([1, 6]));
    expect(raw.frames.filter((frame) => frame[3] === 'postgres_changes')).toHaveLength(800);
    expect(server.realtime.state().cut).toBe(0);
  });

  test('is cut when it stays behind', async () => {
    const clock = createManualClock(Date.now());
    server = await startRealtime({ clock, limits: { behindBytes: 10_000, cutBytes: 64 * 1024 * 1024 } });
    const raw = await server.raw();
    await raw.join('prices', { config: wallets, access_token: tokenOf(trader) });
    stopReading(raw);
    let sent = 0;
    await fill(() => ++sent > 800);
    server.setPrice('BTCUSDT', 1);
    await pause(1_100);
    clock.advance(11_000);
    await until(() => server.realtime.state().cut === 1);
    await until(() => server.realtime.state().sockets === 0);
  });
});

describe('limits of a client', () => {
  const start = async (limits: Partial<Limits> = {}) => {
    server = await startRealtime({ limits });
    return server.raw();
  };

  test('CALL-14: more than 10 events a second are answered with an error, the socket stays', async () => {
    // The clock is stopped while they are sent: on a slow machine it would add tokens.
    const clock = createManualClock(Date.now());
    server = await startRealtime({ clock });
    const raw = await server.raw();
    for (let ref = 1; ref <= 40; ref++) raw.send(null, String(ref), 'phoenix', 'heartbeat', {});
    await until(() => raw.frames.length === 40);
    const refused = raw.frames.filter((frame) => frame[4].status === 'error');
    expect(refused).toHaveLength(10);
    expect(refused[0]?.[4].response.reason).toBe('Too many events: at most 10 per second.');
    clock.advance(350);
    raw.send(null, '41', 'phoenix', 'heartbeat', {});
    expect((await raw.reply('41')).status).toBe('ok');
  });

  test('CALL-14: a flood of events or pings closes the socket', async () => {
    const raw = await start();
    for (let ref = 1; ref <= 200; ref++) raw.send(null, String(ref), 'phoenix', 'heartbeat', {});
    expect(await until(() => raw.closed)).toEqual({ code: 1008, reason: 'too many events' });
    const pinging = await server.raw();
    for (let n = 0; n < 50 && !pinging.closed; n++) {
      for (let more = 0; more < 10; more++) pinging.socket.ping();
      await pause(1);
    }
    expect(await until(() => pinging.closed)).toEqual({ code: 1008, reason: 'too many events' });
  });

  test('unsolicited pongs cost as much as events', async () => {
    const raw = await start();
    for (let n = 0; n < 200; n++) raw.socket.pong();
    expect(await until(() => raw.closed)).toEqual({ code: 1008, reason: 'too many events' });
  });

  test('input after the close is not read, and the socket ends soon', async () => {
    await start();
    const { hostname, port, pathname, search } = new URL(`${server.url}/websocket?apikey=${anonKey}`);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(
      `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    await until(() => server.realtime.state().sockets === 2);
    // Empty masked pings, and the client takes no notice of a close frame.
    const pings = Buffer.from('898000000000'.repeat(1000), 'hex');
    const flood = setInterval(() => socket.writableLength < pings.length && socket.write(pings), 1);
    try {
      await until(() => server.realtime.state().sockets === 1);
    } finally {
      clearInterval(flood);
      socket.destroy();
    }
  });

  test('CALL-11: a socket that is silent for 60 s is closed', async () => {
    const clock = createManualClock(Date.now());
    server = await startRealtime({ clock });
    const [silent, beating] = [await server.raw(), await server.raw()];
    clock.advance(45_000);
    beating.send(null, '1', 'phoenix', 'heartbeat', {});
    await beating.reply('1');
    clock.advance(16_000);
    expect(await until(() => silent.closed)).toEqual({ code: 1001, reason: 'no message received for 60 s' });
    expect(beating.closed).toBeNull();
  });

  test('a socket holds at most its number of channels', async () => {
    const raw = await start({ channelsPerSocket: 3 });
    const access_token = tokenOf(userWithRole('trader'));
    for (const [ref, symbol] of ['A', 'B', 'C'].entries()) {
      expect((await raw.join(`prices:${symbol}`, { access_token }, String(ref))).status).toBe('ok');
    }
    expect((await raw.join('prices:D', { access_token }, '4')).response.reason).toMatch(/At most 3 channels/);
    expect((await raw.join('prices:C', { access_token }, '5')).status).toBe('ok');
  });

  test('the client receives the limit, and its other channels stay', async () => {
    server = await startRealtime({ limits: { channelsPerSocket: 1 } });
    const client = await server.client(userWithRole('trader'));
    const prices = client.channel('prices');
    expect((await subscribed(prices)).status).toBe('SUBSCRIBED');
    expect(await subscribed(client.channel('prices:BTCUSDT'))).toEqual({
      status: 'CHANNEL_ERROR',
      reason: 'At most 1 channels fit on a connection.',
    });
    expect(prices.state).toBe('joined');
  });

  test('a client beyond the sockets of an address connects once another one closes', async () => {
    const first = await start({ socketsPerAddress: 1 });
    const statuses: string[] = [];
    (await server.client()).channel('prices').subscribe((status) => statuses.push(status));
    await until(() => statuses.includes('CHANNEL_ERROR'));
    first.socket.close();
    await until(() => statuses.at(-1) === 'SUBSCRIBED');
  });

  test('a channel holds at most its number of subscriptions', async () => {
    const raw = await start({ subscriptionsPerChannel: 1 });
    const [subscription] = wallets.postgres_changes;
    const config = { postgres_changes: [subscription, subscription] };
    const trader = userWithRole('trader');
    const answer = await raw.join(`user:${trader.userId}`, { config, access_token: tokenOf(trader) });
    expect(answer.response.reason).toBe('At most 1 subscriptions fit on a channel.');
  });

  test('an address opens at most its number of sockets, and may open one again', async () => {
    const first = await start({ socketsPerAddress: 2 });
    await server.raw();
    await expect(server.raw()).rejects.toThrow('429');
    first.socket.close();
    await until(() => server.realtime.state().sockets === 1);
    await server.raw();
  });

  test('the server opens at most its number of sockets', async () => {
    await start({ sockets: 1 });
    await expect(server.raw()).rejects.toThrow('503');
  });

  test('connections and joins of one address are counted together', async () => {
    const raw = await start({ attempts: { burst: 3, perSecond: 0.001 } });
    expect((await raw.join('prices', {}, '1')).status).toBe('ok');
    expect((await raw.join('prices', {}, '2')).status).toBe('ok');
    expect((await raw.join('prices', {}, '3')).response.reason).toBe(
      'Too many joins. Please try again shortly.',
    );
    await expect(server.raw()).rejects.toThrow('429');
  });
});

describe('malformed frames', () => {
  const nested = '['.repeat(7_000);
  const texts = [
    '',
    'null',
    '{}',
    '[]',
    '42',
    'not json',
    nested,
    '[1,2,3,4,5]',
    '["1","1","realtime:prices"]',
    '["1","1",null,"phx_join",{}]',
    `["1","1","${'t'.repeat(300)}","phx_join",{}]`,
    '{"topic":"realtime:prices","event":"phx_join","payload":{},"ref":"1"}',
  ];
  const binaries = [
    [],
    [3],
    [9, 1, 1, 1, 1, 1, 1],
    [3, 255, 255, 255, 255, 255, 1],
    [3, 0, 0, 0, 0, 0],
    [0xff, 0xfe],
  ];

  test.each(texts.map((text) => [text.slice(0, 60), text]))(
    'a text that is no frame closes the socket: %s',
    async (_title, text) => {
      server = await startRealtime();
      const raw = await server.raw();
      raw.socket.send(text);
      expect((await until(() => raw.closed)).code).toBe(1007);
    },
  );

  test.each(binaries.map((bytes) => [bytes]))(
    'bytes that are no frame close the socket: %j',
    async (bytes) => {
      server = await startRealtime();
      const raw = await server.raw();
      raw.socket.send(Buffer.from(bytes));
      expect((await until(() => raw.closed)).code).toBe(1007);
    },
  );

  test('a frame that is too large closes the socket', async () => {
    server = await startRealtime();
    const raw = await server.raw();
    raw.socket.send('x'.repeat(20_000));
    expect((await until(() => raw.closed)).code).toBe(1009);
  });

  test('joins with a payload of another shape are refused with a reason', async () => {
    server = await startRealtime({ limits: { events: { burst: 100, perSecond: 10 } } });
    const raw = await server.raw();
    const payloads: unknown[] = [
      null,
      7,
      'x',
      [],
      { config: 1 },
      { config: { postgres_changes: {} } },
      { config: { postgres_changes: [null] } },
      { config: { postgres_changes: [{ event: 'TRUNCATE', schema: 'public', table: 'wallets' }] } },
      { config: { postgres_changes: [{ event: '*', schema: 'app', table: 'wallets' }] } },
      { config: { postgres_changes: [{ event: '*', schema: 'public', table: 'constructor' }] } },
      { config: { postgres_changes: [{ event: '*', schema: 'public', table: '__proto__' }] } },
      { access_token: 5 },
      { access_token: {} },
      { access_token: 'a.b.c' },
    ];
    for (const [index, payload] of payloads.entries()) {
      const answer = await raw.join('prices', payload, String(index));
      expect(answer.status).toBe('error');
      expect(answer.response.reason).toEqual(expect.any(String));
    }
    expect((await raw.join('prices', {}, 'last')).status).toBe('ok');
  });

  test('events on a topic that was not joined, and unknown ones, are refused', async () => {
    server = await startRealtime();
    const raw = await server.raw();
    raw.send('1', '1', 'realtime:prices', 'access_token', { access_token: 'x' });
    expect((await raw.reply('1')).response.reason).toBe('Join the topic first.');
    raw.send(null, '2', 'phoenix', 'unknown', {});
    expect((await raw.reply('2')).status).toBe('error');
    await raw.join('prices', {}, '3');
    raw.send('3', '4', 'realtime:prices', 'presence', { event: 'track' });
    expect((await raw.reply('4')).response.reason).toBe('This topic takes no presence from clients.');
  });

  test('bytes that are no websocket frame end the connection, not the server', async () => {
    server = await startRealtime();
    const socket = connect(server.port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write(
      'GET /realtime/v1/websocket?apikey=sb_publishable_test&vsn=2.0.0 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n' +
        'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff]));
    await new Promise((resolve) => socket.once('close', resolve));
    await until(() => server.realtime.state().sockets === 0);
    expect((await (await server.raw()).join('prices')).status).toBe('ok');
  });

  test('a client that resets its connection during the upgrade ends no other one', async () => {
    server = await startRealtime();
    for (let n = 0; n < 20; n++) {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => {});
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write('GET /realtime/v1/websocket?apikey=sb_publishable_test&vsn=2.0.0 HTTP/1.1\r\nHost: x\r\n');
      socket.write('Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n');
      socket.write('Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n');
      socket.resetAndDestroy();
    }
    await until(() => server.realtime.state().sockets === 0);
    expect((await (await server.raw()).join('prices')).status).toBe('ok');
  });
});
