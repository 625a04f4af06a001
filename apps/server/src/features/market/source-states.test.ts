import type { PriceState, Source } from '@fulcrum/contract';
import { expect, test } from 'vitest';
import type { MarketPrice } from './price.ts';
import { createSourceActivity } from './source-activity.ts';
import { getSourceStates, type SourceStatesInput } from './source-states.ts';

const now = 1_000_000_000;

function known(
  prices: readonly (readonly [Source, PriceState | null])[],
  more: Partial<SourceStatesInput> = {},
): SourceStatesInput {
  const activity = createSourceActivity();
  for (const [source] of prices) activity.record(source, now - 3_000);
  return {
    served: prices.map(([source], i) => [`S${i}`, source]),
    price: (symbol) => {
      const state = prices[Number(symbol.slice(1))]?.[1];
      return state ? ({ symbol, state } as MarketPrice) : undefined;
    },
    providers: [],
    activity,
    replayTrouble: null,
    isSeedPublic: false,
    now,
    silentAfterMs: 15_000,
    ...more,
  };
}

test('ticks are counted by two seconds of the last minute, the oldest first', () => {
  const activity = createSourceActivity();
  for (const ago of [61_000, 58_000, 3_000, 2_500, 0]) activity.record('binance', now - ago);
  const ticks = activity.lastMinute('binance', now);
  expect(ticks).toHaveLength(30);
  expect(ticks.slice(0, 2)).toEqual([1, 0]);
  expect(ticks.slice(-3)).toEqual([2, 0, 1]);
  expect(activity.lastMinute('binance', now + 120_000)).toEqual(Array.from({ length: 30 }, () => 0));
  expect(activity.lastTickAt('yahoo')).toBeNull();
});

test('a source is what its prices are worth', () => {
  const states = getSourceStates(
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

test('a provider that does not answer is down, with its reason; one whose prices are all old is stale', () => {
  const fault = 'binance.test does not answer';
  const provider = { source: 'binance', ok: false, fault, receivedAt: null, symbols: 1 } as const;
  expect(getSourceStates(known([['binance', 'live']], { providers: [provider] }))).toMatchObject([
    { state: 'down', trouble: fault },
  ]);
  expect(
    getSourceStates(
      known([
        ['yahoo', 'delayed'],
        ['yahoo', null],
      ]),
    ),
  ).toMatchObject([{ state: 'stale', staleSymbols: 2, trouble: 'All prices are stale' }]);
  expect(getSourceStates(known([['replay', 'replay']], { replayTrouble: 'Paused' }))).toMatchObject([
    { state: 'replay', trouble: 'Paused' },
  ]);
});

test('A109: the state of the simulation warns of a public seed, also while all markets are closed', () => {
  const trouble = 'The seed is public: whoever knows the seed knows the prices';
  for (const state of ['simulated', 'closed'] as const) {
    expect(getSourceStates(known([['simulated', state]], { isSeedPublic: true }))).toMatchObject([
      { trouble },
    ]);
    expect(getSourceStates(known([['simulated', state]]))).toMatchObject([{ trouble: null }]);
  }
  expect(getSourceStates(known([['binance', 'live']], { isSeedPublic: true }))).toMatchObject([
    { trouble: null },
  ]);
});
