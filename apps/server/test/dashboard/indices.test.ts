/** Market Sentiment and the Fear & Greed Index through the whole server, on bars and prices that a test sets by hand. */
import { type FearAndGreed, fearAndGreed, type MarketSentiment, marketSentiment } from '@fulcrum/contract';
import { dayMs, hourMs } from '@fulcrum/domain';
import { afterEach, describe, expect, test } from 'vitest';
import type { Bar, CandleQuery } from '../../src/features/market/index.ts';
import { createManualFeed, startTestServer, type TestServer, type Trader } from '../harness/index.ts';
import { createManualTimers, type ManualTimers } from '../harness/manual-timers.ts';

const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'] as const;

interface Setting {
  readonly server: TestServer;
  readonly timers: ManualTimers;
  readonly trader: Trader;
  /** The requests to the feed. */
  readonly requests: ({ symbol: string; timeframe: string } & CandleQuery)[];
  /** Closes of hours and days by how many of them before the running one at the start. */
  closeOf: (timeframe: '1h' | '1d', back: number) => number;
  /** Log of high over low of an hour and of a day. */
  range: { hour: number; day: number };
  fails: boolean;
  sentiment(): Promise<MarketSentiment>;
  fearAndGreed(): Promise<FearAndGreed>;
  setPrices(btc: number, eth: number, sol: number): void;
}

let setting: Setting | undefined;
afterEach(async () => {
  await setting?.server.close();
  setting = undefined;
});

/** Twenty seconds before a full hour, so that a test may pass it. */
const startAt = Math.ceil(Date.now() / hourMs) * hourMs - 20_000;

async function open({ at = startAt, isReplay = false } = {}): Promise<Setting> {
  const timers = createManualTimers(startAt);
  const feed = createManualFeed(timers.now);
  if (isReplay) feed.changeSource('replay');
  const requests: Setting['requests'] = [];
  const lengths: Readonly<Record<string, number>> = { '1h': hourMs, '1d': dayMs };
  /** As a source has them: up to its present. */
  const bars = (timeframe: '1h' | '1d', { limit }: CandleQuery): Bar[] => {
    const length = lengths[timeframe] ?? hourMs;
    const atStart = Math.floor(at / length);
    const running = Math.floor((at + timers.now() - startAt) / length);
    return Array.from({ length: limit }, (_, index) => {
      const name = running - limit + 1 + index;
      const close = made.closeOf(timeframe, atStart - name);
      const low = close * Math.exp(-made.range[timeframe === '1h' ? 'hour' : 'day']);
      const open_time = new Date(name * length).toISOString();
      return { open_time, open: close, high: close, low, close, volume: 1, quote_volume: close };
    });
  };
  const server = await startTestServer({
    timers,
    feed: {
      ...feed,
      async candles(symbol, timeframe, query) {
        requests.push({ symbol, timeframe, ...query });
        if (made.fails) throw new Error('the provider is away');
        return timeframe === '1h' || timeframe === '1d' ? bars(timeframe, query) : [];
      },
    },
  });
  const trader = await server.signUpTrader();
  const read = async (name: string): Promise<unknown> => {
    const { data, error } = await trader.client.rpc(name);
    if (error) throw error;
    return data;
  };
  const made: Setting = {
    server,
    timers,
    trader,
    requests,
    // Up and down by a log change of 0.01; the last one that is over is at 10,000.
    closeOf: (_, back) => (back % 2 === 0 ? 10_000 * Math.exp(0.01) : 10_000),
    range: { hour: 0.02, day: 0.04 },
    fails: false,
    sentiment: async () => marketSentiment.parse(await read('get_market_sentiment')),
    fearAndGreed: async () => fearAndGreed.parse(await read('get_fear_and_greed')),
    setPrices(...prices) {
      for (const [index, symbol] of symbols.entries())
        feed.setPrice(symbol, prices[index] ?? 0, { marketTime: at + timers.now() - startAt });
    },
  };
  setting = made;
  return made;
}

const valuesOf = ({ points }: MarketSentiment) => points.map(({ value }) => value);

describe('Market Sentiment', () => {
  test('DASH-12, A41, A90: twelve hours, the last one running, computed by hand', async () => {
    const one = await open();
    // Rose by 0.02, moves less than a tenth of its usual 0.01, fell by 0.06.
    one.setPrices(10_202.01, 9_995, 9_417.65);
    const { points, breadth, momentum, markets, as_of } = await one.sentiment();
    expect({ markets, as_of }).toEqual({ markets: 3, as_of: new Date(startAt).toISOString() });
    expect(breadth).toBe(0);
    // -0.0105 / (0.01 × √12), the middle one of the three.
    expect(momentum).toBeCloseTo(-0.3, 1);
    expect(points.at(-1)?.value).toBeCloseTo(-7.58, 1);
    const hour = startAt - (startAt % hourMs);
    expect(points.map((point) => Date.parse(point.hour))).toEqual(
      Array.from({ length: 12 }, (_, index) => hour - (11 - index) * hourMs),
    );
    // All rise or all fall by a usual hour, and are after twelve hours where they were.
    expect(valuesOf({ points } as MarketSentiment).slice(0, -1)).toEqual(
      Array.from({ length: 11 }, (_, index) => (index % 2 === 0 ? -25 : 25)),
    );
  });

  test('A90: all clients share one request for bars; the running hour moves with prices, past hours are cached', async () => {
    const one = await open();
    one.setPrices(10_000, 10_000, 10_000);
    const first = await Promise.all(Array.from({ length: 10 }, () => one.sentiment()));
    expect(new Set(first.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const hourly = () => one.requests.filter(({ timeframe }) => timeframe === '1h');
    expect(hourly()).toHaveLength(symbols.length);
    expect(new Set(hourly().map(({ symbol }) => symbol))).toEqual(new Set(symbols));
    const requestCount = one.requests.length;

    one.setPrices(10_500, 10_500, 10_500);
    await one.timers.advance(3_000);
    const moved = await one.sentiment();
    expect(moved.points.at(-1)?.value).toBe(50);
    expect(valuesOf(moved).slice(0, -1)).toEqual(valuesOf(first[0] ?? moved).slice(0, -1));
    expect(one.requests.length).toBe(requestCount);

    // The hour ends: one new bar of each market is requested, with the two before it.
    await one.timers.advance(20_000);
    one.setPrices(10_500, 10_500, 10_500);
    const next = await one.sentiment();
    expect(
      hourly()
        .slice(3)
        .map(({ limit }) => limit),
    ).toEqual([5, 5, 5]);
    expect(Date.parse(next.points.at(-1)?.hour ?? '')).toBe(startAt + 20_000);
    expect(valuesOf(next).slice(0, 10)).toEqual(valuesOf(moved).slice(1, 11));
  });

  test('A41: missing data is null, and a failing source is paused and retried', async () => {
    const one = await open();
    expect(valuesOf(await one.sentiment())).toEqual(Array.from({ length: 12 }, () => null));
    one.fails = true;
    one.setPrices(10_000, 10_000, 10_000);
    await one.timers.advance(3_000);
    expect(valuesOf(await one.sentiment())).toEqual(Array.from({ length: 12 }, () => null));
    const requestCount = one.requests.length;
    await one.timers.advance(30_000);
    await one.sentiment();
    expect(one.requests.length).toBe(requestCount);
    one.fails = false;
    await one.timers.advance(120_000);
    one.setPrices(10_000, 10_000, 10_000);
    expect(valuesOf(await one.sentiment())).not.toContain(null);
  });

  test('a stale price does not count for the running hour', async () => {
    const one = await open();
    one.setPrices(10_000, 10_000, 10_000);
    await one.timers.advance(17_000);
    const values = valuesOf(await one.sentiment());
    expect(values.at(-1)).toBeNull();
    expect(values.slice(0, -1)).not.toContain(null);
  });

  test('in a replay the hours are the recorded ones', async () => {
    const at = Date.UTC(2025, 0, 10, 15, 30);
    const one = await open({ at, isReplay: true });
    one.setPrices(10_500, 10_500, 10_500);
    const { points, as_of } = await one.sentiment();
    expect(as_of).toBe(new Date(at).toISOString());
    expect(points.at(-1)).toEqual({ hour: '2025-01-10T15:00:00.000Z', value: 50 });
  });
});

describe('Fear & Greed', () => {
  test('A41: value, inputs, yesterday and last week, computed by hand', async () => {
    const one = await open();
    // At 10,000 every day and hour, with a usual day of 0.04 and hours of 0.044 below the close.
    one.closeOf = () => 10_000;
    one.range = { hour: 0.044, day: 0.04 };
    one.setPrices(10_200, 10_400, 9_999);
    const { value, inputs, yesterday, last_week, markets } = await one.fearAndGreed();
    expect(markets).toBe(3);
    // ln(10200 / (10000 × e^-0.044)) = 0.063803 of 0.04: 59.51 % more. 2 % above the mean. Two of three have risen.
    expect(inputs).toEqual([
      { name: 'volatility', score: 0, weight: expect.closeTo(0.3), figure: expect.closeTo(59.51, 1) },
      { name: 'momentum', score: 55, weight: expect.closeTo(0.4), figure: 2 },
      { name: 'breadth', score: 67, weight: expect.closeTo(0.3), figure: 0.67 },
      { name: 'long_short', score: null, weight: 0, figure: null },
    ]);
    // 0.3 × 0 + 0.4 × 55 + 0.3 × 67 = 42.1.
    expect(value).toBe(42);
    // Range 0.044: 10 % more, score 40; at the mean, 50; no move, 50: 0.3 × 40 + 0.4 × 50 + 0.3 × 50 = 47.
    expect({ yesterday, last_week }).toEqual({ yesterday: 47, last_week: 47 });
  });

  test('null while too little is known', async () => {
    const one = await open();
    one.fails = true;
    one.setPrices(10_000, 10_000, 10_000);
    const { value, yesterday, last_week, inputs } = await one.fearAndGreed();
    expect({ value, yesterday, last_week }).toEqual({ value: null, yesterday: null, last_week: null });
    expect(inputs.map(({ score }) => score)).toEqual([null, null, null, null]);
  });

  test('A41: the accounts count from five on, each once however large, and no sooner', async () => {
    const one = await open();
    one.closeOf = () => 10_000;
    const refresh = async () => {
      await one.timers.advance(31_000);
      one.setPrices(10_000, 10_000, 10_000);
      return (await one.fearAndGreed()).inputs[3];
    };
    const openPosition = async ({ client }: Trader, side: 'BUY' | 'SELL', size: string) => {
      one.setPrices(10_000, 10_000, 10_000);
      const order = { p_symbol: 'BTCUSDT', p_side: side, p_size: size, p_leverage: 100 };
      const { error } = await client.rpc('open_position', order);
      if (error) throw error;
    };
    for (let count = 0; count < 4; count += 1)
      await openPosition(await one.server.signUpTrader(), 'SELL', '0.01');
    expect(await refresh()).toEqual({ name: 'long_short', score: null, weight: 0, figure: null });
    // Many times as large as each of the others; with the second position a quarter of it is short.
    await openPosition(one.trader, 'BUY', '0.75');
    expect(await refresh()).toEqual({ name: 'long_short', score: 20, weight: 0.2, figure: 0.2 });
    await openPosition(one.trader, 'SELL', '0.25');
    expect(await refresh()).toEqual({ name: 'long_short', score: 15, weight: 0.2, figure: 0.15 });
  });
});
