/** What the domain computes a position's figures from; numbers of the wire become exact units here. */
import {
  asMoney,
  asPrice,
  asSize,
  type PositionTerms,
  type Price,
  parseDecimal,
  type RuleSet,
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

/** Per cent; null for a position without a booked result. */
export function closedRoe(position: Position): number | null {
  if (position.realizedPnl === null) return null;
  const booked = asMoney(parseDecimal(position.realizedPnl));
  return toNumber(rulesOf(position.rules).closedRoe(termsOf(position), booked));
}
