/**
 * How a position ends, whether a click, a trigger or staff close it. The loss ends at the margin, what lies beyond is the
 * insurance's (A03); the fee is charged after it and takes at most what is left (A07).
 */
import { orderValue } from '../margin.ts';
import { asMoney, type Money, type Price } from '../money.ts';
import { rulesOf, type Settlement, settle } from '../rules.ts';
import type { ClosePriceSource, CloseReason } from '../states.ts';
import type { Account, Position } from './account.ts';
import { cancelOrder } from './cancel.ts';
import type { Changes } from './changes.ts';
import type { Context, Quote } from './commands.ts';
import { chargeFee, feeOf } from './opening.ts';

export interface ClosePrice {
  readonly price: Price;
  readonly source: ClosePriceSource;
}

/**
 * Live while the feed is fresh and the market open, else the last known mark, else the entry (RULE-19 to RULE-21, A24).
 */
export function closePriceOf(
  { entryPrice }: Pick<Position, 'entryPrice'>,
  quote: Quote | undefined,
): ClosePrice {
  if (!quote) return { price: entryPrice, source: 'entry' };
  return { price: quote.price, source: quote.stale || !quote.marketOpen ? 'mark' : 'live' };
}

/** What closing at this price changes the balance by, before fees; at least minus the margin (A03). */
export const settlementAt = (position: Position, price: Price): Settlement =>
  settle(rulesOf(position.rules).realizedPnl(position, price), position.margin);

/** Closes the whole of `position`, which is open, and returns it as it then is. */
export function closePosition(
  changes: Changes,
  position: Position,
  { price, source, reason }: ClosePrice & { readonly reason: CloseReason },
  context: Context,
): Position {
  const { id, symbol, margin, feeRate } = position;
  const { realizedPnl, toInsurance } = settlementAt(position, price);
  const left = asMoney(margin + realizedPnl);
  const group = changes.book('close', id, [
    { account: 'user:margin', amount: negative(margin) },
    { account: 'user:cash', amount: left },
    { account: 'house:pnl', amount: asMoney(toInsurance - realizedPnl) },
    { account: 'insurance', amount: negative(toInsurance) },
  ]);
  changes.line('position_closed', realizedPnl, `Closed ${symbol} position`, group);
  const due = feeOf(orderValue(price, position.size), feeRate);
  const fee = due < left ? due : left;
  chargeFee(changes, id, symbol, fee);
  return changes.position(position, {
    ...position,
    fees: asMoney(position.fees + fee),
    closeAtReopen: false,
    closing: { price, priceSource: source, reason, realizedPnl, at: context.now },
  });
}

/** Cancels what waits and closes what is open, whether the market is open or not (A73, A102). */
export function endEverything(
  account: Account,
  changes: Changes,
  reason: CloseReason,
  context: Context,
): void {
  for (const order of account.openOrders()) cancelOrder(changes, order);
  for (const position of account.openPositions()) {
    const quote = context.market.quote(position.symbol);
    closePosition(changes, position, { ...closePriceOf(position, quote), reason }, context);
  }
}

const negative = (amount: Money): Money => asMoney(-amount);
