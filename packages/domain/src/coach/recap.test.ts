import { expect, test } from 'vitest';
import { weekStart } from '../bars.ts';
import { asMoney, parseDecimal } from '../money.ts';
import { habitsOf } from './findings.ts';
import { noOwnRules, parseOwnRulesSetting } from './own-rules.ts';
import { recapOf, recapTradesMin } from './recap.ts';
import type { FactSheet } from './trade-facts.ts';

const from = Date.UTC(2026, 10, 16);
const sheet = (id: string, symbol: string, net: string): FactSheet => ({
  ...{ id, symbol, side: 'BUY', closedAt: from },
  ...{ closeReason: 'manual', closedBy: null, hadStopOrder: false },
  facts: { net: { unit: 'money', value: asMoney(parseDecimal(net)) } },
});
/** Without a stop loss: one habit, which cost 25.50 - 10.00 = 15.50. */
const sheets = [
  sheet('a', 'BTCUSDT', '-10'),
  sheet('b', 'BTCUSDT', '-15.504'),
  sheet('c', 'ETHUSDT', '10'),
  sheet('d', 'ETHUSDT', '-1'),
  sheet('e', 'ETHUSDT', '1'),
];
const recap = (of: readonly FactSheet[]) => recapOf(from, of, habitsOf(of, noOwnRules));

test('A115: a week in words, reckoned by hand', () => {
  expect(recap(sheets)).toEqual({
    title: 'Recap of the week from 2026-11-16 to 2026-11-22',
    summary: 'Your week: 5 trades closed, net result -15.50 USDT. The recap is in your journal.',
    content: `5 trades closed, net result -15.50 USDT, after fees and funding.

## Costliest habits

- No stop loss: -15.50 USDT in 5 trades (net result). Set a stop loss before you need it.

## By symbol

- BTCUSDT: 2 trades, -25.50 USDT
- ETHUSDT: 3 trades, 10.00 USDT

Written by the rules of the coach. Delete it if you like; My rules in the review of the week stops the next ones.`,
  });
  expect(recap(sheets)).toEqual(recap([...sheets]));
});

test('A115: a week with few trades has none, and one without habits states that', () => {
  expect(recap(sheets.slice(1))).toBeNull();
  expect(sheets).toHaveLength(recapTradesMin);
  const won = sheets.map(({ id }) => sheet(id, 'BTCUSDT', '1'));
  expect(recap(won)?.content).toContain('No habit was found in enough trades to speak of.');
});

test('A115: a week begins on Monday, 00:00 UTC', () => {
  for (const day of [16, 18, 22]) expect(weekStart(Date.UTC(2026, 10, day, 23, 59))).toBe(from);
  expect(weekStart(from)).toBe(from);
});

test('A115: a recap is on unless it was switched off', () => {
  for (const value of [undefined, null, {}, { recap: true }, { recap: 'no' }])
    expect(parseOwnRulesSetting(value).recap).toBe(true);
  expect(parseOwnRulesSetting({ recap: false }).recap).toBe(false);
});
