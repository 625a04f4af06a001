import type { Performance } from '@fulcrum/contract';
import { expect, test } from 'vitest';
import { getDefinitions, getSideDefinition } from './definitions.ts';

const none: Performance = {
  from: null,
  to: null,
  time_zone: 'UTC',
  trades: 0,
  wins: 0,
  losses: 0,
  break_even: 0,
  gross_pnl: 0,
  fees: 0,
  funding: 0,
  net_pnl: 0,
  win_rate: null,
  gross_profit: 0,
  gross_loss: 0,
  profit_factor: null,
  expectancy: null,
  average_win: null,
  average_loss: null,
  average_r: null,
  r_trades: 0,
  average_holding_s: null,
  median_holding_s: null,
  best: null,
  worst: null,
  max_drawdown: null,
  curve: [],
  by_symbol: [],
  by_side: [],
  others: null,
  by_day: [],
  by_hour: [],
  costs: null,
  truncated: false,
};

test('a side has its own trades', () => {
  const long = { side: 'BUY', trades: 3, wins: 1, win_rate: 33.33333333, net_pnl: 75 } as const;
  expect(getSideDefinition(long)).toMatchObject({ term: 'Long', sum: '+75.00 USDT; 1 / 3 = 33.33%' });
  const short = { side: 'SELL', trades: 0, wins: 0, win_rate: null, net_pnl: 0 } as const;
  expect(getSideDefinition(short)).toMatchObject({ term: 'Short', sum: 'No trades yet.' });
});

test('A113: funding is a part of the net result', () => {
  const { net } = getDefinitions({ ...none, gross_pnl: 85, fees: 20, funding: -1.5, net_pnl: 63.5 });
  expect(net.sum).toBe('+85.00 − 20.00 fees −1.50 funding = +63.50 USDT');
});

test('the best of only losing trades is negative, not zero', () => {
  const best = { symbol: 'DOGEUSDT', net_pnl: -0.003 } as NonNullable<Performance['best']>;
  expect(getDefinitions({ ...none, trades: 1, losses: 1, best }).best.sum).toBe('DOGEUSDT −0.003 USDT');
});

test('each formula contains the present figures', () => {
  const definitions = getDefinitions({
    ...none,
    trades: 5,
    wins: 2,
    losses: 2,
    break_even: 1,
    gross_pnl: 85,
    fees: 20,
    net_pnl: 65,
    win_rate: 40,
    gross_profit: 140,
    gross_loss: 75,
    profit_factor: 1.86666667,
    expectancy: 13,
    average_win: 70,
    average_loss: -37.5,
    average_r: 0.26666667,
    r_trades: 3,
    average_holding_s: 1500,
    median_holding_s: 1200,
    max_drawdown: { amount: 55, percent: 5.5, from: '', to: '' },
  });
  expect(Object.values(definitions).map(({ sum }) => sum)).toEqual([
    '+85.00 − 20.00 fees = +65.00 USDT',
    '2 won + 2 lost + 1 even = 5',
    '2 / 5 = 40.00%',
    '140.00 / 75.00 = 1.87',
    '+65.00 / 5 trades = +13.00 USDT',
    '140.00 / 2 wins = +70.00 USDT',
    '−75.00 / 2 losses = −37.50 USDT',
    'Σ(net result / risk) / 3 trades = +0.27 R',
    'Highest result − lowest after it = 55.00 USDT; deepest fall of a unit 5.50%',
    'Mean 25 min, median 20 min',
    'No trades yet.',
    'No trades yet.',
  ]);
});

test('without trades each definition states why there is no figure', () => {
  const sums = Object.values(getDefinitions(none)).map(({ sum }) => sum);
  expect(sums.filter((sum) => /yet|No drawdown/.test(sum))).toHaveLength(9);
});
