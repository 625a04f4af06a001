/** A112: scores and order of the entrants of a contest, by examples that are computed by hand. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asMoney, type Money, parseDecimal } from '../money.ts';
import { dayMs, hourMs } from '../time.ts';
import {
  type ContestRecord,
  ContestTally,
  type ContestTrade,
  canEnter,
  checkContestTimes,
  contestFiguresOf,
  contestPhaseOf,
  contestScores,
  rankContest,
} from './contest.ts';

const money = (text: string): Money => asMoney(parseDecimal(text));
const trade = (net: string, more: Partial<ContestTrade> = {}): ContestTrade => ({
  ...{ positionId: randomUUID(), net: money(net), risk: money('10') },
  ...{ closedByEnd: false, isPart: false },
  ...more,
});
interface History {
  readonly trades?: readonly ContestTrade[];
  /** One an hour. */
  readonly equities?: readonly string[];
  readonly number?: number;
}
const tallyOf = ({ trades = [], equities = [], number = 1 }: History = {}): ContestTally => {
  const terms = { begins: 0, ends: 5 * dayMs, entered: -5, startBalance: money('1000') };
  const tally = new ContestTally({ number, ...terms });
  for (const one of trades) tally.trade(one);
  for (const [hour, equity] of equities.entries())
    tally.observe({ at: hour * hourMs, equity: money(equity) });
  return tally;
};
const record = (number: number, equity: string, history: History = {}): ContestRecord =>
  tallyOf({ number, ...history }).record(money(equity));
const ranking = { score: 'return', tieBreaks: [], tradesMin: 0 } as const;

describe('the phases of a contest', () => {
  const times = { registrationOpens: 10, registrationEnds: 30, begins: 20, ends: 40 };

  test.each([
    [9, 'announced', false],
    [10, 'registration', true],
    [20, 'trading', true],
    [29, 'trading', true],
    [30, 'trading', false],
    [39, 'trading', false],
    [40, 'ending', false],
  ] as const)('at %i it is %s', (now, phase, isOpen) => {
    expect(contestPhaseOf(times, false, now)).toBe(phase);
    expect(canEnter(times, now)).toBe(isOpen);
  });

  test('after the registration it waits for its begin', () => {
    const early = { ...times, registrationEnds: 15 };
    expect([14, 15, 19, 20].map((now) => contestPhaseOf(early, false, now))).toEqual([
      ...['registration', 'waiting', 'waiting', 'trading'],
    ]);
  });

  test('frozen it has ended', () => expect(contestPhaseOf(times, true, 41)).toBe('ended'));

  test('times that cannot be are refused in words', () => {
    expect(checkContestTimes(times, 'return')).toBeNull();
    expect(checkContestTimes({ ...times, registrationEnds: 10 }, 'return')).toBe(
      'Registration ends after it opens.',
    );
    expect(checkContestTimes({ ...times, ends: 20 }, 'return')).toBe('Trading ends after it begins.');
    expect(checkContestTimes({ ...times, registrationEnds: 41 }, 'return')).toContain(
      'Registration ends before',
    );
    const tenDays = { ...times, ends: times.begins + 10 * dayMs };
    expect(checkContestTimes(tenDays, 'sharpe')).toBeNull();
    expect(checkContestTimes({ ...tenDays, ends: tenDays.ends - 1 }, 'sharpe')).toContain('at least 10 days');
  });
});

describe('the figures of an entrant', () => {
  test.each([
    [[], '0'],
    [['1100', '1200'], '0'],
    // From 1,200 to 900 is a quarter; the later fall from 1,250 to 1,000 is a fifth.
    [['1100', '1200', '900', '1250', '1000'], '25'],
    // The start balance is the first high.
    [['600', '900'], '40'],
    [['1000', '0'], '100'],
  ] as const)('the drawdown of %j is %s per cent', (equities, expected) => {
    expect(record(1, equities.at(-1) ?? '1000', { equities }).drawdownPct).toBe(parseDecimal(expected));
  });

  test('the realized result counts gains that the trader took, and every loss', () => {
    const ended = { closedByEnd: true };
    const trades = [trade('50'), trade('-20'), trade('30', ended), trade('-5', ended)];
    expect(record(1, '1055', { trades }).realized).toBe(money('25'));
  });

  test('the expectancy is the mean of net by risk, over the positions', () => {
    expect(record(1, '1000').expectancyR).toBeNull();
    const risked = (net: string, risk: string) => trade(net, { risk: money(risk) });
    // 2 R, −1 R and 0.5 R
    const trades = [risked('20', '10'), risked('-5', '5'), risked('4', '8')];
    expect(record(1, '1019', { trades }).expectancyR).toBe(parseDecimal('0.5'));
  });

  test('the parts of a position are one in the expectancy: closing in parts does not multiply a gain', () => {
    const whole = { positionId: 'whole', risk: money('1') };
    const parts = Array.from({ length: 9 }, () => trade('1', { ...whole, isPart: true }));
    const losers = Array.from({ length: 2 }, () => trade('-10'));
    // 1 R once and −1 R twice
    const trades = [...parts, trade('1', whole), ...losers];
    expect(record(1, '990', { trades })).toMatchObject({
      expectancyR: parseDecimal('-0.33333333'),
      trades: 3,
    });
  });

  /** The equity at the end of each day, for as many days. */
  const sharpeOf = (start: string, ends: readonly string[]) => {
    const terms = {
      number: 1,
      begins: 0,
      ends: ends.length * dayMs,
      entered: -5,
      startBalance: money(start),
    };
    const tally = new ContestTally(terms);
    for (const [day, equity] of ends.entries())
      tally.observe({ at: (day + 1) * dayMs - 1, equity: money(equity) });
    return tally.record(money(ends.at(-1) ?? start));
  };
  const alternating = (share: number) => {
    const days: string[] = [];
    let equity = 1000;
    for (let day = 0; day < 10; day += 1) {
      if (day % 2 === 0) equity *= 1 + share;
      days.push(equity.toFixed(8));
    }
    return days;
  };

  test('the Sharpe ratio: ten days of 2 % and 0 % in turn are their mean over their deviation', () => {
    const days = alternating(0.02);
    // Mean 0.01; the sample variance is 10 × 0.01² / 9.
    expect(sharpeOf('1000', days).sharpe).toBeCloseTo(0.01 / Math.sqrt((10 * 0.0001) / 9), 6);
    expect(sharpeOf('1000', days.slice(0, 9)).sharpe).toBeNull();
    expect(sharpeOf('1000', new Array(10).fill('1000')).sharpe).toBeNull();
    expect(sharpeOf('1000', ['0', ...days.slice(0, 9)]).sharpe).toBeNull();
  });

  test('who loses is not ranked higher for more risk', () => {
    const [calm, rough] = [sharpeOf('1000', alternating(-0.02)), sharpeOf('1000', alternating(-0.04))];
    expect(calm.sharpe).toBeCloseTo(rough.sharpe ?? 0, 6);
    expect(calm.sharpeScore).toBeGreaterThan(rough.sharpeScore ?? 0);
    const fell = (equity: string, ...equities: readonly string[]) =>
      contestFiguresOf(record(1, equity, { equities }), 'drawdown').score ?? 0;
    // −5 % after a fall of 5 %, −20 % after one of 40 %
    expect(fell('950', '950')).toBe(-25);
    expect(fell('800', '600')).toBe(-800);
  });

  test.each([
    ['return', 10],
    ['realized', 70],
    // 10 % by a fall of 20 %
    ['drawdown', 0.5],
    ['expectancy', 1],
    ['sharpe', null],
  ] as const)('the score %s is %s', (score, expected) => {
    const one = record(1, '1100', {
      trades: [trade('70', { risk: money('70') }), trade('30', { closedByEnd: true, risk: money('30') })],
      equities: ['1250', '1000'],
    });
    expect(contestFiguresOf(one, score).score).toBe(expected);
    expect(contestScores).toContain(score);
  });

  test('a drawdown below one per cent counts as one', () => {
    expect(contestFiguresOf(record(1, '1050'), 'drawdown').score).toBe(5);
  });

  test('a part of a position is no trade of its own', () => {
    const trades = [trade('1'), trade('1', { isPart: true }), trade('1', { isPart: true })];
    expect(record(1, '1003', { trades }).trades).toBe(1);
  });
});

describe('the days of an entrant', () => {
  const days = (
    entered: number,
    ends: number,
    observed: readonly (readonly [hours: number, equity: string])[],
  ) => {
    const tally = new ContestTally({ number: 1, begins: 0, ends, entered, startBalance: money('1000') });
    for (const [hours, equity] of observed) tally.observe({ at: hours * hourMs, equity: money(equity) });
    return tally.record(money('1300')).sharpe;
  };
  /** Mean over sample deviation. */
  const ratioOf = (...returns: readonly number[]) => {
    const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length;
    const squares = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0);
    return mean / Math.sqrt(squares / (returns.length - 1));
  };
  const still = (count: number): number[] => new Array(count).fill(0);

  test('end with the last equity before it; a day without one keeps the former', () => {
    const observed = [
      [1, '1010'],
      [23, '1020'],
      [24, '1500'],
      [47, '1100'],
    ] as const;
    expect(days(-5, 12 * dayMs, observed)).toBeCloseTo(
      ratioOf(0.02, 1100 / 1020 - 1, ...still(9), 1300 / 1100 - 1),
      9,
    );
    expect(days(-5, 12 * dayMs, [])).toBeCloseTo(ratioOf(...still(11), 0.3), 9);
  });

  test('begin with the entry, and the last one may be short', () => {
    const late = days(dayMs + hourMs, 11 * dayMs + hourMs, [[40, '900']]);
    expect(late).toBeCloseTo(ratioOf(-0.1, ...still(9), 1300 / 900 - 1), 9);
    expect(days(2 * dayMs, 11 * dayMs, [])).toBeNull();
  });
});

describe('the order of the entrants', () => {
  const order = (records: readonly ContestRecord[], more: object = {}) =>
    rankContest(records, { ...ranking, ...more }).map(({ rank, number }) => [rank, number]);

  test('is that of the score, the best first', () => {
    expect(order([record(1, '900'), record(2, '1200'), record(3, '1100')])).toEqual([
      [1, 2],
      [2, 3],
      [3, 1],
    ]);
  });

  test('equal scores are decided by the tie-breaks in their order, at last by the number', () => {
    const calm = record(3, '1100', { trades: [trade('1'), trade('1')] });
    const rough = record(2, '1100', { trades: [trade('1')], equities: ['1300'] });
    const early = record(1, '1100', { trades: [trade('1'), trade('1')], equities: ['1300'] });
    const numbers = (tieBreaks: readonly string[]) =>
      order([early, rough, calm], { tieBreaks }).map(([, number]) => number);
    expect(numbers([])).toEqual([1, 2, 3]);
    expect(numbers(['drawdown'])).toEqual([3, 1, 2]);
    expect(numbers(['drawdown', 'trades'])).toEqual([3, 2, 1]);
    expect(numbers(['trades', 'drawdown'])).toEqual([2, 3, 1]);
    expect(numbers(['entry', 'drawdown'])).toEqual([1, 2, 3]);
  });

  test('who opened too little, or has no score, is behind all others and has no rank', () => {
    const idle = record(1, '5000');
    const busy = record(2, '900', { trades: [trade('-100', { risk: money('50') }), trade('0')] });
    const ranks = rankContest([idle, busy], { ...ranking, tradesMin: 2 });
    expect(ranks.map(({ number, rank, unranked }) => [number, rank, unranked])).toEqual([
      [2, 1, null],
      [1, null, 'too_few_trades'],
    ]);
    const byR = rankContest([idle, busy], { ...ranking, score: 'expectancy' });
    expect(byR.map(({ number, rank, unranked }) => [number, rank, unranked])).toEqual([
      [2, 1, null],
      [1, null, 'no_score'],
    ]);
  });
});
