import { hourMs } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import type { PastBar } from './bars.ts';
import { type OpenScript, pickOpen, pickTrade, type TradeScript } from './pick.ts';

const now = Date.UTC(2026, 10, 20, 12);

/** Hours up to now whose closes are given by `priceAt`, hours before now. */
const hoursOf = (count: number, priceAt: (ago: number) => number, wick = 0.0005): PastBar[] =>
  Array.from({ length: count }, (_, index) => {
    const ago = count - index;
    const [open, close] = [priceAt(ago), priceAt(ago - 1)];
    return {
      ...{ at: now - ago * hourMs, open, close },
      ...{ high: Math.max(open, close) * (1 + wick), low: Math.min(open, close) * (1 - wick) },
    };
  });
const rising = hoursOf(24 * 6, (ago) => 100 - ago * 0.1);

const trade: TradeScript = {
  ...{ key: 'one', symbol: 'BTCUSDT', daysAgo: 3, hour: 10, leverage: 10, risk: 100 },
  ...{ r: 1.2, hold: 12, liquidated: false },
};

describe('demo: a scripted trade finds its place on the path', () => {
  test('a gain is bought on a rising path and sold short on a falling one, its stop out of reach', () => {
    const falling = hoursOf(24 * 6, (ago) => 100 + ago * 0.1);
    for (const [bars, side] of [
      [rising, 'BUY'],
      [falling, 'SELL'],
    ] as const) {
      const plan = pickTrade(trade, bars, { now, until: now });
      expect(plan?.side).toBe(side);
      expect(plan?.exitAt).toBeLessThan(now);
      expect(plan?.stop).toBeGreaterThanOrEqual(0.003);
    }
  });

  test('a loss takes the other side, with a stop that the path passes', () => {
    const plan = pickTrade({ ...trade, r: -1 }, rising, { now, until: now });
    expect(plan?.side).toBe('SELL');
    expect(plan?.stop).toBeLessThan(0.02);
  });

  test('a liquidation has no stop and a path that passes its price', () => {
    const plan = pickTrade({ ...trade, leverage: 100, r: -1, liquidated: true }, rising, { now, until: now });
    expect(plan).toMatchObject({ side: 'SELL', stop: null, target: null });
  });

  test('a market that was shut all the while gives no trade', () => {
    expect(pickTrade({ ...trade, daysAgo: 30 }, rising, { now, until: now })).toBeNull();
  });

  const position: OpenScript = {
    ...{ symbol: 'BTCUSDT', side: 'BUY', leverage: 50, margin: 500, hours: 40 },
    ...{ stop: 0.0077, target: 0.0161, move: 0.0066 },
  };

  test('an open position stands near the move that the script expects', () => {
    const plan = pickOpen(position, rising, now);
    const entry = rising.find(({ at }) => at === plan?.at)?.open ?? 0;
    expect(100 / entry - 1).toBeCloseTo(0.0066, 2);
  });

  test('an open position exists on a path too wild for its stop: that moves further away', () => {
    const wild = hoursOf(24 * 6, () => 100, 0.01);
    const plan = pickOpen(position, wild, now);
    expect(plan?.at).toBe(now - hourMs);
    expect(plan?.script.stop).toBeGreaterThanOrEqual(0.0077);
    expect(plan?.script.stop).toBeLessThanOrEqual(0.85 / 50);
  });
});
