/** The state of a price while a newer one is held (A106, A110), and how a hold ends. */
import type { Tick } from '@fulcrum/contract';
import { hourMs, toNumber } from '@fulcrum/domain';
import { beforeEach, expect, test } from 'vitest';
import { createBus } from '../../platform/bus/index.ts';
import { createManualClock, type ManualClock } from '../../platform/clock/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { catalogue } from './catalogue/index.ts';
import type { FeedTick } from './feed.ts';
import { createHub, type Hub } from './hub.ts';
import type { StoredPrice } from './price.ts';

const log = createLog({ logLevel: 'silent' });
const symbol = 'BTCUSDT';
const start = Date.UTC(2026, 10, 20, 20, 0);
let clock: ManualClock;
let published: Tick[];
let hub: Hub;
let startHub: () => Hub;

/** A live price of 100, and 60 a second later. */
beforeEach(() => {
  clock = createManualClock(start);
  const bus = createBus(log);
  published = [];
  bus.subscribe('market.tick', (tick) => published.push(tick));
  startHub = (): Hub => {
    const config = { sessions: null, staleAfterS: null } as const;
    return createHub({ pairs: catalogue, config, clock, bus, log, isInUse: () => true });
  };
  hub = startHub();
  report(100);
  clock.advance(1_000);
  report(60);
});

const report = (price: number, more: Partial<FeedTick> = {}) =>
  hub.take({ symbol, source: 'binance', price, marketTime: clock.now(), ...more });
const seen = () => {
  const price = hub.price(symbol);
  return price && { price: toNumber(price.price), state: price.state, held: price.held };
};
const standing = { price: 100, state: 'stale', held: true };
const heldNow = () => hub.holds()[0]!;

test('ENG-3 A110: the last price is stale from the held tick on, and the change is published', () => {
  expect(seen()).toEqual(standing);
  expect(hub.isStale(symbol, clock.now())).toBe(true);
  expect(published.map(({ price, state, held }) => [price, state, held])).toEqual([
    [100, 'live', undefined],
    [100, 'stale', true],
  ]);
  expect(hub.takeChanged()).toMatchObject([{ price: 100_00000000n, state: 'stale' }]);
  clock.advance(1_000);
  report(60.1);
  // It is published once.
  expect(published).toHaveLength(2);
});

test.each<[string, () => unknown, number]>([
  ['the market comes back', () => report(101), 101],
  ['an admin accepts it', () => hub.acceptHeld(heldNow()), 60],
  ['an admin rejects it', () => hub.rejectHeld(heldNow()), 100],
])('ENG-3 A110: trading goes on once %s', (_, resolveHold, price) => {
  resolveHold();
  expect(seen()).toEqual({ price, state: 'live', held: false });
  expect(hub.isStale(symbol, clock.now())).toBe(false);
  expect(published.at(-1)).toMatchObject({ price, state: 'live' });
  expect(published.at(-1)).not.toHaveProperty('held');
});

test('ENG-3 A106: and once the market has confirmed it, not a tick earlier', () => {
  for (const at of [5_000, 9_000]) {
    clock.set(start + 1_000 + at);
    report(60.1);
    expect(seen()).toEqual(standing);
  }
  clock.set(start + 11_000);
  report(60.2);
  expect(seen()).toEqual({ price: 60.2, state: 'live', held: false });
});

test('ENG-3: an answer from before the jump that arrives after it does not allow trades at the old price', () => {
  clock.advance(500);
  report(100.5, { marketTime: start + 500 });
  expect(seen()).toEqual(standing);
});

test('ENG-3: after a clock that was set back a price of then ends it all the same', () => {
  clock.set(start - hourMs);
  report(101);
  expect(seen()).toMatchObject({ price: 101, held: false });
});

test('ENG-3 A98: a hold ends with its session: only the next price reopens the market', () => {
  const held = heldNow();
  clock.advance(1_000);
  report(60, { marketOpen: false });
  expect(seen()).toEqual({ price: 100, state: 'closed', held: false });
  expect([hub.acceptHeld(held), hub.holds()]).toEqual([false, []]);
  expect(seen()).toMatchObject({ state: 'closed' });
  clock.advance(1_000);
  report(61);
  expect(seen()).toEqual({ price: 61, state: 'live', held: false });
});

test('ENG-3 A110: a price of another source is held alike; before that source has spoken none is, and the last one is only stale', () => {
  const [last] = hub.takeChanged();
  hub.restore([{ ...last!, heldBack: null }], () => 'yahoo');
  expect(seen()).toEqual({ ...standing, held: false });
  report(60, { source: 'yahoo' });
  expect(seen()).toEqual(standing);
  expect(hub.rejectHeld(heldNow())).toBe(true);
  expect(seen()).toEqual({ ...standing, held: false });
});

/** Another process goes on from what this one stored. */
function restart(source: 'binance' | null = 'binance', more: Partial<StoredPrice> = {}) {
  const [stored] = hub.takeChanged();
  hub = startHub();
  hub.restore([{ ...stored!, ...more }], () => source);
}

test('ENG-3: a restart during a hold keeps the held price and its time, before a source is selected (A110)', () => {
  clock.advance(2_000);
  report(60.5);
  const before = heldNow();
  clock.advance(1_000);
  restart(null);
  expect(seen()).toEqual(standing);
  expect(heldNow()).toEqual({ ...before, last: hub.price(symbol) });
  expect(hub.acceptHeld(heldNow())).toBe(true);
  expect(seen()).toEqual({ price: 60.5, state: 'live', held: false });
  expect(hub.takeChanged()).toMatchObject([{ price: 60_50000000n, heldBack: null }]);
});

test('ENG-3: after a restart during a hold, ticks older than the held price do not contradict it (A110)', () => {
  restart();
  report(100.5, { marketTime: start + 500 });
  expect(seen()).toEqual(standing);
  clock.advance(1_000);
  report(100.5);
  expect(seen()).toEqual({ price: 100.5, state: 'live', held: false });
});

test('ENG-3: after a restart within a hold the market confirms it from the first tick on (A110)', () => {
  clock.advance(10_000);
  report(60.1);
  clock.advance(1_000);
  restart();
  for (const _ of [1, 2]) {
    report(60.2);
    expect(seen()).toEqual(standing);
    clock.advance(5_000);
  }
  report(60.3);
  expect(seen()).toEqual({ price: 60.3, state: 'live', held: false });
});

test('ENG-3 A98: a restart does not restore a hold whose session is over', () => {
  restart('binance', { source: 'simulated', marketOpen: false });
  expect(seen()).toEqual({ price: 100, state: 'closed', held: false });
  expect(hub.holds()).toEqual([]);
});

test('ENG-3: what could not be stored is stored with what is held back by then (A110)', () => {
  const failed = hub.takeChanged();
  expect(failed).toMatchObject([{ heldBack: { price: 60_00000000n } }]);
  hub.rejectHeld(heldNow());
  hub.takeChanged();
  hub.returnChanged(failed);
  expect(hub.takeChanged()).toMatchObject([{ heldBack: null }]);
});
