/**
 * How a position ends, whether a click, a trigger or staff close it. The loss ends at the margin, what lies beyond is the
 * insurance's (A03); the fee is charged after it and takes at most what is left (A07).
 */
import { orderValue } from '../margin.ts';
import { asMoney, type Money, type Price } from '../money.ts';
import { rulesOf, settle } from '../rules.ts';
import type { ClosePriceSource, CloseReason } from '../states.ts';
import type { Position } from './account.ts';
import type { Changes } from './changes.ts';
import type { Context, Quote } from './commands.ts';
import { chargeFee, feeOf } from './opening.ts';

export interface ClosePrice {
  readonly price: Price;
  readonly source: ClosePriceSource;
}

/** Live while the feed is fresh, else the last known mark, else the entry (RULE-19 to RULE-21, A24). */
export function closePriceOf(position: Position, quote: Quote | undefined): ClosePrice {
  if (!quote) return { price: position.entryPrice, source: 'entry' };
  return { price: quote.price, source: quote.stale ? 'mark' : 'live' };
}

/** Closes the whole of `position`, which is open, and returns it as it then is. */
export function closePosition(
  changes: Changes,
  position: Position,
  { price, source, reason }: ClosePrice & { readonly reason: CloseReason },
  context: Context,
): Position {
  const { id, symbol, margin, feeRate } = position;
  const pnl = rulesOf(position.rules).realizedPnl(position, price);
  const { realizedPnl, toInsurance } = settle(pnl, margin);
  const left = asMoney(margin + realizedPnl);
  const group = changes.book('close', id, [
    { account: 'user:margin', amount: negative(margin) },
    { account: 'user:cash', amount: left },
    { account: 'house:pnl', amount: negative(pnl) },
    { account: 'insurance', amount: negative(toInsurance) },
  ]);
  changes.line('position_closed', realizedPnl, `Closed ${symbol} position`, group);
  const due = feeOf(orderValue(price, position.size), feeRate);
  const fee = due < left ? due : left;
  chargeFee(changes, id, symbol, fee);
  return changes.position(position, {
    ...position,
    fees: asMoney(position.fees + fee),
    closing: { price, priceSource: source, reason, realizedPnl, at: context.now },
  });
}

const negative = (amount: Money): Money => asMoney(-amount);
