import { asPrice, minuteMs, parseDecimal } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { takeMarks } from './closing-marks.ts';

const now = Date.parse('2026-11-29T12:00:00Z');
const marketAt = (age: number, source: 'simulated' | 'yahoo') => ({
  isStale: (_: string, at: number) => at - (now - age) > minuteMs,
  price: (symbol: string) => ({
    ...({
      symbol,
      price: asPrice(parseDecimal('100')),
      source,
      state: source === 'yahoo' ? 'live' : source,
    } as const),
    ...{ pricedAt: now - age, marketTime: now - age, marketOpen: true, held: false },
    ...{ priceChangePercent: null, volume: 0, quoteVolume: 0, high24h: null, low24h: null },
  }),
});
const markOf = (age: number, source: 'simulated' | 'yahoo') =>
  takeMarks(marketAt(age, source), ['BTCUSDT'], now).marks.BTCUSDT;

test('a simulated price of more than ten seconds ago is an old one, a quote of a provider after its own time', () => {
  expect(markOf(10_000, 'simulated')).toEqual({
    ...{ price: '100', state: 'live', at: '2026-11-29T11:59:50.000Z', source: 'simulated' },
  });
  expect(markOf(10_001, 'simulated')?.state).toBe('old');
  expect(markOf(10_001, 'yahoo')).toMatchObject({ state: 'live', source: 'yahoo' });
  expect(markOf(minuteMs + 1, 'yahoo')?.state).toBe('old');
});
