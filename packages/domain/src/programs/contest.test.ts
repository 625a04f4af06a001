/** A112: scores and order of the entrants of a contest, by examples that are computed by hand. */
import { describe, expect, test } from 'vitest';
import { asMoney, type Money, parseDecimal } from '../money.ts';
import { dayMs, hourMs } from '../time.ts';
import {
  type ContestRecord,
  type ContestTrade,
  canEnter,
  checkContestTimes,
  contestFiguresOf,
  contestPhaseOf,
  contestScores,
  dailyEquityOf,
  drawdownOf,
  expectancyOf,
  rankContest,
  realizedOf,
  sharpeOf,
} from './contest.ts';

const money = (text: string): Money => asMoney(parseDecimal(text));
const all = (...texts: readonly string[]): Money[] => texts.map(money);
const trade = (net: string, more: Partial<ContestTrade> = {}): ContestTrade => ({
  ...{ net: money(net), risk: null, closedByEnd: false, isPart: false },
  ...more,
});
const record = (number: number, equity: string, more: Partial<ContestRecord> = {}): ContestRecord => ({
  ...{ number, startBalance: money('1000'), equity: money(equity) },
  ...{ trades: [], dailyEquity: [], equities: [] },
  ...more,
});
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
    expect(drawdownOf(money('1000'), all(...equities))).toBe(parseDecimal(expected));
  });

  test('the realized result counts gains that the trader took, and every loss', () => {
    const ended = { closedByEnd: true };
    expect(realizedOf([trade('50'), trade('-20'), trade('30', ended), trade('-5', ended)])).toBe(money('25'));
  });

  test('the expectancy is the mean of net by risk, over the trades with a risk', () => {
    expect(expectancyOf([trade('50'), trade('10')])).toBeNull();
    const risked = (net: string, risk: string) => trade(net, { risk: money(risk) });
    // 2 R, −1 R and 0.5 R
    expect(expectancyOf([risked('20', '10'), risked('-5', '5'), risked('4', '8'), trade('99')])).toBe(
      parseDecimal('0.5'),
    );
  });

  test('the Sharpe ratio: ten days of 2 % and 0 % in turn are their mean over their deviation', () => {
    const days: Money[] = [];
    let equity = 1000;
    for (let day = 0; day < 10; day += 1) {
      if (day % 2 === 0) equity *= 1.02;
      days.push(money(equity.toFixed(8)));
    }
    // Mean 0.01; the sample variance is 10 × 0.01² / 9.
    expect(sharpeOf(money('1000'), days)).toBeCloseTo(0.01 / Math.sqrt((10 * 0.0001) / 9), 6);
    expect(sharpeOf(money('1000'), days.slice(0, 9))).toBeNull();
    expect(sharpeOf(money('1000'), new Array(10).fill(money('1000')))).toBeNull();
    expect(sharpeOf(money('1000'), [money('0'), ...days.slice(0, 9)])).toBeNull();
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
      trades: [trade('70', { risk: money('70') }), trade('30', { closedByEnd: true })],
      equities: all('1250', '1000'),
    });
    expect(contestFiguresOf(one, score).score).toBe(expected);
    expect(contestScores).toContain(score);
  });

  test('a drawdown below one per cent counts as one', () => {
    expect(contestFiguresOf(record(1, '1050'), 'drawdown').score).toBe(5);
  });

  test('a part of a position is no trade of its own', () => {
    const trades = [trade('1'), trade('1', { isPart: true }), trade('1', { isPart: true })];
    expect(contestFiguresOf(record(1, '1003', { trades }), 'return').trades).toBe(1);
  });
});

describe('the equity at the end of each day', () => {
  const at = (hours: number, equity: string) => ({ at: hours * hourMs, equity: money(equity) });
  const terms = {
    begins: 0,
    ends: 3 * dayMs,
    entered: -5,
    startBalance: money('1000'),
    final: money('1300'),
  };

  test('is the last known one before it; a day without one keeps the former', () => {
    const observations = [at(1, '1010'), at(23, '1020'), at(24, '1500'), at(47, '1100')];
    expect(dailyEquityOf({ ...terms, observations })).toEqual(all('1020', '1100', '1300'));
    expect(dailyEquityOf({ ...terms, observations: [] })).toEqual(all('1000', '1000', '1300'));
  });

  test('a late entrant has the days from the entry on, and the last day may be short', () => {
    const late = {
      ...terms,
      entered: dayMs + hourMs,
      ends: 2 * dayMs + hourMs,
      observations: [at(40, '900')],
    };
    expect(dailyEquityOf(late)).toEqual(all('900', '1300'));
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
    const rough = record(2, '1100', { trades: [trade('1')], equities: all('1300') });
    const early = record(1, '1100', { trades: [trade('1'), trade('1')], equities: all('1300') });
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
