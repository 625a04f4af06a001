/**
 * The class of the demo, and its contest that runs. Data only. Members are the invented users whom `manager@fulcrum.local` manages, and the
 * demo's trader.
 */
import type { ContestRules } from '@fulcrum/contract';
import type { OpenScript, TradeScript } from '../pick.ts';

/** The `client_id` of both rows: they are found by it. */
export const schoolClientId = 'demo school';

export const schoolClass = {
  name: 'Markets, first year',
  startBalance: 10_000,
  leverageMax: 20,
  beganDaysAgo: 24,
  endsInDays: 60,
} as const;

export const schoolContest = {
  name: 'Autumn cup',
  description: 'The best return within three weeks. Three trades at least.',
  beganDaysAgo: 9,
  endsInDays: 12,
  /** Before the begin. */
  registrationDays: 3,
} as const;

export const schoolRules: ContestRules = {
  ...{ v: 1, startBalance: '10000', ruleSet: 'standard', leverageMax: 20, symbols: null, positionsMax: 5 },
  ...{ score: 'return', tieBreaks: ['drawdown', 'entry'], tradesMin: 3, names: 'shown' },
};

const symbols = ['BTCUSDT', 'ETHUSDT', 'XAUUSD', 'SOLUSDT', 'EUR/USD'] as const;
const results = [1.4, -1, 0.9, 1.8, -0.6, 0.7, -1, 2] as const;
const at = <Value>(list: readonly [Value, ...Value[]], index: number): Value =>
  list[index % list.length] ?? list[0];

/** Trades of one member, within so many days; `slot` numbers the members. */
const tradesWithin = (days: number, count: number, risk: number, name: string, slot: number): TradeScript[] =>
  Array.from({ length: count }, (_, index) => {
    const number = slot * 3 + index;
    return {
      ...{ key: `${name} ${slot} ${index}`, symbol: at(symbols, number), risk, liquidated: false },
      ...{ daysAgo: 1 + ((index * 3 + slot) % (days - 1)), hour: 8 + ((number * 3) % 10) },
      ...{ leverage: at([5, 10, 20], number), r: at(results, number + slot), hold: 4 + (number % 7) },
    };
  });

export const classTradesOf = (slot: number) =>
  tradesWithin(schoolClass.beganDaysAgo - 2, 2, 120, 'class', slot);
export const contestTradesOf = (slot: number) =>
  tradesWithin(schoolContest.beganDaysAgo - 1, 3 + (slot % 2), 140 + 20 * (slot % 4), 'contest', slot);

/** What every third entrant has open now. */
export const contestOpenOf = (slot: number): OpenScript[] =>
  slot % 3 === 0
    ? [
        {
          ...{ symbol: at(symbols, slot), side: slot % 2 === 0 ? 'BUY' : 'SELL', leverage: 10 },
          ...{ margin: 600, hours: 30, stop: 0.03, target: null, move: at([0.006, -0.004], slot) },
        },
      ]
    : [];
