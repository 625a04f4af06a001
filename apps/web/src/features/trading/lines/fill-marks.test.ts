import { expect, test } from 'vitest';
import { toFillMarks } from './useFillMarks.ts';

const steps = { tickSize: 0.01, stepSize: 0.001 };
const short = {
  id: 'p',
  rules: 'standard',
  side: 'SELL',
  size: 0.5,
  entryPrice: 60_000,
  createdAt: '2026-11-23T10:00:00Z',
  closedAt: null,
  closePrice: null,
  realizedPnl: null,
} as const;

test('charts: a position marks its opening, and once closed its closing with the result', () => {
  expect(toFillMarks(short, steps)).toEqual([
    { id: 'p-open', at: Date.parse(short.createdAt), side: 'SELL', text: 'Sold 0.500 at 60,000.00' },
  ]);
  const closedAt = '2026-11-23T11:00:00Z';
  const closed = { ...short, closedAt, closePrice: 59_000, realizedPnl: 498.5 };
  expect(toFillMarks(closed, steps)[1]).toEqual({
    id: 'p-close',
    at: Date.parse(closedAt),
    side: 'BUY',
    text: 'Bought 0.500 at 59,000.00, +498.50 USDT',
  });
});

test('charts: a net position has no marks of its own, because each of its fills has one', () => {
  expect(toFillMarks({ ...short, rules: 'perpetual' }, steps)).toEqual([]);
});
