import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isTradingHalted } from './frames.ts';
import { createPriceStream, type LastPrice } from './price-stream.ts';

type Frame = (message: { payload: unknown }) => void;

/** The part of the socket client that the stream uses. Like the real one it returns a leaving channel again. */
function fakeRealtime() {
  const channels = new Map<
    string,
    { topic: string; joined: number; frame: Frame | null; status?: (status: string) => void }
  >();
  let finishLeaving: (() => void)[] = [];
  const realtime = {
    setAuth: async () => undefined,
    isConnected: () => true,
    connect: vi.fn(),
    sendHeartbeat: async () => undefined,
    channel: (topic: string) => {
      const held = channels.get(topic) ?? { topic, joined: 0, frame: null };
      channels.set(topic, held);
      const channel = {
        topic,
        on: (_kind: string, _filter: object, frame: Frame) => {
          held.frame = frame;
          return channel;
        },
        subscribe: (status: (status: string) => void) => {
          held.joined += 1;
          held.status = status;
          return channel;
        },
      };
      return channel as unknown as RealtimeChannel;
    },
    removeChannel: (channel: RealtimeChannel) =>
      new Promise<'ok'>((resolve) => {
        finishLeaving.push(() => {
          channels.delete(channel.topic);
          resolve('ok');
        });
      }),
  } satisfies Partial<RealtimeClient>;
  return {
    realtime: realtime as unknown as Parameters<typeof createPriceStream>[0],
    channels,
    leaveAll: () => {
      for (const finish of finishLeaving) finish();
      finishLeaving = [];
    },
  };
}

const page = {
  visibilityState: 'visible',
  addEventListener() {},
  removeEventListener() {},
} as unknown as Document;
const settled = () => vi.advanceTimersByTimeAsync(0);
const tick = (price: number, pricedAt: string): LastPrice => ({
  symbol: 'BTCUSDT',
  price,
  price_change_percent: 1,
  volume: 1,
  quote_volume: 1,
  high_24h: null,
  low_24h: null,
  source: 'simulated',
  state: 'simulated',
  priced_at: pricedAt,
  market_time: pricedAt,
  market_open: true,
});

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('two followers share one channel, and the last one to leave closes it', async () => {
  const fake = fakeRealtime();
  const stream = createPriceStream(fake.realtime, page);
  const [first, second] = [stream.follow(null), stream.follow(null)];
  await settled();
  expect(fake.channels.get('prices')?.joined).toBe(1);
  first();
  fake.leaveAll();
  expect(fake.channels.has('prices')).toBe(true);
  second();
  fake.leaveAll();
  expect(fake.channels.has('prices')).toBe(false);
});

test('a pair that is left and followed again at once joins after its old channel is gone', async () => {
  const fake = fakeRealtime();
  const stream = createPriceStream(fake.realtime, page);
  stream.follow('BTCUSDT')();
  await settled();
  const leave = stream.follow('BTCUSDT');
  await settled();
  leave();
  stream.follow('BTCUSDT');
  await settled();
  expect(fake.channels.get('prices:BTCUSDT')?.joined).toBe(1);
  fake.leaveAll();
  await settled();
  expect(fake.channels.get('prices:BTCUSDT')?.joined).toBe(1);
  fake.channels
    .get('prices:BTCUSDT')
    ?.frame?.({ payload: { ticks: [tick(100, '2026-11-21T10:00:00.000Z')] } });
  expect(stream.latest('BTCUSDT')?.price).toBe(100);
});

test('a price is never replaced by an older one, and an invalid frame changes nothing', async () => {
  const fake = fakeRealtime();
  const stream = createPriceStream(fake.realtime, page);
  stream.follow(null);
  await settled();
  const frame = fake.channels.get('prices')?.frame;
  frame?.({ payload: { ticks: [tick(101, '2026-11-21T10:00:01.000Z')] } });
  frame?.({ payload: { ticks: [tick(100, '2026-11-21T10:00:00.000Z')] } });
  for (const payload of [null, 'ticks', { ticks: 1 }]) frame?.({ payload });
  expect(stream.latest('BTCUSDT')?.price).toBe(101);
});

test('A37: the same price with another state replaces it, and keeps the time of the market', async () => {
  const fake = fakeRealtime();
  const stream = createPriceStream(fake.realtime, page);
  stream.follow(null);
  await settled();
  const first = tick(101, '2026-11-21T10:00:01.000Z');
  fake.channels.get('prices')?.frame?.({ payload: { ticks: [first] } });
  stream.addPrices([{ ...first, state: 'stale', market_time: null }]);
  expect(stream.latest('BTCUSDT')).toEqual({ ...first, state: 'stale' });
});

test('a halt lasts as long as the frames of all prices report it, also without a price', async () => {
  const fake = fakeRealtime();
  const stream = createPriceStream(fake.realtime, page);
  const leave = stream.follow(null);
  stream.follow('BTCUSDT');
  await settled();
  const [all, one] = [fake.channels.get('prices'), fake.channels.get('prices:BTCUSDT')];
  all?.frame?.({ payload: { ticks: [], halted: true } });
  expect(isTradingHalted()).toBe(true);
  expect(stream.state()).toBe('connecting');
  one?.frame?.({ payload: { ticks: [tick(100, '2026-11-21T10:00:00.000Z')] } });
  expect(isTradingHalted()).toBe(true);
  all?.frame?.({ payload: { ticks: [] } });
  expect(isTradingHalted()).toBe(false);

  // A server that restarts with no price and no halt sends nothing.
  all?.frame?.({ payload: { ticks: [], halted: true } });
  all?.status?.('CHANNEL_ERROR');
  expect(isTradingHalted()).toBe(false);

  // The symbol's own frames never clear a halt.
  all?.frame?.({ payload: { ticks: [], halted: true } });
  leave();
  expect(isTradingHalted()).toBe(false);
});

test('A110: the catalogue, which lacks holds, does not end one; the stream does, at the same price or another', async () => {
  const fake = fakeRealtime();
  const stream = createPriceStream(fake.realtime, page);
  stream.follow(null);
  await settled();
  const last = tick(101, '2026-11-21T10:00:01.000Z');
  const frame = fake.channels.get('prices')?.frame;
  frame?.({ payload: { ticks: [last] } });
  frame?.({ payload: { ticks: [{ ...last, state: 'stale', held: true }] } });
  stream.addPrices([{ ...last, market_time: null }]);
  expect(stream.latest('BTCUSDT')).toMatchObject({ state: 'stale', held: true });
  frame?.({ payload: { ticks: [last] } });
  expect(stream.latest('BTCUSDT')).toEqual(last);
  frame?.({ payload: { ticks: [{ ...last, state: 'stale', held: true }] } });
  stream.addPrices([{ ...tick(60, '2026-11-21T10:00:12.000Z'), market_time: null }]);
  expect(stream.latest('BTCUSDT')).toMatchObject({ price: 60, state: 'simulated' });
});

test('frames that came each second are late after three; a feed without that rhythm never is', async () => {
  const fake = fakeRealtime();
  const stream = createPriceStream(fake.realtime, page);
  stream.follow(null);
  await settled();
  const receive = async (count: number, everyMs: number) => {
    for (let frame = 0; frame < count; frame += 1) {
      fake.channels.get('prices')?.frame?.({ payload: { ticks: [tick(100, new Date().toISOString())] } });
      await vi.advanceTimersByTimeAsync(everyMs);
    }
  };
  await receive(6, 1_000);
  expect(stream.isLate()).toBe(false);
  await vi.advanceTimersByTimeAsync(2_001);
  expect(stream.isLate()).toBe(true);
  await receive(1, 0);
  expect(stream.isLate()).toBe(false);

  await receive(8, 2_500);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(stream.isLate()).toBe(false);
});
