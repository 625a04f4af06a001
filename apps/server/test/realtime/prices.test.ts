import type { Tick } from '@fulcrum/contract';
import type { RealtimeChannel } from '@supabase/supabase-js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as frames from '../../src/protocols/realtime/frames.ts';
import {
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
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
});

function collect(channel: RealtimeChannel): Tick[][] {
  const seen: Tick[][] = [];
  channel.on('broadcast', { event: 'tick' }, ({ payload }) => seen.push(payload.ticks));
  return seen;
}

describe('prices', () => {
  test('the first frame follows the join and contains every symbol', async () => {
    server.setPrice('BTCUSDT', 60_000);
    server.setPrice('EURUSD', 1.1);
    const channel = (await server.client()).channel('prices');
    const seen = collect(channel);
    await subscribed(channel);
    await until(() => seen.length > 0);
    expect(seen[0]?.map(({ symbol, price }) => [symbol, price])).toEqual([
      ['BTCUSDT', 60_000],
      ['EURUSD', 1.1],
    ]);
  });

  test('a burst becomes one frame a second with the last value of each symbol that changed', async () => {
    server.setPrice('BTCUSDT', 1);
    server.setPrice('EURUSD', 1.1);
    const channel = (await server.client()).channel('prices');
    const seen = collect(channel);
    await subscribed(channel);
    await until(() => seen.length > 0);
    await pause(1_300);
    seen.length = 0;
    const started = Date.now();
    for (let n = 1; n <= 100; n++) {
      server.setPrice('BTCUSDT', 60_000 + n);
      await pause(1);
    }
    await until(() => seen.flat().some((tick) => tick.price === 60_100));
    const seconds = (Date.now() - started) / 1_000;
    await pause(1_200);
    expect(seen.length).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    expect(seen.flat().map(({ symbol }) => symbol)).not.toContain('EURUSD');
  });

  test('a halt of trading and its end are sent at once, to present and new channels, on `prices` alone', async () => {
    server.setPrice('BTCUSDT', 60_000);
    const reported = async (topic: string) => {
      const channel = (await server.client(userWithRole('trader'))).channel(topic, {
        config: { private: true },
      });
      const seen: (boolean | undefined)[] = [];
      channel.on('broadcast', { event: 'tick' }, ({ payload }) => seen.push(payload.halted));
      await subscribed(channel);
      await until(() => seen.length > 0);
      return seen;
    };
    const [everything, one] = [await reported('prices'), await reported('prices:BTCUSDT')];
    // What had changed before the join leaves with the next second.
    await pause(1_200);
    server.setHalted(true);
    // Without any price.
    await until(() => everything.at(-1) === true);
    const received = { everything: everything.length, one: one.length };
    server.setPrice('BTCUSDT', 60_001);
    await until(() => everything.length > received.everything && one.length > received.one);
    expect(everything.at(-1)).toBe(true);
    expect((await reported('prices')).at(0)).toBe(true);
    server.setHalted(false);
    await until(() => everything.at(-1) === undefined);
    expect(new Set(one)).toEqual(new Set([undefined]));
  });

  test('a halt and its end are sent before the first price, to new channels too', async () => {
    const reported = async () => {
      const channel = (await server.client()).channel('prices');
      const seen: unknown[] = [];
      channel.on('broadcast', { event: 'tick' }, ({ payload }) => seen.push(payload));
      await subscribed(channel);
      return seen;
    };
    const early = await reported();
    server.setHalted(true);
    await until(() => early.length > 0);
    const late = await reported();
    await until(() => late.length > 0);
    server.setHalted(false);
    await until(() => early.length > 1 && late.length > 1);
    const both = [{ ticks: [], halted: true }, { ticks: [] }];
    expect({ early, late }).toMatchObject({ early: both, late: both });
    expect(early.at(-1)).not.toHaveProperty('halted');
  });

  test('a market without ticks sends no frame', async () => {
    server.setPrice('BTCUSDT', 1);
    const raw = await server.raw();
    await raw.join('prices');
    await until(() => raw.frames.at(-1)?.[3] === 'broadcast');
    await pause(1_200);
    const count = raw.frames.length;
    await pause(1_200);
    expect(raw.frames.length).toBe(count);
  });

  test('a symbol alone: its price at once, then at most four frames a second, the last value wins', async () => {
    server.setPrice('BTCUSDT', 60_000);
    server.setPrice('EURUSD', 1.1);
    const channel = (await server.client(userWithRole('trader'))).channel('prices:BTCUSDT');
    const seen = collect(channel);
    await subscribed(channel);
    await until(() => seen.length === 1);
    expect(seen[0]?.map(({ symbol, price }) => [symbol, price])).toEqual([['BTCUSDT', 60_000]]);
    await pause(300);
    seen.length = 0;
    const started = Date.now();
    for (let n = 1; Date.now() - started < 1_000 || seen.length < 3; n++) {
      server.setPrice('BTCUSDT', n);
      server.setPrice('EURUSD', n);
      await pause(5);
    }
    server.setPrice('BTCUSDT', 77_777);
    await until(() => seen.flat().at(-1)?.price === 77_777);
    const seconds = (Date.now() - started) / 1_000;
    expect(seen.length).toBeLessThanOrEqual(Math.ceil(seconds * 4) + 1);
    expect(new Set(seen.flat().map(({ symbol }) => symbol))).toEqual(new Set(['BTCUSDT']));
  });

  test('a frame is encoded once for all sockets, and all get the same bytes', async () => {
    const bytes = vi.spyOn(frames.SharedFrame.prototype, 'bytes');
    const clients = await Promise.all(Array.from({ length: 20 }, () => server.raw()));
    for (const raw of clients) await raw.join('prices');
    server.setPrice('BTCUSDT', 60_000);
    await until(() => clients.every((raw) => raw.frames.at(-1)?.[3] === 'broadcast'));
    expect(bytes).toHaveBeenCalledTimes(20);
    expect(new Set(bytes.mock.results.map(({ value }) => value)).size).toBe(1);
    expect(new Set(clients.map((raw) => raw.texts.at(-1))).size).toBe(1);
  });

  test('a channel that was left gets no more frames', async () => {
    const raw = await server.raw();
    await raw.join('prices:BTCUSDT', { access_token: tokenOf(userWithRole('trader')) });
    raw.send('1', '2', 'realtime:prices:BTCUSDT', 'phx_leave', {});
    await raw.reply('2');
    server.setPrice('BTCUSDT', 2);
    await pause(400);
    expect(raw.frames.map((frame) => frame[3])).toEqual(['phx_reply', 'phx_reply']);
  });
});
