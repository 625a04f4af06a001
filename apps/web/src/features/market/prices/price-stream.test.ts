import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isTradingHalted } from './frames.ts';
import { createPriceStream, type LastPrice } from './price-stream.ts';

type Frame = (message: { payload: unknown }) => void;

/** The socket client as far as the stream uses it; like the real one it hands a leaving channel out again. */
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

test('two followers share one channel, and the last one to leave ends it', async () => {
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

test('a pair that is left and wanted again at once joins anew, after its old channel is gone', async () => {
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

test('a price never goes back to an older one, and a frame that is none changes nothing', async () => {
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

test('A37: the same price again with another state takes its place, and keeps the time of the market', async () => {
  const fake = fakeRealtime();
  const stream = createPriceStream(fake.realtime, page);
  stream.follow(null);
  await settled();
  const first = tick(101, '2026-11-21T10:00:01.000Z');
  fake.channels.get('prices')?.frame?.({ payload: { ticks: [first] } });
  stream.take([{ ...first, state: 'stale', market_time: null }]);
  expect(stream.latest('BTCUSDT')).toEqual({ ...first, state: 'stale' });
});

test('a halt is known as long as the frames of all prices say so, without a price too', async () => {
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

  // A server that starts anew with no price and no halt sends nothing.
  all?.frame?.({ payload: { ticks: [], halted: true } });
  all?.status?.('CHANNEL_ERROR');
  expect(isTradingHalted()).toBe(false);

  // The symbol's own frames would never take it back.
  all?.frame?.({ payload: { ticks: [], halted: true } });
  leave();
  expect(isTradingHalted()).toBe(false);
});
