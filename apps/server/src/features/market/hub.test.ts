import type { Tick } from '@fulcrum/contract';
import { dayMs, hourMs, toNumber } from '@fulcrum/domain';
import { beforeEach, expect, test, vi } from 'vitest';
import { createBus } from '../../platform/bus/index.ts';
import { createManualClock, type ManualClock } from '../../platform/clock/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { catalogue } from './catalogue/index.ts';
import { createHub, type Hub } from './hub.ts';

const log = createLog({ logLevel: 'silent' });
/** A Friday, 15:00 in New York. */
const start = Date.UTC(2026, 10, 20, 20, 0);
let clock: ManualClock;
let published: Tick[];
let hub: Hub;

function open(
  config: { sessions: 'honour' | '24x7' | null; staleAfterS: number | null },
  isInUse: (symbol: string) => boolean = () => false,
) {
  clock = createManualClock(start);
  const bus = createBus(log);
  published = [];
  bus.subscribe('market.tick', (tick) => published.push(tick));
  hub = createHub({ pairs: catalogue, config, clock, bus, log, isInUse });
}
beforeEach(() => open({ sessions: '24x7', staleAfterS: null }));

const report = (symbol: string, price: number | string, more = {}) =>
  hub.take({ symbol, source: 'simulated', price, marketTime: clock.now(), ...more });
const heldOf = (symbol: string) => hub.holds().find((hold) => hold.symbol === symbol);
const heldPrice = (symbol: string) => heldOf(symbol)?.price;
const priceOf = (symbol: string) => {
  const price = hub.price(symbol);
  return price && toNumber(price.price);
};

test('stores and publishes a price with its source, times and day figures', () => {
  report('BTCUSDT', 100.5, {
    day: { priceChangePercent: 1.5, volume: 2, quoteVolume: 201, high: 110, low: 90 },
  });
  expect(published).toEqual([
    {
      symbol: 'BTCUSDT',
      price: 100.5,
      price_change_percent: 1.5,
      volume: 2,
      quote_volume: 201,
      high_24h: 110,
      low_24h: 90,
      source: 'simulated',
      state: 'simulated',
      priced_at: '2026-11-20T20:00:00.000Z',
      market_time: '2026-11-20T20:00:00.000Z',
      market_open: true,
    },
  ]);
  expect(hub.ticks()).toEqual(published);
  expect(hub.price('BTCUSDT')!.price).toBe(100_50000000n);
});

test('ENG-4: each price that is published has the next number, over all symbols; what is dropped has none', () => {
  report('BTCUSDT', 100);
  report('ETHUSDT', 50);
  report('BTCUSDT', -1);
  report('NOPE', 1);
  expect(hub.tickCount()).toBe(2);
  clock.advance(1_000);
  // Held: the hub publishes the last price again, as one that opens nothing.
  report('BTCUSDT', 500);
  report('ETHUSDT', 51);
  expect(published.map(({ price }) => price)).toEqual([100, 50, 100, 51]);
  expect(hub.tickCount()).toBe(published.length);
});

test.each([
  0,
  -1,
  Number.NaN,
  Infinity,
  '',
  '12x',
  ' 12',
  '1e3',
  '0x10',
  '-5',
  '0',
  '0.000000001',
  1e15,
  '40000001',
])('FEED-35 FEED-37: drops the unacceptable price %j with a warning', (price) => {
  const warn = vi.spyOn(log, 'warn');
  report('BTCUSDT', price);
  expect(hub.price('BTCUSDT')).toBeUndefined();
  expect(published).toEqual([]);
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});

test('FEED-35: takes a numeric string as the number it spells, on the pair’s ticks', () => {
  report('BTCUSDT', '101.23400000');
  expect(hub.price('BTCUSDT')!.price).toBe(101_23000000n);
});

test('ignores a tick that is older than the last one, unless the source vouches for the break', () => {
  report('BTCUSDT', 100);
  report('BTCUSDT', 101, { marketTime: start - 1 });
  expect(priceOf('BTCUSDT')).toBe(100);
  report('BTCUSDT', 102, { marketTime: start - dayMs, breaks: true });
  expect(priceOf('BTCUSDT')).toBe(102);
});

test('ignores symbols that are not listed', () => {
  report('NOPE', 1);
  expect(published).toEqual([]);
});

test('a price is stale after 15 s for crypto and 60 s elsewhere, and a missing one is stale', () => {
  report('BTCUSDT', 100);
  report('AAPL', 200);
  const staleAfter = (symbol: string, seconds: number) => hub.isStale(symbol, start + seconds * 1000);
  expect([staleAfter('BTCUSDT', 15), staleAfter('BTCUSDT', 15.001)]).toEqual([false, true]);
  expect([staleAfter('AAPL', 60), staleAfter('AAPL', 60.001)]).toEqual([false, true]);
  expect(hub.isStale('EUR/USD', start)).toBe(true);
  clock.advance(70_000);
  expect(hub.isStale('BTCUSDT', clock.now())).toBe(true);
  report('BTCUSDT', 100);
  expect(hub.isStale('BTCUSDT', clock.now())).toBe(false);
});

test('STALE_AFTER_S overrides both', () => {
  open({ sessions: '24x7', staleAfterS: 2 });
  report('AAPL', 200);
  expect([hub.isStale('AAPL', start + 2_000), hub.isStale('AAPL', start + 2_001)]).toEqual([false, true]);
});

test('holds an absurd jump until three ticks agree over ten seconds', () => {
  report('BTCUSDT', 100);
  clock.advance(1_000);
  report('BTCUSDT', 10);
  clock.advance(6_000);
  report('BTCUSDT', 10.05);
  expect(priceOf('BTCUSDT')).toBe(100);
  clock.advance(6_000);
  report('BTCUSDT', 10.02);
  expect(priceOf('BTCUSDT')).toBe(10.02);
});

test('A106: what is held back can be let through, once, and is a price like any other from then on', () => {
  report('BTCUSDT', 100);
  clock.advance(1_000);
  report('BTCUSDT', 10);
  const held = heldOf('BTCUSDT')!;
  expect([held.price, priceOf('BTCUSDT')]).toEqual([10_00000000n, 100]);
  expect(hub.acceptHeld(held)).toBe(true);
  expect(priceOf('BTCUSDT')).toBe(10);
  expect(published.at(-1)).toMatchObject({ symbol: 'BTCUSDT', price: 10 });
  expect([heldPrice('BTCUSDT'), hub.acceptHeld(held)]).toEqual([undefined, false]);
  clock.advance(1_000);
  report('BTCUSDT', 10.1);
  expect(priceOf('BTCUSDT')).toBe(10.1);
});

test('A106: a good price after it forgets what was held back', () => {
  report('BTCUSDT', 100);
  clock.advance(1_000);
  report('BTCUSDT', 10);
  const held = heldOf('BTCUSDT')!;
  report('BTCUSDT', 101);
  expect([heldPrice('BTCUSDT'), hub.acceptHeld(held), priceOf('BTCUSDT')]).toEqual([undefined, false, 101]);
  clock.advance(1_000);
  // What was accepted then is not what is held back now.
  report('BTCUSDT', 1_000);
  expect([hub.acceptHeld(held), priceOf('BTCUSDT')]).toEqual([false, 101]);
});

test('A106: just the price that staff saw is let through, not what came after it', () => {
  report('BTCUSDT', 100);
  clock.advance(1_000);
  report('BTCUSDT', 150);
  const held = heldOf('BTCUSDT')!;
  clock.advance(1_000);
  report('BTCUSDT', 100_000);
  expect(hub.acceptHeld(held)).toBe(true);
  expect(hub.price('BTCUSDT')).toMatchObject({ price: 150_00000000n, pricedAt: start + 1_000 });
  report('BTCUSDT', 100_000);
  expect([priceOf('BTCUSDT'), heldPrice('BTCUSDT')]).toEqual([150, 100_000_00000000n]);
});

test('A106: a restart does not accept the price that a live source had held', () => {
  const live = { source: 'binance' as const };
  report('BTCUSDT', 100, live);
  clock.advance(1_000);
  report('BTCUSDT', 10, live);
  const stored = hub.takeChanged();
  open({ sessions: null, staleAfterS: null });
  hub.restore(stored, () => 'binance');
  for (const [seconds, seen] of [
    [5, 100],
    [6, 100],
    [16, 10],
  ] as const) {
    clock.set(start + seconds * 1_000);
    report('BTCUSDT', 10, live);
    expect([seconds, priceOf('BTCUSDT')]).toEqual([seconds, seen]);
  }
});

test('A106: a market that shut meanwhile opens after a restart at whatever comes then', () => {
  const quoted = { source: 'yahoo' as const };
  open({ sessions: null, staleAfterS: null });
  report('AAPL', 200, quoted);
  const stored = hub.takeChanged();
  open({ sessions: null, staleAfterS: null });
  clock.set(Date.UTC(2026, 10, 21, 12, 0));
  hub.restore(stored, () => 'yahoo');
  clock.set(Date.UTC(2026, 10, 23, 14, 31));
  report('AAPL', 150, quoted);
  expect(hub.price('AAPL')).toMatchObject({ price: 150_00000000n, state: 'live' });
});

test.each(['binance', 'yahoo', 'simulated'] as const)(
  'A37: after the clock was set back by an hour, the prices of %s go on, and silent symbols become stale',
  (source) => {
    open({ sessions: null, staleAfterS: null });
    const hourBack = start - hourMs;
    // The source's own clock is right.
    const reportAt = (price: number, marketTime: number) =>
      hub.take({ symbol: 'BTCUSDT', source, price, marketTime, breaks: source === 'simulated' });
    reportAt(100, start);
    hub.take({ symbol: 'ETHUSDT', source, price: 10, marketTime: start });
    clock.set(hourBack);
    expect(hub.isStale('BTCUSDT', clock.now())).toBe(true);
    for (const [price, second] of [
      [101, 0],
      [102, 1],
      [103, 2],
    ] as const) {
      clock.set(hourBack + second * 1_000);
      reportAt(price, start + second * 1_000);
      expect([priceOf('BTCUSDT'), hub.isStale('BTCUSDT', clock.now())]).toEqual([price, false]);
    }
    hub.refreshStates();
    expect(hub.price('ETHUSDT')).toMatchObject({ price: 10_00000000n, state: 'stale' });
  },
);

test.each(['binance', 'yahoo'] as const)(
  'ENG-9: a price of %s that is dated an hour ahead is of now, and those of right times after it are prices, late ones included',
  (source) => {
    open({ sessions: null, staleAfterS: null });
    const reportAt = (price: number, marketTime: number) =>
      hub.take({ symbol: 'BTCUSDT', source, price, marketTime });
    reportAt(100, start - 600_000);
    clock.advance(1_000);
    reportAt(101, start + hourMs);
    expect(hub.price('BTCUSDT')).toMatchObject({
      price: 101_00000000n,
      marketTime: start + 1_000,
      state: 'live',
    });
    clock.advance(1_000);
    reportAt(102, start - 599_000);
    expect(priceOf('BTCUSDT')).toBe(102);
    reportAt(99, start - 600_000);
    expect(priceOf('BTCUSDT')).toBe(102);
  },
);

test('A106: after the clock was set back, a confirmed price is accepted without that delay', () => {
  const reportAt = (price: number, at: number) => {
    clock.set(at);
    report('BTCUSDT', price, { source: 'binance' as const });
  };
  reportAt(100, start);
  reportAt(10, start + 1_000);
  const back = start - hourMs;
  for (const second of [0, 5, 10]) reportAt(10, back + second * 1_000);
  expect(priceOf('BTCUSDT')).toBe(10);
});

test('forgets a single bad print, and lets the held price age', () => {
  report('AAPL', 200);
  clock.advance(1_000);
  report('AAPL', 100);
  expect(hub.price('AAPL')!.pricedAt).toBe(start);
  clock.advance(1_000);
  report('AAPL', 201);
  expect(priceOf('AAPL')).toBe(201);
  clock.advance(20_000);
  report('AAPL', 100);
  clock.advance(20_000);
  report('AAPL', 150);
  clock.advance(20_000);
  report('AAPL', 100);
  expect(priceOf('AAPL')).toBe(201);
});

test('honoured sessions shut the market after hours at its last price, and open it at whatever comes then', () => {
  open({ sessions: 'honour', staleAfterS: null });
  report('AAPL', 200);
  report('BTCUSDT', 100);
  clock.advance(hourMs);
  report('AAPL', 210);
  report('BTCUSDT', 101);
  expect(hub.price('AAPL')).toMatchObject({ price: 200_00000000n, marketOpen: false });
  expect(published.at(-2)).toMatchObject({ symbol: 'AAPL', price: 200, market_open: false });
  expect(hub.price('BTCUSDT')).toMatchObject({ price: 101_00000000n, marketOpen: true });
  clock.set(Date.UTC(2026, 10, 23, 14, 30));
  report('AAPL', 300);
  expect(hub.price('AAPL')).toMatchObject({ price: 300_00000000n, marketOpen: true });
});

test('without sessions only the source shuts a market', () => {
  clock.set(Date.UTC(2026, 10, 21, 12, 0));
  report('AAPL', 200);
  expect(hub.price('AAPL')!.marketOpen).toBe(true);
  report('AAPL', 200, { marketOpen: false });
  expect(hub.price('AAPL')!.marketOpen).toBe(false);
});

test('restored prices show their age and are replaced by the first tick', () => {
  report('BTCUSDT', 100);
  const stored = hub.takeChanged();
  open({ sessions: '24x7', staleAfterS: null });
  hub.restore(stored, () => 'simulated');
  clock.advance(dayMs);
  expect(priceOf('BTCUSDT')).toBe(100);
  expect(hub.isStale('BTCUSDT', clock.now())).toBe(true);
  expect(published).toEqual([]);
  report('BTCUSDT', 10, { marketTime: start - 1 });
  expect(priceOf('BTCUSDT')).toBe(10);
});

test('hands each changed price to the store once, and takes back what could not be stored', () => {
  report('BTCUSDT', 100);
  report('BTCUSDT', 101);
  report('AAPL', 200);
  const first = hub.takeChanged();
  expect(first.map((price) => price.symbol)).toEqual(['BTCUSDT', 'AAPL']);
  expect(hub.takeChanged()).toEqual([]);
  report('BTCUSDT', 102);
  hub.returnChanged(first);
  expect(hub.takeChanged().map((price) => [price.symbol, toNumber(price.price)])).toEqual([
    ['BTCUSDT', 102],
    ['AAPL', 200],
  ]);
});
