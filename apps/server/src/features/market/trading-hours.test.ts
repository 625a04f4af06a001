import { dayMs, isMarketOpen, minuteMs } from '@fulcrum/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catalogue } from './catalogue/index.ts';
import { createTradingSchedule } from './trading-hours.ts';

test('an instant is inside a session exactly when the market is open, changes of the clocks included', () => {
  const hours = fc.constantFrom(...new Set(catalogue.map((pair) => pair.tradingHours)));
  const minute = fc.integer({ min: Date.UTC(2023, 0, 1) / minuteMs, max: Date.UTC(2027, 0, 1) / minuteMs });
  fc.assert(
    fc.property(hours, minute, (tradingHours, at) => {
      const instant = at * minuteMs;
      const isInside = createTradingSchedule(tradingHours).openSpans(instant, instant + 1).length > 0;
      expect(isInside).toBe(isMarketOpen(tradingHours, instant));
    }),
    { numRuns: 60 },
  );
});

test('on the Sunday on which New York changes its clocks, forex opens at 17:00 local time', () => {
  const { openSpans: within } = createTradingSchedule(
    catalogue.find((pair) => pair.symbol === 'EUR/USD')!.tradingHours,
  );
  const openingOf = (sunday: number) => new Date(within(sunday, sunday + dayMs)[0]!.from).toISOString();
  expect(openingOf(Date.UTC(2026, 2, 1))).toBe('2026-03-01T22:00:00.000Z');
  expect(openingOf(Date.UTC(2026, 2, 8))).toBe('2026-03-08T21:00:00.000Z');
  expect(openingOf(Date.UTC(2026, 10, 1))).toBe('2026-11-01T22:00:00.000Z');
});

test('spans are cut to the requested range', () => {
  const { openSpans: within } = createTradingSchedule('America/New_York|Mon-Fri 09:30-16:00');
  const noon = Date.UTC(2026, 10, 20, 17);
  expect(within(noon, noon + minuteMs)).toEqual([{ from: noon, to: noon + minuteMs }]);
  expect(within(noon, noon + 3.5 * dayMs)).toEqual([
    { from: noon, to: Date.UTC(2026, 10, 20, 21) },
    { from: Date.UTC(2026, 10, 23, 14, 30), to: Date.UTC(2026, 10, 23, 21) },
  ]);
});
