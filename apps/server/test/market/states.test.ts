/** The state of a price, and its changes without a tick of its source (A37, A98, docs/market.md). */
import type { Tick } from '@fulcrum/contract';
import { hourMs, minuteMs, toNumber } from '@fulcrum/domain';
import { beforeEach, expect, test } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import { createHub, type Hub } from '../../src/features/market/hub.ts';
import type { FeedTick } from '../../src/features/market/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { createManualClock, type ManualClock } from '../../src/platform/clock/index.ts';
import { testLog } from '../harness/index.ts';

/** A Friday, 15:00 in New York. */
const start = Date.UTC(2026, 10, 20, 20, 0);
/** The next opening of New York's stock exchanges, a Monday 09:30. */
const opening = Date.UTC(2026, 10, 23, 14, 30);
let clock: ManualClock;
let published: Tick[];
let hub: Hub;

function open(sessions: 'honour' | '24x7' | null = null, staleAfterS: number | null = null) {
  clock = createManualClock(start);
  const bus = createBus(testLog);
  published = [];
  bus.subscribe('market.tick', (tick) => published.push(tick));
  hub = createHub({ pairs: catalogue, config: { sessions, staleAfterS }, clock, bus, log: testLog });
}
beforeEach(() => open());

const report = (symbol: string, source: FeedTick['source'], price: number, more: Partial<FeedTick> = {}) =>
  hub.take({ symbol, source, price, marketTime: clock.now(), ...more });
const stateOf = (symbol: string) => hub.price(symbol)?.state;
const isStale = (symbol: string) => hub.isStale(symbol, clock.now());
const priceOf = (symbol: string) => {
  const price = hub.price(symbol);
  return price && toNumber(price.price);
};

test('each price states its source', () => {
  report('BTCUSDT', 'binance', 100);
  report('AAPL', 'yahoo', 200);
  report('MSFT', 'simulated', 300);
  report('NVDA', 'replay', 400, { marketTime: Date.UTC(2022, 1, 1) });
  expect(['BTCUSDT', 'AAPL', 'MSFT', 'NVDA'].map(stateOf)).toEqual(['live', 'live', 'simulated', 'replay']);
  expect(['BTCUSDT', 'AAPL', 'MSFT', 'NVDA'].map(isStale)).toEqual([false, false, false, false]);
});

test('A37: a price without ticks becomes stale within a second of its time, and is published and stored once at its old age', () => {
  report('BTCUSDT', 'binance', 100);
  report('AAPL', 'yahoo', 200);
  hub.takeChanged();
  published = [];
  clock.advance(15_000);
  hub.refreshStates();
  expect(published).toEqual([]);
  clock.advance(1_000);
  hub.refreshStates();
  hub.refreshStates();
  const priced_at = new Date(start).toISOString();
  expect(published).toMatchObject([{ symbol: 'BTCUSDT', price: 100, state: 'stale', priced_at }]);
  expect(hub.takeChanged()).toMatchObject([{ symbol: 'BTCUSDT', state: 'stale', pricedAt: start }]);
  expect([isStale('BTCUSDT'), isStale('AAPL')]).toEqual([true, false]);
  clock.advance(45_000);
  hub.refreshStates();
  expect(stateOf('AAPL')).toBe('stale');
  report('AAPL', 'yahoo', 201);
  expect([stateOf('AAPL'), isStale('AAPL')]).toEqual(['live', false]);
});

test('A37: an open market whose provider is over 20 min behind is delayed: nothing opens or fires on it', () => {
  report('AAPL', 'yahoo', 200, { marketTime: start - 20 * minuteMs });
  expect([stateOf('AAPL'), isStale('AAPL')]).toEqual(['live', false]);
  clock.advance(1_000);
  report('AAPL', 'yahoo', 200, { marketTime: start - 20 * minuteMs });
  expect([stateOf('AAPL'), isStale('AAPL'), hub.price('AAPL')?.marketOpen]).toEqual(['delayed', true, true]);
  report('AAPL', 'yahoo', 201);
  expect([stateOf('AAPL'), isStale('AAPL')]).toEqual(['live', false]);
});

test('A37: recorded and simulated prices are never delayed', () => {
  report('AAPL', 'replay', 200, { marketTime: Date.UTC(2022, 11, 13) });
  expect([stateOf('AAPL'), isStale('AAPL')]).toEqual(['replay', false]);
});

test('the gravest state counts: closed before stale before delayed', () => {
  report('AAPL', 'yahoo', 200, { marketTime: start - 30 * minuteMs });
  expect(stateOf('AAPL')).toBe('delayed');
  clock.advance(2 * minuteMs);
  hub.refreshStates();
  expect(stateOf('AAPL')).toBe('stale');
  clock.set(Date.UTC(2026, 10, 20, 21, 0));
  hub.refreshStates();
  expect(stateOf('AAPL')).toBe('closed');
});

test.each([
  [null, 'yahoo', 'closed'],
  [null, 'binance', 'live'],
  [null, 'simulated', 'simulated'],
  [null, 'replay', 'replay'],
  ['honour', 'simulated', 'closed'],
  ['honour', 'yahoo', 'closed'],
  ['24x7', 'yahoo', 'live'],
] as const)('A98: with SESSIONS=%s a stock of %s is %s on a Saturday', (sessions, source, state) => {
  open(sessions);
  clock.set(Date.UTC(2026, 10, 21, 15, 0));
  report('AAPL', source, 200);
  expect(stateOf('AAPL')).toBe(state);
});

test('A98: crypto never closes, whatever SESSIONS is', () => {
  open('honour');
  clock.set(Date.UTC(2026, 10, 21, 3, 0));
  report('BTCUSDT', 'binance', 100);
  report('ETHUSDT', 'simulated', 100);
  expect([stateOf('BTCUSDT'), stateOf('ETHUSDT')]).toEqual(['live', 'simulated']);
});

test('A98: a market closes by its hours without a tick, and opens for trading with the first price of the new session only', () => {
  report('AAPL', 'yahoo', 200);
  clock.set(Date.UTC(2026, 10, 20, 21, 0));
  hub.refreshStates();
  expect(published.at(-1)).toMatchObject({ symbol: 'AAPL', state: 'closed', market_open: false });
  // Polled on over the weekend: the close, again and again.
  clock.set(opening - 1_000);
  report('AAPL', 'yahoo', 200, { marketTime: start });
  expect(stateOf('AAPL')).toBe('closed');
  clock.set(opening);
  hub.refreshStates();
  expect([hub.price('AAPL')?.marketOpen, isStale('AAPL')]).toEqual([true, true]);
  clock.advance(2_000);
  report('AAPL', 'yahoo', 200, { marketTime: start });
  expect([hub.price('AAPL')?.marketOpen, isStale('AAPL')]).toEqual([true, true]);
  // Half of it: absurd within a session, but exempt after a close (A106).
  clock.advance(1_000);
  report('AAPL', 'yahoo', 100);
  expect([priceOf('AAPL'), stateOf('AAPL'), isStale('AAPL')]).toEqual([100, 'live', false]);
  clock.advance(1_000);
  report('AAPL', 'yahoo', 50);
  expect(priceOf('AAPL')).toBe(100);
});

test('A98: the closing price of a polled source may come after the close; later ones of other sources do not count', () => {
  open('honour');
  report('AAPL', 'yahoo', 200);
  report('MSFT', 'simulated', 300);
  const close = Date.UTC(2026, 10, 20, 21, 0);
  clock.set(close + 30_000);
  hub.refreshStates();
  report('AAPL', 'yahoo', 202, { marketTime: close + 1_000 });
  report('MSFT', 'simulated', 302);
  expect([priceOf('AAPL'), stateOf('AAPL')]).toEqual([202, 'closed']);
  expect([priceOf('MSFT'), stateOf('MSFT')]).toEqual([300, 'closed']);
  report('AAPL', 'yahoo', 100, { marketTime: close + 2_000 });
  expect(priceOf('AAPL')).toBe(202);
});

test('a cached price makes no newer one older, nor itself younger', () => {
  report('AAPL', 'yahoo', 200, { receivedAt: start - 50_000 });
  expect(hub.price('AAPL')?.pricedAt).toBe(start - 50_000);
  clock.advance(11_000);
  expect(isStale('AAPL')).toBe(true);
  report('AAPL', 'yahoo', 201);
  report('AAPL', 'yahoo', 200, { receivedAt: start });
  expect([priceOf('AAPL'), hub.price('AAPL')?.pricedAt]).toEqual([201, start + 11_000]);
  report('AAPL', 'yahoo', 202, { receivedAt: clock.now() + hourMs });
  expect(hub.price('AAPL')?.pricedAt).toBe(clock.now());
});

test('a provider whose clock is ahead blocks its own ticks neither now nor later', () => {
  report('BTCUSDT', 'binance', 100, { marketTime: start + hourMs });
  expect(hub.price('BTCUSDT')?.marketTime).toBe(start);
  clock.advance(1_000);
  report('BTCUSDT', 'binance', 101);
  expect(priceOf('BTCUSDT')).toBe(101);
});

test.each([
  ['a time before 1970', { marketTime: -1 }],
  ['a time beyond the calendar', { marketTime: 1e300 }],
  ['no time', { marketTime: Number.NaN }],
  ['no time of hearing', { receivedAt: Number.NaN }],
])('FEED-37: an update with %s is dropped', (_, more) => {
  report('BTCUSDT', 'binance', 100, more);
  expect(hub.price('BTCUSDT')).toBeUndefined();
});

test('absurd figures of the day are dropped, and those of another source are not shown with its successor', () => {
  report('BTCUSDT', 'replay', 100, {
    day: { priceChangePercent: 1e30, volume: 1e300, quoteVolume: 5, high: 110, low: Number.NaN },
  });
  expect(hub.price('BTCUSDT')).toMatchObject({
    ...{ priceChangePercent: null, volume: 0, quoteVolume: 5, high24h: 110, low24h: null },
  });
  report('BTCUSDT', 'simulated', 101);
  expect(hub.price('BTCUSDT')).toMatchObject({ priceChangePercent: null, quoteVolume: 0, high24h: null });
});

test('the list can change: prices of pairs that stay are kept, the others are dropped', () => {
  report('BTCUSDT', 'binance', 100);
  report('ETHUSDT', 'binance', 50);
  const left = catalogue.filter(({ symbol }) => symbol !== 'ETHUSDT');
  hub.setPairs(left);
  expect([priceOf('BTCUSDT'), priceOf('ETHUSDT')]).toEqual([100, undefined]);
  expect(hub.takeChanged().map(({ symbol }) => symbol)).toEqual(['BTCUSDT']);
  report('ETHUSDT', 'binance', 51);
  expect(priceOf('ETHUSDT')).toBeUndefined();
  hub.setPairs(catalogue);
  report('ETHUSDT', 'binance', 51);
  expect(priceOf('ETHUSDT')).toBe(51);
});
