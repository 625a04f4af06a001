import { expect, test } from 'vitest';
import { asFeeRate, asMoney, asPercent, asPrice, asSize, parseDecimal, toNumber } from './money.ts';
import { type MainRuleSetName, mainRulesOf } from './rules.ts';
import type { Side } from './states.ts';
import { stopOutcome } from './stop-outcome.ts';

interface Given {
  readonly side?: Side;
  readonly leverage?: number;
  readonly fee?: string;
  readonly rules?: MainRuleSetName;
  readonly tick?: string;
}

/** One unit, entered at 100. */
function outcome(
  percent: string,
  { side = 'BUY', leverage = 10, fee = '0', rules = 'standard', tick = '0.01' }: Given = {},
) {
  const terms = {
    side,
    leverage,
    entryPrice: asPrice(parseDecimal('100')),
    tickSize: asPrice(parseDecimal(tick)),
    feeRate: asFeeRate(parseDecimal(fee)),
  };
  const liquidationPrice = mainRulesOf(rules).liquidationPrice(terms);
  const margin = asMoney(parseDecimal(`${100 / leverage}`));
  const position = { ...terms, rules, liquidationPrice, margin, size: asSize(parseDecimal('1')) };
  const at = stopOutcome(position, asPercent(parseDecimal(percent)));
  return at && [toNumber(at.price), toNumber(at.net)];
}

test.each([
  ['a long', '1', {}, [99, -1]],
  ['a short', '1', { side: 'SELL' }, [101, -1]],
  ['both fees are counted', '1', { fee: '0.001' }, [99, -1.199]],
  ['a coarse tick rounds towards the entry', '1.2', { tick: '0.5' }, [99, -1]],
  ['a short on a coarse tick', '1.2', { side: 'SELL', tick: '0.5' }, [101, -1]],
  ['RULE-08: the loss of RULES=as-specified has the factor', '0.5', { rules: 'as-specified' }, [99.5, -5]],
  ['just before the liquidation at 90.5', '9.49', {}, [90.51, -9.49]],
] as const)('stop outcome: %s', (_case, percent, given, expected) => {
  expect(outcome(percent, given)).toEqual(expected);
});

test.each([
  ['at the liquidation', '9.5', {}],
  ['beyond it, with a high leverage', '1', { leverage: 125 }],
  ['a short beyond it', '1', { leverage: 125, side: 'SELL' }],
  ['on the entry, because the tick is coarse', '0.2', { tick: '1' }],
] as const)('stop outcome: none stands %s', (_case, percent, given) => {
  expect(outcome(percent, given)).toBeNull();
});
