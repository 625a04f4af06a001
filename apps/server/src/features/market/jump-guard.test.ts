/** Both sides of each threshold of the guard against absurd prices (A106). */
import { type MarketType, marketTypes } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { createJumpGuard } from './jump-guard.ts';

const boundPct = { crypto: 30, stock: 15, forex: 15, commodity: 15, index: 15 } as const satisfies Record<
  MarketType,
  number
>;

/** Whether the last of these ticks is admitted after a price of 100; `[price, seconds of market time]`. */
function admitted(...ticks: readonly (readonly [price: number, atS: number])[]): boolean {
  const guard = createJumpGuard('crypto');
  return ticks.map(([price, atS]) => guard.admits(100, price, atS * 1000)).at(-1) === true;
}

describe.each(marketTypes.map((type) => [type, boundPct[type]] as const))('%s', (type, bound) => {
  test.each([
    ['up', 1],
    ['down', -1],
  ])(
    `A106 ENG-3: a tick of ${bound - 0.1} %% %s trades at once, one of ${bound + 0.1} %% is held`,
    (_, sign) => {
      const moved = (pct: number) => 100 * (1 + (sign * pct) / 100);
      expect(createJumpGuard(type).admits(100, moved(bound - 0.1), 0)).toBe(true);
      expect(createJumpGuard(type).admits(100, moved(bound + 0.1), 0)).toBe(false);
    },
  );
});

describe('A106 ENG-3: a held price is confirmed', () => {
  test('by its third tick, and not by its second however late that comes', () => {
    expect(admitted([50, 0], [50, 3600])).toBe(false);
    expect(admitted([50, 0], [50, 5], [50, 10])).toBe(true);
  });

  test('after ten seconds of market time, and not after 9.9, however many ticks there are', () => {
    expect(admitted([50, 0], [50, 2], [50, 4], [50, 6], [50, 8], [50, 9.9])).toBe(false);
    expect(admitted([50, 0], [50, 5], [50, 9.9])).toBe(false);
    expect(admitted([50, 0], [50, 5], [50, 10])).toBe(true);
  });

  test('where the ticks agree within 1 %, and not where one of them differs by 1.01 %', () => {
    for (const sign of [1, -1]) {
      const off = (pct: number) => 50 * (1 + (sign * pct) / 100);
      expect(admitted([50, 0], [off(0.99), 5], [off(0.99), 10])).toBe(true);
      expect(admitted([50, 0], [off(1.01), 5], [off(1.01), 10])).toBe(false);
      expect(admitted([50, 0], [50, 5], [off(1.01), 10])).toBe(false);
    }
  });

  test('by consecutive ticks: another absurd price, or a good one, restarts the count', () => {
    expect(admitted([50, 0], [50, 5], [60, 9], [50, 10])).toBe(false);
    expect(admitted([50, 0], [50, 5], [101, 9], [50, 10])).toBe(false);
    expect(admitted([50, 0], [50, 5], [101, 9], [50, 10], [50, 15], [50, 20])).toBe(true);
  });
});
