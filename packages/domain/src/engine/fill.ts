/**
 * Fills an order (A20): opens its position or rejects it. Either way its reserve is released first. The position gets
 * the rules of the placement and the current fee rate. Invariants: a LIMIT never fills worse than at its price. No
 * order opens at its own price a position that the tick liquidates or stops out. A rejection leaves the account as if
 * the order had never been placed.
 */
import { orderValue } from '../margin.ts';
import { NO_MONEY, type Price } from '../money.ts';
import { isLiquidated } from '../rules.ts';
import { Changes } from './changes.ts';
import { canBeParted, checkPart } from './close.ts';
import { PositionCloser } from './closing.ts';
import { type Context, type Decision, type FillCommand, refuse } from './commands.ts';
import { limitRefusal, positionsFull } from './limits.ts';
import { marketOpening } from './open.ts';
import { costRefusal, liquidationPriceOf, type OpeningTerms, openingCost, openPosition } from './opening.ts';
import { fires, orderTriggerOf } from './protection.ts';
import { releaseReserve } from './reserves.ts';
import type { Account, Order, Refusal } from './types.ts';

/** What the order opens, or why it is rejected. The reserve of `account` is already released. */
function openingOf(
  account: Pick<Account, 'wallet' | 'restricted' | 'openPositionCount'>,
  order: Order,
  tick: Price | null,
  context: Context,
): { readonly terms: OpeningTerms } | { readonly refusal: Refusal } {
  const { symbol, side, size, leverage, takeProfitPrice, stopLossPrice } = order;
  const pair = context.market.pair(symbol);
  if (!pair) return { refusal: { code: 'unknown_symbol', symbol } };
  const input = { pair, side, size, leverage, takeProfitPrice, stopLossPrice };
  if (tick === null) return marketOpening(account, input, order.price, context);
  if (account.restricted) return { refusal: { code: 'account_restricted' } };
  const limited = limitRefusal(symbol, context) ?? positionsFull(account, context);
  if (limited) return { refusal: limited };

  const { accountId, available } = account.wallet;
  const lackingAt = (price: Price): Refusal | null =>
    costRefusal(openingCost(price, size, leverage, context.feeRate), available);
  const lacking = lackingAt(tick);
  if (!lacking) return { terms: { ...input, accountId, price: tick } };
  if (order.type !== 'LIMIT' || order.price === null) return { refusal: lacking };
  // A better price of a SELL needs a larger margin. Without it the order fills at the price that it reserved for. The
  // market is at the tick, so a position that this tick would liquidate or stop out is rejected.
  const atOwn: OpeningTerms = { ...input, accountId, price: order.price };
  const isLost = (price: Price): boolean => isLiquidated(side, price, tick);
  if (isLost(liquidationPriceOf(atOwn, context)) || (stopLossPrice !== null && isLost(stopLossPrice))) {
    return { refusal: lacking };
  }
  const lackingAtOwn = lackingAt(order.price);
  return lackingAtOwn ? { refusal: lackingAtOwn } : { terms: atOwn };
}

export function decideFill(account: Account, { orderId, price }: FillCommand, context: Context): Decision {
  const order = account.order(orderId);
  if (!order) return refuse({ code: 'order_not_found' });
  if (order.status !== 'NEW') return refuse({ code: 'order_final', status: order.status });
  const trigger = orderTriggerOf(order);
  if (trigger && (price === null || !fires(trigger, price))) return refuse({ code: 'not_crossed' });

  if (order.boundPositionId !== null && price !== null)
    return fillOfPosition(account, order, order.boundPositionId, price, context);
  const changes = new Changes(account.wallet, context);
  releaseReserve(changes, order);
  const { restricted, openPositionCount } = account;
  const released = { wallet: changes.wallet, restricted, openPositionCount };
  const tick = trigger ? price : null;
  const opened = { ...context, rules: order.rules };
  const opening = openingOf(released, order, tick, opened);
  const final = { ...order, reserved: NO_MONEY };
  if ('refusal' in opening) {
    const rejected = changes.setOrder(order, { ...final, status: 'REJECTED', rejection: opening.refusal });
    changes.notify('order_rejected', { order: rejected, price: tick });
    return { outcome: 'accepted', subject: { kind: 'order', order: rejected }, effects: changes.effects() };
  }
  const position = openPosition(changes, opening.terms, opened, order.id);
  const { entryPrice, size } = position;
  const filled = changes.setOrder(order, {
    ...final,
    ...{ status: 'FILLED', positionId: position.id, filledSize: size },
    filledValue: orderValue(entryPrice, size),
  });
  changes.notify('order_filled', { order: filled, position, price: position.entryPrice });
  return { outcome: 'accepted', subject: { kind: 'order', order: filled }, effects: changes.effects() };
}

/** The tick reached an order that closes a part of its position; a part that no longer fits closes the whole (A23). */
function fillOfPosition(
  account: Account,
  order: Order,
  positionId: string,
  tick: Price,
  context: Context,
): Decision {
  const changes = new Changes(account.wallet, context);
  const closer = new PositionCloser(account, changes, context);
  const position = account.position(positionId);
  const terms = { price: tick, source: 'live', reason: 'manual', orderId: order.id } as const;
  if (position) closer.liquidateExhausted(order.symbol, terms);
  const open = position && changes.latest(position);
  if (!open || open.closing || open.side === order.side) {
    // What it was for is gone.
    const ended = changes.setOrder(order, { ...order, status: 'EXPIRED' });
    return { outcome: 'accepted', subject: { kind: 'order', order: ended }, effects: changes.effects() };
  }
  const pair = context.market.pair(order.symbol);
  const { size } = order;
  const isPart = pair && checkPart(pair, open.size, size) === null && canBeParted(open, size, tick);
  const part = isPart ? closer.splitOff(open, size) : null;
  const closed = closer.close(part ?? open, terms);
  const filled = changes.setOrder(order, {
    ...order,
    ...{ status: 'FILLED', size: closed.size, filledSize: closed.size, positionId: closed.id },
    filledValue: orderValue(tick, closed.size),
  });
  changes.notify('order_filled', { order: filled, position: closed, price: tick });
  return { outcome: 'accepted', subject: { kind: 'order', order: filled }, effects: changes.effects() };
}
