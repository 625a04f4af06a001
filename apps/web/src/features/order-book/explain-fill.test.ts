import { expect, test } from 'vitest';
import { explainFill, type FilledPart } from './explain-fill.ts';

const steps = { tickSize: 0.01, stepSize: 0.01, baseAsset: 'BTC' };
const fill: FilledPart = {
  ...{ id: 'one', symbol: 'BTCUSDT', side: 'BUY', size: 2, value: 128_010, price: 64_005, mid: 64_000 },
  ...{ quoteId: 'q', liquidity: 'taker', fee: 76.8, spreadCost: 2, impactCost: 3, latencyCost: 0 },
  ...{ realizedPnl: null, createdAt: '2026-11-28T04:00:00Z' },
};

test('A114: a fill on the book names the middle, and what spread, depth and fee have cost', () => {
  expect(explainFill(fill, steps)).toBe(
    'Bought 2.00 BTC at 64,005.00 on average. The middle of the market was 64,000.00; the spread cost 4.00 USDT, the depth 6.00 USDT, and the fee was 76.80 USDT.',
  );
});

test('A114: a maker got its own price, which the market had passed', () => {
  const maker = { ...fill, side: 'SELL', liquidity: 'maker', price: 64_000, mid: 64_010 } as const;
  expect(explainFill({ ...maker, spreadCost: 10, impactCost: 0 }, steps)).toBe(
    'Sold 2.00 BTC at 64,000.00, its own price, as a maker. The middle of the market was 64,010.00, 20.00 USDT beyond it; the fee was 76.80 USDT.',
  );
});

test('A114: a fill of another account was at the one price of the market', () => {
  const plain = { ...fill, price: 64_000, quoteId: null, spreadCost: 0, impactCost: 0, fee: 0 };
  expect(explainFill(plain, steps)).toBe(
    "Bought 2.00 BTC at 64,000.00, the market's one price, without a spread; the fee was 0.00 USDT.",
  );
});

test('A113: what the market moved by on the way of the order is named, and whether it cost or gave', () => {
  const late = { ...fill, mid: 63_990, latencyCost: 10 };
  expect(explainFill(late, steps)).toContain(
    'The middle of the market was 63,990.00 when it arrived; until it was filled the market moved, which cost 20.00 USDT; the spread cost 4.00 USDT',
  );
  expect(explainFill({ ...late, latencyCost: -1 }, steps)).toContain('which gave 2.00 USDT');
});
