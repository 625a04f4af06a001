import { expect, test } from 'vitest';
import { toExecutionMark } from './execution-marks.ts';

const steps = { tickSize: 0.01, stepSize: 0.001 };
const fill = (id: string, side: 'BUY' | 'SELL', size: number, price: number, realizedPnl: number | null) => ({
  ...{ id, side, size, price, realizedPnl },
  createdAt: `2026-11-23T1${id}:00:00Z`,
});
const at = (id: string) => Date.parse(`2026-11-23T1${id}:00:00Z`);

test('charts, A114: each fill of a net position is marked at its own time, side and price', () => {
  const fills = [
    fill('0', 'BUY', 1, 95_000, null),
    // It increases the position.
    fill('1', 'BUY', 1, 97_000, null),
    // It closes a part.
    fill('2', 'SELL', 0.5, 98_000, 1_000),
    // It closes the rest, and opens the other side.
    fill('3', 'SELL', 2, 94_000, -3_000),
  ];
  expect(fills.map((one) => toExecutionMark(one, steps))).toEqual([
    { id: '0', at: at('0'), side: 'BUY', text: 'Bought 1.000 at 95,000.00' },
    { id: '1', at: at('1'), side: 'BUY', text: 'Bought 1.000 at 97,000.00' },
    { id: '2', at: at('2'), side: 'SELL', text: 'Sold 0.500 at 98,000.00, +1,000.00 USDT' },
    { id: '3', at: at('3'), side: 'SELL', text: `Sold 2.000 at 94,000.00, −3,000.00 USDT` },
  ]);
});
