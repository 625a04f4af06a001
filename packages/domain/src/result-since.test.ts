import { expect, test } from 'vitest';
import { asMoney, parseDecimal, toDecimalString } from './money.ts';
import { type EquityBaseline, resultSince, returnSince } from './result-since.ts';

const usdt = (text: string) => asMoney(parseDecimal(text));
const standing = (equity: string, netDeposits: string): EquityBaseline => ({
  equity: usdt(equity),
  netDeposits: usdt(netDeposits),
});
const shown = (now: string, then: EquityBaseline) => {
  const share = returnSince(usdt(now), then);
  return [toDecimalString(resultSince(usdt(now), then)), share === null ? null : toDecimalString(share)];
};

test('the result of a day is the change of its equity', () => {
  // 12,904.89 − 12,593.49 = 311.40; 311.40 / 12,593.49 = 2.4727…%
  expect(shown('12904.89', standing('12593.49', '0'))).toEqual(['311.4', '2.47']);
  expect(shown('9000', standing('10000', '0'))).toEqual(['-1000', '-10']);
});

test('a deposit is no gain and a withdrawal no loss', () => {
  // 1,000 came in: 11,100 − 10,000 − 1,000 = 100 of 11,000.
  expect(shown('11100', standing('10000', '1000'))).toEqual(['100', '0.91']);
  // 1,000 went out: 9,100 − 10,000 + 1,000 = 100 of 10,000.
  expect(shown('9100', standing('10000', '-1000'))).toEqual(['100', '1']);
});

test('an account that was made today is measured by what it was given; an empty one by nothing', () => {
  expect(shown('10050', standing('0', '10000'))).toEqual(['50', '0.5']);
  expect(shown('0', standing('0', '0'))).toEqual(['0', null]);
});
