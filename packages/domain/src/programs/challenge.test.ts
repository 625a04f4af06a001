/**
 * A112: the rules of a challenge. The worked examples and their figures are those of LuxAlgo, prop-firm-sim, docs/rule-semantics.md (account
 * of 100,000), and FTMO's published objectives (ftmo.com/en/trading-objectives).
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asMoney, asPercent, type Money, parseDecimal, toDecimalString } from '../money.ts';
import { dayMs, hourMs } from '../time.ts';
import {
  beginChallenge,
  type ChallengeStanding,
  type ChallengeState,
  type ChallengeStep,
  type ChallengeVerdict,
  challengeBoundsOf,
  challengeFiguresOf,
  challengeLossModes,
  checkChallengeStep,
  judgeChallenge,
  type MaxLossRule,
  withEquity,
  withNewDay,
} from './challenge.ts';

const money = (text: string | number): Money => asMoney(parseDecimal(text));
const pct = (text: string) => asPercent(parseDecimal(text));
const initial = money(100_000);
const maxLoss = (mode: MaxLossRule['mode'], percent: string, lock: string | null = null): MaxLossRule => ({
  ...{ mode, pct: pct(percent), lockPct: lock === null ? null : pct(lock) },
});
const step = (more: Partial<ChallengeStep> = {}): ChallengeStep => ({
  ...{ targetPct: pct('50'), dailyLoss: null, maxLoss: maxLoss('static', '10') },
  ...{ consistencyPct: null, daysMin: 0, daysMax: null },
  ...more,
});
const daily = (more: Partial<NonNullable<ChallengeStep['dailyLoss']>> = {}) => ({
  ...({ pct: pct('5'), of: 'initial', from: 'balance', countsOpen: true, checked: 'tick' } as const),
  ...more,
});

/** An equity that a tick makes, a close that leaves a balance with nothing open, an opening, a midnight. */
type Event = { readonly tick: number } | { readonly close: number } | 'open' | 'midnight';

interface Run {
  /** How many events until the verdict; null without one. */
  readonly after: number | null;
  readonly verdict: ChallengeVerdict | null;
  readonly state: ChallengeState;
  readonly standing: ChallengeStanding;
}
function run(of: ChallengeStep, events: readonly Event[]): Run {
  let state: ChallengeState = beginChallenge(of, { initial, at: 0, ends: null });
  let [balance, equity, at] = [initial, initial, 0];
  for (const [index, event] of events.entries()) {
    at += 1;
    if (event === 'open') state = { ...state, tradedToday: true };
    else if (event === 'midnight') at = (Math.floor(at / dayMs) + 1) * dayMs;
    else if ('tick' in event) equity = money(event.tick);
    else [balance, equity] = [money(event.close), money(event.close)];
    state = withEquity(state, equity);
    const standing = { at, balance, equity };
    const verdict = judgeChallenge(of, state, standing, event === 'midnight');
    if (verdict) return { after: index + 1, verdict, state, standing };
    if (event === 'midnight') state = withNewDay(state, standing);
  }
  return { after: null, verdict: null, state, standing: { at, balance, equity } };
}
const floorOf = (of: ChallengeStep, events: readonly Event[]): string => {
  const { state, standing, verdict } = run(of, events);
  expect(verdict).toBeNull();
  return toDecimalString(challengeFiguresOf(of, state, standing).maxLoss.floor);
};
const shown = (verdict: ChallengeVerdict | null) => verdict && [verdict.outcome, verdict.rule];

describe('the modes of the maximum loss, by the published examples', () => {
  test('static: the floor stays, so profits build a cushion', () => {
    const fixed = step({ maxLoss: maxLoss('static', '10') });
    expect(floorOf(fixed, [{ close: 104_000 }, 'midnight', { tick: 90_001 }])).toBe('90000');
    const { after, verdict } = run(fixed, [{ close: 104_000 }, 'midnight', { tick: 90_000 }]);
    expect([after, shown(verdict)]).toEqual([3, ['failed', 'max_loss']]);
  });

  test('trailing at the end of the day: a spike moves nothing, a close does', () => {
    const trailing = step({ maxLoss: maxLoss('trailing_day', '3') });
    const day1: readonly Event[] = [{ tick: 104_000 }, { close: 99_500 }, 'midnight'];
    expect(floorOf(trailing, day1)).toBe('97000');
    const day2: readonly Event[] = [...day1, { close: 104_500 }];
    expect(floorOf(trailing, day2)).toBe('97000');
    expect(floorOf(trailing, [...day2, 'midnight'])).toBe('101500');
    const { after, verdict } = run(trailing, [...day2, 'midnight', { tick: 101_000 }]);
    expect([after, shown(verdict)]).toEqual([6, ['failed', 'max_loss']]);
    expect(verdict?.figures.maxLoss).toEqual({
      ...{ from: money(104_500), allowed: money(3_000), floor: money(101_500), locked: false },
    });
  });

  test('trailing intraday: an open gain of 2,000 moves the floor, and the same trades survive the static one', () => {
    const trades: readonly Event[] = [{ tick: 102_000 }, { tick: 98_500 }];
    const trailing = step({ maxLoss: maxLoss('trailing_intraday', '3') });
    expect(floorOf(trailing, trades.slice(0, 1))).toBe('99000');
    expect(shown(run(trailing, trades).verdict)).toEqual(['failed', 'max_loss']);
    const fixed = step({ maxLoss: maxLoss('static', '3') });
    expect(floorOf(fixed, trades)).toBe('97000');
  });

  test('locked at the initial balance: 100,100 survives there and not under the pure trail', () => {
    const day: readonly Event[] = [{ close: 104_000 }];
    const locked = step({ maxLoss: maxLoss('trailing_intraday', '3', '0') });
    const pure = step({ maxLoss: maxLoss('trailing_intraday', '3') });
    expect([floorOf(locked, day), floorOf(pure, day)]).toEqual(['100000', '101000']);
    const back: readonly Event[] = [...day, { tick: 100_100 }];
    expect(run(locked, back).verdict).toBeNull();
    expect(shown(run(pure, back).verdict)).toEqual(['failed', 'max_loss']);
  });

  test('a lock with an offset of 100: 100,150 survives, 100,050 does not', () => {
    for (const mode of ['trailing_intraday', 'trailing_day'] as const) {
      const offset = step({ maxLoss: maxLoss(mode, '3', '0.1') });
      const up: readonly Event[] = [{ close: 104_000 }, 'midnight'];
      expect(run(offset, [...up, { tick: 100_150 }]).verdict).toBeNull();
      const { verdict } = run(offset, [...up, { tick: 100_050 }]);
      expect(shown(verdict)).toEqual(['failed', 'max_loss']);
      expect(verdict?.figures.maxLoss).toMatchObject({ floor: money(100_100), locked: true });
    }
  });

  test('FTMO, one step: the highest end of a day less 10 % of the initial balance, which only rises', () => {
    const oneStep = step({ maxLoss: maxLoss('trailing_day', '10') });
    const events: readonly Event[] = [{ close: 104_000 }, 'midnight', { close: 97_000 }, 'midnight'];
    expect(floorOf(oneStep, events)).toBe('94000');
  });
});

describe('the daily loss, by the published examples', () => {
  /** Yesterday closed at 102,000; today prints 96,950. */
  const printed: readonly Event[] = [{ close: 102_000 }, 'midnight', { tick: 96_950 }];

  test('5 % of the initial balance ends the day at 97,000, 5 % of where the day began at 96,900', () => {
    const { verdict } = run(step({ dailyLoss: daily() }), printed);
    expect(shown(verdict)).toEqual(['failed', 'daily_loss']);
    expect(verdict?.figures.dailyLoss).toEqual({
      ...{ from: money(102_000), allowed: money(5_000), floor: money(97_000), value: money(96_950) },
    });
    const ofDay = step({ dailyLoss: daily({ of: 'day' }) });
    expect(run(ofDay, printed).verdict).toBeNull();
    expect(shown(run(ofDay, [...printed, { tick: 96_900 }]).verdict)).toEqual(['failed', 'daily_loss']);
  });

  test('a day of −6,000 and then +2,000: each tick kills it at 94,000, the end of the day does not', () => {
    const day: readonly Event[] = [{ close: 94_000 }, { close: 96_000 }, 'midnight'];
    expect(run(step({ dailyLoss: daily() }), day)).toMatchObject({ after: 1 });
    const late = step({ dailyLoss: daily({ checked: 'day_end' }) });
    expect(run(late, day).verdict).toBeNull();
    const worse = run(late, [{ close: 94_000 }, 'midnight']);
    expect([worse.after, shown(worse.verdict)]).toEqual([2, ['failed', 'daily_loss']]);
  });

  test('an open loss counts or not; a day begins with its balance or its equity', () => {
    const closedOnly = step({ dailyLoss: daily({ countsOpen: false }) });
    expect(run(closedOnly, [{ tick: 94_500 }]).verdict).toBeNull();
    expect(shown(run(closedOnly, [{ tick: 94_500 }, { close: 94_500 }]).verdict)).toEqual([
      ...['failed', 'daily_loss'],
    ]);
    // Over night with an open gain of 3,000.
    const night: readonly Event[] = ['open', { tick: 103_000 }, 'midnight', { tick: 97_500 }];
    expect(run(step({ dailyLoss: daily() }), night).verdict).toBeNull();
    const { verdict } = run(step({ dailyLoss: daily({ from: 'equity' }) }), night);
    expect(verdict?.figures.dailyLoss).toMatchObject({ from: money(103_000), floor: money(98_000) });
  });

  test('of both floors the higher one is named', () => {
    const both = (loss: string) => step({ dailyLoss: daily(), maxLoss: maxLoss('static', loss) });
    expect(run(both('10'), [{ tick: 80_000 }]).verdict?.rule).toBe('daily_loss');
    expect(run(both('3'), [{ tick: 80_000 }]).verdict?.rule).toBe('max_loss');
  });
});

describe('passing', () => {
  /** +3,000, +1,000, +2,000 in three days. */
  const days: readonly Event[] = [
    ...['open' as const, { close: 103_000 }, 'midnight' as const],
    ...['open' as const, { close: 104_000 }, 'midnight' as const],
    ...['open' as const, { close: 106_000 }],
  ];

  test('consistency of 50 %: passes on day three, where the best day is half; without the rule on day one', () => {
    const plain = step({ targetPct: pct('3') });
    expect(run(plain, days)).toMatchObject({ after: 2, verdict: { outcome: 'passed' } });
    const consistent = step({ targetPct: pct('3'), consistencyPct: pct('50') });
    const { after, verdict } = run(consistent, days);
    expect([after, shown(verdict)]).toEqual([8, ['passed', null]]);
    expect(verdict?.figures).toMatchObject({
      ...{ profit: money(6_000), profitNeeded: money(6_000), bestDay: money(3_000), tradingDays: 3 },
    });
  });

  test('the extra day that consistency forces is the day that meets the floor', () => {
    const rules = { targetPct: pct('3'), maxLoss: maxLoss('trailing_day', '3') };
    const paired: readonly Event[] = [...days.slice(0, 3), 'open', { close: 100_000 }];
    expect(shown(run(step(rules), paired).verdict)).toEqual(['passed', null]);
    expect(shown(run(step({ ...rules, consistencyPct: pct('50') }), paired).verdict)).toEqual([
      ...['failed', 'max_loss'],
    ]);
  });

  test('FTMO: at least four days with an opening, whatever the profit', () => {
    const four = step({ targetPct: pct('10'), daysMin: 4 });
    const traded = (count: number): Event[] =>
      Array.from({ length: count }, (): Event[] => ['midnight', 'open', { close: 112_000 }]).flat();
    expect(run(four, ['open', { close: 111_000 }, ...traded(2), 'midnight', 'midnight']).verdict).toBeNull();
    const { verdict } = run(four, ['open', { close: 111_000 }, ...traded(3)]);
    expect(verdict).toMatchObject({ outcome: 'passed', figures: { tradingDays: 4 } });
  });

  test('an open gain does not pass, and an open loss keeps from passing', () => {
    const target = step({ targetPct: pct('10') });
    expect(run(target, ['open', { tick: 115_000 }]).verdict).toBeNull();
    expect(run(target, ['open', { close: 110_000 }]).verdict?.outcome).toBe('passed');
    const open = { at: 1, balance: money(112_000), equity: money(109_999) };
    const state = beginChallenge(target, { initial, at: 0, ends: null });
    expect(judgeChallenge(target, state, open)).toBeNull();
    expect(judgeChallenge(target, state, { ...open, equity: money(110_000) })?.outcome).toBe('passed');
  });

  test('undecided at the time limit, or at the end of the challenge, fails', () => {
    const limited = step({ daysMax: 2 });
    const state = beginChallenge(limited, { initial, at: hourMs, ends: null });
    const standing = { balance: initial, equity: initial };
    expect(judgeChallenge(limited, state, { at: hourMs + 2 * dayMs - 1, ...standing })).toBeNull();
    expect(judgeChallenge(limited, state, { at: hourMs + 2 * dayMs, ...standing })?.rule).toBe('time_limit');
    expect(beginChallenge(limited, { initial, at: 0, ends: dayMs }).deadline).toBe(dayMs);
    expect(beginChallenge(step(), { initial, at: 0, ends: null }).deadline).toBeNull();
  });
});

test('rules that cannot be kept are refused in words', () => {
  const refused = (more: Partial<ChallengeStep>) => checkChallengeStep(step(more));
  expect(refused({})).toBeNull();
  expect(refused({ dailyLoss: daily({ from: 'equity' }) })).toBeNull();
  expect(refused({ dailyLoss: daily({ from: 'equity', countsOpen: false }) })).toBe(
    'A day that begins with its equity counts open results, too.',
  );
  expect(refused({ maxLoss: maxLoss('trailing_day', '5', '-1') })).toMatch(/^A floor stops at/);
  expect(refused({ maxLoss: maxLoss('static', '101') })).toMatch(/^A maximum loss/);
  expect(refused({ dailyLoss: daily({ pct: pct('0') }) })).toMatch(/^A daily loss/);
  expect(refused({ consistencyPct: pct('100.1') })).toMatch(/^A best day/);
});

describe('whatever the rules and the history', () => {
  const percent = (max: number) =>
    fc.integer({ min: 1, max }).map((of) => asPercent(BigInt(of) * 1_000_000n));
  const rules: fc.Arbitrary<ChallengeStep> = fc.record({
    targetPct: percent(3_000),
    dailyLoss: fc.option(
      fc.record({
        pct: percent(1_500),
        of: fc.constantFrom('initial' as const, 'day' as const),
        from: fc.constantFrom('balance' as const, 'equity' as const),
        countsOpen: fc.boolean(),
        checked: fc.constantFrom('tick' as const, 'day_end' as const),
      }),
    ),
    maxLoss: fc.record({
      pct: percent(2_000),
      mode: fc.constantFrom(...challengeLossModes),
      lockPct: fc.option(percent(500)),
    }),
    consistencyPct: fc.option(percent(10_000)),
    daysMin: fc.integer({ min: 0, max: 3 }),
    daysMax: fc.constant(null),
  });
  const value = fc.integer({ min: 80_000, max: 130_000 });
  const events: fc.Arbitrary<readonly Event[]> = fc.array(
    fc.oneof(
      value.map((tick): Event => ({ tick })),
      value.map((close): Event => ({ close })),
      fc.constantFrom<Event>('open', 'midnight'),
    ),
    { maxLength: 30 },
  );

  test('the floor of the maximum loss never falls', () => {
    fc.assert(
      fc.property(rules, events, (of, some) => {
        let last: Money | null = null;
        for (let length = 0; length <= some.length; length += 1) {
          const { state, standing, verdict } = run(of, some.slice(0, length));
          if (verdict) return;
          const { floor } = challengeFiguresOf(of, state, standing).maxLoss;
          expect(last === null || floor >= last).toBe(true);
          last = floor;
        }
      }),
    );
  });

  test('between its bounds no tick decides anything, and at the lower one each tick does', () => {
    fc.assert(
      fc.property(rules, events, value, (of, some, seen) => {
        const { state, standing, verdict } = run(of, some);
        if (verdict) return;
        const { balance } = standing;
        const { lower, upper, peak } = challengeBoundsOf(of, state, balance);
        const judged = (equity: Money) => judgeChallenge(of, state, { at: standing.at, balance, equity });
        const equity = money(seen);
        const isBetween =
          equity > lower && (upper === null || equity < upper) && (peak === null || equity <= peak);
        if (isBetween) expect(judged(equity)).toBeNull();
        expect(judged(lower)?.outcome).toBe('failed');
      }),
    );
  });

  test('a trailing floor is nowhere below the static one of the same size, and intraday not below the end of days', () => {
    fc.assert(
      fc.property(rules, events, (of, some) => {
        const floors = challengeLossModes.map((mode) => {
          const { state, standing, verdict } = run(
            { ...of, targetPct: pct('1000'), dailyLoss: null, maxLoss: maxLoss(mode, '99') },
            some,
          );
          if (verdict) return null;
          return challengeFiguresOf({ ...of, maxLoss: maxLoss(mode, '99') }, state, standing).maxLoss.floor;
        });
        const [fixed, byDay, byTick] = floors;
        if (!fixed || !byDay || !byTick) return;
        expect(fixed <= byDay && byDay <= byTick).toBe(true);
      }),
    );
  });
});
