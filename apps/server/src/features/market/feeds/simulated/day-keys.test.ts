import { dayMs, hourMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { createManualTimers } from '../../../../../test/harness/manual-timers.ts';
import { catalogue } from '../../catalogue/index.ts';
import {
  committedStreams,
  createDayKeys,
  createSimulatedFeed,
  keyIdOf,
  keysOfDay,
  keysOfPast,
  type MarketModel,
  modelOfDayKeys,
  modelOfKey,
  publishedKeys,
} from './index.ts';

const key = Buffer.alloc(32, 9);
const first = Math.floor(Date.UTC(2026, 10, 20) / dayMs);
const keyOf = createDayKeys(key);
const named = new Set(['BTCUSDT', 'EUR/GBP', 'BCOUSD', 'XCUUSD', 'AAPL']);
const pairs = catalogue.filter(({ symbol }) => named.has(symbol));
const streams = committedStreams(pairs);
const past = () => Buffer.concat([...keysOfPast(keyOf, first)]);

const feedOf = (model: MarketModel) =>
  createSimulatedFeed({
    ...{ model, pairs, sessions: null, shocks: [], scales: new Map(), timers: createManualTimers(0) },
  });
const publish = (days: number) =>
  publishedKeys({
    ...{ streams, from: first, past: past() },
    days: Array.from({ length: days }, (_, index) => keysOfDay(keyOf, streams, first + index)),
  });

test('A109: published keys of days give their prices, of pairs with one path and with two', () => {
  expect(pairs).toHaveLength(named.size);
  const market = feedOf(modelOfKey(key, false));
  const proof = feedOf(modelOfDayKeys(publish(2), keyIdOf(key), false));
  for (const symbol of named) {
    for (let at = first * dayMs; at < (first + 2) * dayMs; at += hourMs + 12_345) {
      expect(proof.shownPriceAt(symbol, at), `${symbol} ${at}`).toBe(market.shownPriceAt(symbol, at));
    }
  }
});

test('A109: they give no price of the next day, and none has a key of a volume', () => {
  const proof = feedOf(modelOfDayKeys(publish(1), keyIdOf(key), false));
  expect(proof.shownPriceAt('BTCUSDT', (first + 1) * dayMs - 1)).not.toBeNull();
  for (const at of [first - 1, first + 1]) {
    expect(() => proof.shownPriceAt('BTCUSDT', at * dayMs + hourMs)).toThrow('is not published');
  }
  expect(streams.map(([purpose]) => purpose)).not.toContain('volume');
  const bytes = Buffer.concat([past(), keysOfDay(keyOf, streams, first)]);
  for (const symbol of named) expect(bytes.includes(keyOf('volume', symbol, first))).toBe(false);
});
