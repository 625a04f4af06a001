/** Converts a position's wire numbers to the exact units from which the domain computes its figures. */
import {
  asMoney,
  asPrice,
  asSize,
  initialRisk,
  type Money,
  type PositionTerms,
  type Price,
  parseDecimal,
  type RuleSet,
  rMultiple,
  rulesOf,
  type Side,
  settle,
  toNumber,
} from '@fulcrum/domain';
import type { Position } from '../supabase/index.ts';

/** The side as users see it. */
export const sideLabel = (side: Side): 'Long' | 'Short' => (side === 'BUY' ? 'Long' : 'Short');

export const toTerms = (position: Position): PositionTerms => ({
  side: position.side,
  entryPrice: asPrice(parseDecimal(position.entryPrice)),
  size: asSize(parseDecimal(position.size)),
  leverage: position.leverage,
  margin: asMoney(parseDecimal(position.margin)),
  entryValue: position.entryValue ? asMoney(parseDecimal(position.entryValue)) : null,
});

/** The result booked by closing at the price, before fees, 1e-8 USDT; at least minus the margin (A03). */
export const getClosingPnlAt = (rules: RuleSet, terms: PositionTerms, price: Price): bigint =>
  settle(rules.realizedPnl(terms, price), terms.margin).realizedPnl;

/** The result of a closed position after fees and funding, 1e-8 USDT; null without a booked result. */
const toNetMoney = ({ realizedPnl, fees, funding }: Position): Money | null =>
  realizedPnl === null
    ? null
    : asMoney(parseDecimal(realizedPnl) - parseDecimal(fees) + parseDecimal(funding));

/** The net result in USDT, as the analytics count it. */
export function toNetPnl(position: Position): number | null {
  const net = toNetMoney(position);
  return net === null ? null : toNumber(net);
}

/** Net result over what the first stop loss put at risk (A108); null without a result or such a risk. */
export function toRMultiple(position: Position): number | null {
  const { rules, initialStopLossPrice: stop } = position;
  const net = toNetMoney(position);
  if (net === null || stop === null) return null;
  const risk = initialRisk({
    ...toTerms(position),
    rules,
    initialStopLossPrice: asPrice(parseDecimal(stop)),
  });
  return risk === null ? null : toNumber(rMultiple(net, risk));
}

/** Per cent; null for a position without a booked result. */
export function toClosedRoe(position: Position): number | null {
  if (position.realizedPnl === null) return null;
  const booked = asMoney(parseDecimal(position.realizedPnl));
  return toNumber(rulesOf(position.rules).closedRoe(toTerms(position), booked));
}
