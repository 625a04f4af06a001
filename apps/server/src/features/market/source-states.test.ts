import type { PriceState, Source } from '@fulcrum/contract';
import { expect, test } from 'vitest';
import type { MarketPrice } from './price.ts';
import { createSourceActivity } from './source-activity.ts';
import { type KnownOfSources, sourceStatesOf } from './source-states.ts';

const now = 1_000_000_000;

function known(
  prices: readonly (readonly [Source, PriceState | null])[],
  more: Partial<KnownOfSources> = {},
): KnownOfSources {
  const activity = createSourceActivity();
  for (const [source] of prices) activity.note(source, now - 3_000);
  return {
    served: prices.map(([source], i) => [`S${i}`, source]),
    price: (symbol) => {
      const state = prices[Number(symbol.slice(1))]?.[1];
      return state ? ({ symbol, state } as MarketPrice) : undefined;
    },
    providers: [],
    activity,
    isReplayPaused: false,
    now,
    silentAfterMs: 15_000,
    ...more,
  };
}

test('ticks are counted by two seconds of the last minute, the oldest first', () => {
  const activity = createSourceActivity();
  for (const ago of [61_000, 58_000, 3_000, 2_500, 0]) activity.note('binance', now - ago);
  const ticks = activity.lastMinute('binance', now);
  expect(ticks).toHaveLength(30);
  expect(ticks.slice(0, 2)).toEqual([1, 0]);
  expect(ticks.slice(-3)).toEqual([2, 0, 1]);
  expect(activity.lastMinute('binance', now + 120_000)).toEqual(Array.from({ length: 30 }, () => 0));
  expect(activity.lastTickAt('yahoo')).toBeNull();
});

test('a source is what its prices are worth', () => {
  const states = sourceStatesOf(
    known([
      ['binance', 'live'],
      ['binance', 'stale'],
      ['yahoo', 'closed'],
      ['simulated', 'simulated'],
    ]),
  );
  expect(
    states.map(({ source, state, symbols, staleSymbols }) => [source, state, symbols, staleSymbols]),
  ).toEqual([
    ['binance', 'live', 2, 1],
    ['yahoo', 'idle', 1, 0],
    ['simulated', 'simulated', 1, 0],
  ]);
});

test('a provider that does not answer is down, in its own words; one whose prices are all old is stale', () => {
  const fault = 'binance.test does not answer';
  const provider = { source: 'binance', ok: false, fault, heardAt: null, symbols: 1 } as const;
  expect(sourceStatesOf(known([['binance', 'live']], { providers: [provider] }))).toMatchObject([
    { state: 'down', trouble: fault },
  ]);
  expect(
    sourceStatesOf(
      known([
        ['yahoo', 'delayed'],
        ['yahoo', null],
      ]),
    ),
  ).toMatchObject([{ state: 'stale', staleSymbols: 2, trouble: 'All prices are stale' }]);
  expect(sourceStatesOf(known([['replay', 'replay']], { isReplayPaused: true }))).toMatchObject([
    { state: 'replay', trouble: 'Paused' },
  ]);
});
