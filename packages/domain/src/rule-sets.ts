/**
 * All rule sets by their names: the two of main accounts, and `perpetual` (A113), whose results come from the exact value of a net
 * position. A module of its own, so that pages without positions load the former two alone.
 */
import { asMoney, type Money, multiply, type Price } from './money.ts';
import { mainRulesOf, type PositionTerms, type RuleSet, type RuleSetName } from './rules.ts';
import type { Side } from './states.ts';

/** The result of a net position that is traded back for `value` (USDT). */
export const netPnl = (side: Side, entryValue: Money, value: Money): Money =>
  asMoney(side === 'BUY' ? value - entryValue : entryValue - value);

/** Without a value of its own it was traded at its entry price. */
const netPnlAt = ({ side, entryPrice, size, entryValue }: PositionTerms, price: Price): Money =>
  netPnl(side, entryValue ?? multiply(entryPrice, size), multiply(price, size));

const { liquidationPrice: _, ...shared } = mainRulesOf('standard');
const perpetual: RuleSet = {
  ...shared,
  name: 'perpetual',
  unrealizedPnl: netPnlAt,
  realizedPnl: netPnlAt,
  openRoe: (position, markPrice) => shared.closedRoe(position, netPnlAt(position, markPrice)),
};

export const rulesOf = (name: RuleSetName): RuleSet => (name === 'perpetual' ? perpetual : mainRulesOf(name));
