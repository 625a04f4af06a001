import fc from 'fast-check';
import { expect, test } from 'vitest';
import { money } from '../../test/engine.ts';
import { asMoney } from '../money.ts';
import { marketTypes } from '../pairs.ts';
import { dayMs, hourMs } from '../time.ts';
import { baseRateAt } from './base-rates.ts';
import {
  financingRates,
  nextDueInstant,
  timeCost,
  timeCostKindOf,
  timeCostKinds,
} from './costs-over-time.ts';

const at = (iso: string): number => Date.parse(iso);
const iso = (instant: number): string => new Date(instant).toISOString();
const instants = fc.integer({ min: 0, max: at('2100-01-01T00:00:00Z') });

test('A113: crypto is funded at 00, 08 and 16 UTC, every other market financed at 21 UTC', () => {
  expect(marketTypes.map(timeCostKindOf)).toEqual([
    'funding',
    'financing',
    'financing',
    'financing',
    'financing',
  ]);
  const [before, due] = [at('2026-11-28T07:59:59.999Z'), at('2026-11-28T08:00:00Z')];
  expect(iso(nextDueInstant('funding', before))).toBe('2026-11-28T08:00:00.000Z');
  // What is opened at the instant itself did not hold at it.
  expect(iso(nextDueInstant('funding', due))).toBe('2026-11-28T16:00:00.000Z');
  expect(iso(nextDueInstant('funding', at('2026-11-28T16:00:00Z')))).toBe('2026-11-29T00:00:00.000Z');
  expect(iso(nextDueInstant('financing', due))).toBe('2026-11-28T21:00:00.000Z');
  expect(iso(nextDueInstant('financing', at('2026-11-28T21:00:00Z')))).toBe('2026-11-29T21:00:00.000Z');
  expect(iso(nextDueInstant('financing', at('2026-11-28T20:59:59.999Z')))).toBe('2026-11-28T21:00:00.000Z');
});

test('A113: from Friday to Monday a weekend is financed three times', () => {
  let due = at('2026-11-27T20:00:00Z');
  const days: string[] = [];
  for (due = nextDueInstant('financing', due); due < at('2026-11-30T20:00:00Z'); ) {
    days.push(iso(due).slice(0, 10));
    due = nextDueInstant('financing', due);
  }
  expect(days).toEqual(['2026-11-27', '2026-11-28', '2026-11-29']);
});

test('A113: the next instant is after the last one, on the grid, and none lies in between', () => {
  fc.assert(
    fc.property(fc.constantFrom(...timeCostKinds), instants, (kind, from) => {
      const next = nextDueInstant(kind, from);
      const every = kind === 'funding' ? 8 * hourMs : dayMs;
      expect(next).toBeGreaterThan(from);
      expect(next - from).toBeLessThanOrEqual(every);
      const hour = new Date(next).getUTCHours();
      expect(kind === 'funding' ? [0, 8, 16] : [21]).toContain(hour);
      expect(next % hourMs).toBe(0);
    }),
  );
});

test('A113: with the modelled premium 0 funding is 0.01 % of the value, which the seller receives', () => {
  const due = at('2026-11-28T08:00:00Z');
  expect(timeCost('funding', 'BUY', money('64000'), due)).toBe(money('-6.4'));
  expect(timeCost('funding', 'SELL', money('64000'), due)).toBe(money('6.4'));
  // Half a unit goes away from zero.
  expect(timeCost('funding', 'BUY', asMoney(5_000n), due)).toBe(-1n);
  expect(timeCost('funding', 'SELL', asMoney(4_999n), due)).toBe(0n);
});

test('A113: financing is base + 2.5 % for the buyer and base − 2.5 % for the seller, a 360th a day', () => {
  const due = at('2026-11-28T21:00:00Z');
  expect(baseRateAt(due)).toBe(3_750_000n);
  expect(financingRates(due)).toEqual({ BUY: -6_250_000n, SELL: 1_250_000n });
  // 36,000 × 6.25 % / 360 and 36,000 × 1.25 % / 360.
  expect(timeCost('financing', 'BUY', money('36000'), due)).toBe(money('-6.25'));
  expect(timeCost('financing', 'SELL', money('36000'), due)).toBe(money('1.25'));
});

test('A113: where the base is below the markup, the seller pays too', () => {
  const due = at('2021-06-01T21:00:00Z');
  expect(baseRateAt(due)).toBe(250_000n);
  expect(timeCost('financing', 'SELL', money('36000'), due)).toBe(money('-2.25'));
});

test('A113: a base rate holds from its day on', () => {
  expect(baseRateAt(at('2024-09-18T23:59:59.999Z'))).toBe(5_500_000n);
  expect(baseRateAt(at('2024-09-19T00:00:00Z'))).toBe(5_000_000n);
  expect(baseRateAt(at('2025-12-11T00:00:00Z'))).toBe(3_750_000n);
});

test('A113: the two sides of crypto are equal, those of the others leave the markup to the counterparty', () => {
  const values = fc.bigInt({ min: 1n, max: 10n ** 18n }).map(asMoney);
  fc.assert(
    fc.property(values, instants, (value, due) => {
      expect(timeCost('funding', 'BUY', value, due)).toBe(-timeCost('funding', 'SELL', value, due));
      const markup = -timeCost('financing', 'BUY', value, due) - timeCost('financing', 'SELL', value, due);
      // Twice 2.5 %, and two roundings of at most half a unit.
      const exact = (value * 5n) / 100n / 360n;
      expect(markup - exact).toBeGreaterThanOrEqual(-1n);
      expect(markup - exact).toBeLessThanOrEqual(2n);
    }),
  );
});
