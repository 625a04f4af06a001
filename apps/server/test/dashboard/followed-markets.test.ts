/** Which markets the synthetic content follows, and how often it requests their bars. */
import { minuteMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import type { BarsDependencies } from '../../src/features/dashboard/bars/index.ts';
import {
  createContentReader,
  followedSymbols,
  quarterMs,
} from '../../src/features/dashboard/synthetic-content/followed-markets.ts';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import type { MarketPrice } from '../../src/features/market/index.ts';
import { testLog } from '../harness/index.ts';
import { createManualTimers } from '../harness/manual-timers.ts';

type Candles = BarsDependencies['market']['candles'];

function open(
  start: number,
  dayPercentOf: (symbol: string) => number,
  lastBarAt = (now: number): number => now - (now % quarterMs),
) {
  const timers = createManualTimers(start);
  const requests: { readonly symbol: string; readonly limit: number }[] = [];
  const candles = (async (symbol, _, { limit }) => {
    requests.push({ symbol, limit });
    return Array.from({ length: limit }, (_, back) => {
      const open_time = new Date(lastBarAt(timers.now()) - back * quarterMs).toISOString();
      return { open_time, open: 1, high: 1, low: 1, close: 1, volume: 1, quote_volume: 1 };
    });
  }) as Candles;
  const price = (symbol: string) =>
    ({
      price: 100_000_000n,
      source: 'simulated',
      state: 'live',
      priceChangePercent: dayPercentOf(symbol),
    }) as unknown as MarketPrice;
  const pairs = catalogue.map((listing, sortOrder) => ({ ...listing, id: listing.symbol, sortOrder }));
  const market = { pairs: () => pairs, isListed: () => true, price, candles, ticks: () => [] };
  const read = createContentReader({ market, timers, log: testLog, seed: '', db: expect.anything() });
  return { timers, requests, read };
}

test('on a day on which all of crypto falls, the always-followed markets keep their place and four movers join', async () => {
  const hardest = ['UNIUSDT', 'ARBUSDT', 'FETUSDT', 'SHIBUSDT'];
  const types = new Map(catalogue.map(({ symbol, type }) => [symbol, type]));
  const { requests, read } = open(Date.UTC(2026, 10, 18, 16, 7), (symbol) =>
    hardest.includes(symbol) ? -14 : types.get(symbol) === 'crypto' ? -11 : 0,
  );
  const { markets } = await read();
  const expected = new Set([...followedSymbols, ...hardest]);
  expect(new Set(markets.map(({ pair }) => pair.symbol))).toEqual(expected);
  expect(new Set(requests.map(({ symbol }) => symbol))).toEqual(expected);
  expect(requests).toHaveLength(expected.size);
});

test('the newest bars of a market that is shut are requested once a quarter of an hour, also after a start in its night', async () => {
  const saturday = Date.UTC(2026, 10, 21, 12);
  const fridaysClose = Date.UTC(2026, 10, 20, 21);
  const { timers, requests, read } = open(
    saturday,
    () => 0,
    () => fridaysClose - quarterMs,
  );
  const listing = catalogue.find(({ symbol }) => symbol === 'AAPL') ?? expect.unreachable();
  const limits: number[][] = [];
  for (let quarter = 0; quarter < 2; quarter += 1) {
    for (let minute = 0; minute < 15; minute += 1) {
      await read();
      await timers.advance(minuteMs);
    }
    limits.push(requests.splice(0).flatMap(({ symbol, limit }) => (symbol === listing.symbol ? limit : [])));
  }
  expect(limits).toEqual([[371], [4]]);
});
