/** A112: a trader's own limits are tightened at once, and loosened from the next day (UTC). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asMoney, asPercent, parseDecimal } from './money.ts';
import {
  changeOwnLimits,
  dailyLossLimit,
  dailyLossOf,
  noOwnLimits,
  type OwnLimits,
  ownLimitsAt,
  parseOwnLimits,
  toOwnLimitsJson,
} from './own-limits.ts';
import { dayMs, hourMs } from './time.ts';

const usdt = (text: string) => asMoney(parseDecimal(text));
const limitsOf = (more: Partial<OwnLimits>): OwnLimits => ({ ...noOwnLimits, ...more });
/** Ten in the morning of a day. */
const now = 20_000 * dayMs + 10 * hourMs;
const tomorrow = 20_001 * dayMs;

test('the first limits hold at once', () => {
  const requested = limitsOf({ dailyLoss: usdt('200'), tradesMax: 5 });
  expect(changeOwnLimits(null, requested, now)).toEqual({ limits: requested, waiting: null });
});

test('each limit by itself: the tighter one holds at once, the looser one from midnight', () => {
  const stored = {
    limits: limitsOf({ dailyLoss: usdt('200'), tradesMax: 5, coolDownMinutes: 30 }),
    waiting: null,
  };
  const requested = limitsOf({ dailyLoss: usdt('100'), tradesMax: 9, coolDownMinutes: 60 });
  const next = changeOwnLimits(stored, requested, now);
  expect(next).toEqual({
    limits: limitsOf({ dailyLoss: usdt('100'), tradesMax: 5, coolDownMinutes: 60 }),
    waiting: { limits: requested, from: tomorrow },
  });
  expect(ownLimitsAt(next, tomorrow - 1)).toEqual(next.limits);
  expect(ownLimitsAt(next, tomorrow)).toEqual(requested);
  // What waited has come: it is what the next change is compared with.
  expect(changeOwnLimits(next, requested, tomorrow)).toEqual({ limits: requested, waiting: null });
});

test('a limit that is removed, or a shorter cool-down, waits; a change of mind replaces what waits', () => {
  const stored = { limits: limitsOf({ dailyLoss: usdt('200'), coolDownMinutes: 30 }), waiting: null };
  const removed = changeOwnLimits(stored, noOwnLimits, now);
  expect(removed).toEqual({ ...stored, waiting: { limits: noOwnLimits, from: tomorrow } });
  expect(changeOwnLimits(removed, stored.limits, now)).toEqual(stored);
});

test('the limit of a day is the lower of both, its loss counts what was paid in since', () => {
  const both = limitsOf({ dailyLoss: usdt('300'), dailyLossPercent: asPercent(parseDecimal('2.5')) });
  expect(dailyLossLimit(both, usdt('10000'))).toBe(usdt('250'));
  expect(dailyLossLimit(both, usdt('20000'))).toBe(usdt('300'));
  expect(dailyLossLimit(noOwnLimits, usdt('10000'))).toBeNull();
  // 1000 at the start, 500 paid in, 1400 now.
  expect(dailyLossOf({ equity: usdt('1000'), paid: usdt('500') }, usdt('1400'))).toBe(usdt('100'));
  expect(dailyLossOf({ equity: usdt('1000'), paid: usdt('-500') }, usdt('600'))).toBe(usdt('-100'));
});

const amount = fc.option(fc.bigInt({ min: 1n, max: 10n ** 12n }));
const anyLimits = fc
  .record({
    dailyLoss: amount,
    dailyLossPercent: amount,
    tradesMax: fc.option(fc.integer({ min: 1, max: 1000 })),
    coolDownMinutes: fc.option(fc.integer({ min: 1, max: 1440 })),
  })
  .map((limits) => limits as OwnLimits);

test('whatever is set on a day, no limit of that day is looser than it was, and the last wish holds on the next', () => {
  fc.assert(
    fc.property(anyLimits, fc.array(anyLimits, { minLength: 1, maxLength: 6 }), (first, wishes) => {
      let stored = changeOwnLimits(null, first, now - dayMs);
      for (const [index, requested] of wishes.entries()) {
        const at = now + index;
        const before = ownLimitsAt(stored, at);
        stored = changeOwnLimits(stored, requested, at);
        const after = ownLimitsAt(stored, at);
        for (const name of ['dailyLoss', 'dailyLossPercent', 'tradesMax'] as const) {
          if (before[name] !== null) expect(after[name]! <= before[name]!, name).toBe(true);
          if (requested[name] !== null) expect(after[name]! <= requested[name]!, name).toBe(true);
        }
        const cooling = Math.max(before.coolDownMinutes ?? 0, requested.coolDownMinutes ?? 0);
        expect(after.coolDownMinutes ?? 0).toBe(cooling);
        expect(ownLimitsAt(stored, tomorrow)).toEqual(requested);
      }
      expect(parseOwnLimits(JSON.parse(JSON.stringify(toOwnLimitsJson(stored.limits))))).toEqual(
        stored.limits,
      );
    }),
  );
});
