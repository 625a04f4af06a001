/** What the domain computes a position's figures from; numbers of the wire become exact units here. */
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

/** As a position is called. */
export const sideName = (side: Side): 'Long' | 'Short' => (side === 'BUY' ? 'Long' : 'Short');

export const termsOf = (position: Position): PositionTerms => ({
  side: position.side,
  entryPrice: asPrice(parseDecimal(position.entryPrice)),
  size: asSize(parseDecimal(position.size)),
  leverage: position.leverage,
  margin: asMoney(parseDecimal(position.margin)),
});

/** What closing at the price books, before fees, 1e-8 USDT; at least minus the margin (A03). */
export const bookedAt = (rules: RuleSet, terms: PositionTerms, price: Price): bigint =>
  settle(rules.realizedPnl(terms, price), terms.margin).realizedPnl;

/** What a closed position made after its own fees, 1e-8 USDT; null without a booked result. */
const netOf = ({ realizedPnl, fees }: Position): Money | null =>
  realizedPnl === null ? null : asMoney(parseDecimal(realizedPnl) - parseDecimal(fees));

/** The same for a figure: what the analytics count of it. */
export function closedNet(position: Position): number | null {
  const net = netOf(position);
  return net === null ? null : toNumber(net);
}

/** Net result over what the first stop loss put at risk (A108); null without a result or such a risk. */
export function closedR(position: Position): number | null {
  const { rules, initialStopLossPrice: stop } = position;
  const net = netOf(position);
  if (net === null || stop === null) return null;
  const risk = initialRisk({
    ...termsOf(position),
    rules,
    initialStopLossPrice: asPrice(parseDecimal(stop)),
  });
  return risk === null ? null : toNumber(rMultiple(net, risk));
}

/** Per cent; null for a position without a booked result. */
export function closedRoe(position: Position): number | null {
  if (position.realizedPnl === null) return null;
  const booked = asMoney(parseDecimal(position.realizedPnl));
  return toNumber(rulesOf(position.rules).closedRoe(termsOf(position), booked));
}
