/**
 * The life of an order in a `perpetual` account (A113): placed, triggered, followed, amended, filled, expired. Invariant: an order
 * that waits for its trigger, or for its latency, has reserved nothing; when it becomes an order it is judged as a new one.
 */
import { asMoney, asSize, NO_MONEY, type Price } from '../money.ts';
import { priceDecimals } from '../pairs.ts';
import { isWaiting } from '../states.ts';
import { Changes } from './changes.ts';
import {
  type AmendCommand,
  type Context,
  type Decision,
  type ExpireCommand,
  type FillCommand,
  type FollowCommand,
  type PlaceCommand,
  refuse,
} from './commands.ts';
import { conditionOf, followTriggerOf, hasLimit, waitsForTrigger } from './conditions.ts';
import { isStillQuoted, marketBook, NO_SIZE } from './executions.ts';
import { ordersFull } from './limits.ts';
import { arrivalOf } from './net-latency.ts';
import {
  adoptLeverage,
  mayWait,
  type NetOrder,
  orderRefusal,
  placeNet,
  type Refused,
  withoutOrder,
} from './net-orders.ts';
import { checkNetPlacement, type NetPlacement } from './net-placement.ts';
import { endOrder, fillResting, protectionOf } from './net-resting.ts';
import { netPosition, reducible } from './net-trade.ts';
import { openablePrice } from './open.ts';
import { fires } from './protection.ts';
import { bookReserve, releaseReserve } from './reserves.ts';
import { type Account, type Order, type Refusal, unconditional } from './types.ts';

/** The state that an order is placed in, besides what its placement states. */
type Standing = Pick<
  Order,
  | 'status'
  | 'reserved'
  | 'filledSize'
  | 'filledValue'
  | 'positionId'
  | 'peakPrice'
  | 'dueAt'
  | 'arrivalPrice'
  | 'quoteId'
>;
const untouched = {
  ...{ status: 'NEW', reserved: NO_MONEY, filledSize: NO_SIZE, filledValue: NO_MONEY, positionId: null },
  ...{ peakPrice: null, dueAt: null, arrivalPrice: null, quoteId: null },
} as const satisfies Standing;

export function decideNetPlace(account: Account, command: PlaceCommand, context: Context): Decision {
  const checked = checkNetPlacement(command, context);
  if ('refusal' in checked) return refuse(checked.refusal);
  const bound = boundTo(account, checked.placement);
  const placement = 'refusal' in bound ? ofNoPosition(checked.placement) : bound;
  const id = context.newId();
  const changes = new Changes(account.wallet, context);
  const standing = 'refusal' in bound ? bound : stand(account, changes, placement, id, context);
  const rejection = 'refusal' in standing ? standing.refusal : null;
  if (rejection && !command.keepRejected) return refuse(rejection);
  const { pair, condition, quoteId: _, ...stated } = placement;
  const order = {
    ...unconditional,
    ...stated,
    ...condition,
    ...{ id, accountId: account.wallet.accountId, symbol: pair.symbol },
    rules: 'perpetual' as const,
    ...{ clientId: command.clientId, createdAt: context.now },
  } as const;
  if ('refusal' in standing) {
    const refused = new Changes(account.wallet, context);
    const rejected = refused.setOrder(null, {
      ...order,
      ...untouched,
      // What closes a position has no size of its own yet.
      ...{ status: 'REJECTED', rejection: standing.refusal },
    });
    refused.notify('order_rejected', { order: rejected });
    return { outcome: 'accepted', subject: { kind: 'order', order: rejected }, effects: refused.effects() };
  }
  const { price, traded, ...state } = standing;
  const after = changes.setOrder(null, { ...order, ...state, rejection: null });
  bookReserve(changes, after);
  if (traded) changes.notify('order_filled', { order: after, position: traded, price });
  return { outcome: 'accepted', subject: { kind: 'order', order: after }, effects: changes.effects() };
}

/** The placement with the position that it closes: an order of a position is of an open one, on its other side. */
function boundTo(account: Account, placement: NetPlacement): NetPlacement | Refused {
  const { pair, side, condition } = placement;
  const { boundPositionId, closePosition } = condition;
  if (boundPositionId === null && !closePosition) return placement;
  const position = netPosition(account, pair.symbol);
  if (boundPositionId !== null && position?.id !== boundPositionId)
    return { refusal: { code: 'position_not_found' } };
  if (!position || reducible(position, side) === 0n)
    return { refusal: { code: 'nothing_to_reduce', symbol: pair.symbol } };
  return { ...placement, condition: { ...condition, boundPositionId: position.id } };
}

/** A rejected order names no position that it could not be of. */
const ofNoPosition = (placement: NetPlacement): NetPlacement => ({
  ...placement,
  condition: { ...placement.condition, boundPositionId: null },
});

/** What becomes of a new order: it waits for its trigger, for its latency, or it trades now. */
function stand(
  account: Account,
  changes: Changes,
  placement: NetPlacement,
  id: string,
  context: Context,
): (Standing & Traded) | Refused {
  const order = toOrder(placement, placement.price, id);
  const expected = placement.type === 'MARKET' ? placement.price : null;
  if (placement.type !== 'MARKET' && placement.type !== 'LIMIT')
    return waitForTrigger(account, changes, placement, order, context);
  const arrival = arrivalOf(account, placement.pair.symbol, context);
  if (arrival) {
    const { book, until } = arrival;
    const refusal =
      orderRefusal(account, order, expected, context) ?? (mayWait(order) ? ordersFull(account) : null);
    if (refusal) return { refusal };
    if (order.quoteId !== null && !isStillQuoted(order.quoteId, book))
      return { refusal: { code: 'quote_changed' } };
    adoptLeverage(account, changes, order);
    const { quoteId } = order;
    return { ...untouched, ...notTraded, dueAt: until, arrivalPrice: book.mid, quoteId };
  }
  const placed = placeNet(account, changes, order, expected, context);
  if ('refusal' in placed) return placed;
  const { filled, position, status, reserved } = placed;
  return {
    ...untouched,
    ...{ status, reserved, positionId: position?.id ?? null },
    ...{ filledSize: filled?.size ?? NO_SIZE, filledValue: filled?.value ?? NO_MONEY },
    ...{ traded: position, price: filled?.price ?? null },
  };
}
/** For the notification. */
interface Traded {
  readonly traded: ReturnType<typeof netPosition>;
  readonly price: Price | null;
}
const notTraded: Traded = { traded: null, price: null };

/** The placement as an order of the plain type: `price` is its limit. */
const toOrder = (placement: NetPlacement, price: Price | null, orderId: string): NetOrder => ({
  ...placement,
  limit: hasLimit(placement.type) ? price : null,
  orderId,
  arrivalPrice: null,
});

/** It need not be paid yet, but its terms have to be those that it could be placed with. */
function waitForTrigger(
  account: Account,
  changes: Changes,
  placement: NetPlacement,
  order: NetOrder,
  context: Context,
): (Standing & Traded) | Refused {
  const { pair, condition } = placement;
  const refusal =
    orderRefusal(account, { ...order, limit: order.limit ?? condition.triggerPrice }, null, context) ??
    rivalRefusal(account, placement) ??
    ordersFull(account);
  if (refusal) return { refusal };
  const openable = openablePrice(pair, null, context);
  const market = 'refusal' in openable ? null : openable.price;
  const waiting = {
    ...placement,
    ...condition,
    rules: 'perpetual',
    status: 'NEW',
    triggeredAt: null,
  } as const;
  const trigger = conditionOf({ ...waiting, peakPrice: null });
  if (trigger && market !== null && fires(trigger, market)) {
    const mustBe = trigger.when === 'rises' ? 'above' : 'below';
    return { refusal: { code: 'trigger_reached', mustBe, market, decimals: priceDecimals(pair) } };
  }
  const follow = followTriggerOf({ ...waiting, peakPrice: null });
  const peakPrice = follow && market !== null && fires(follow, market) ? market : null;
  adoptLeverage(account, changes, order);
  return { ...untouched, ...notTraded, peakPrice };
}

/** At most one order closes the whole position at a loss, and one at a gain. */
function rivalRefusal(account: Account, { pair, type, side, condition }: NetPlacement): Refusal | null {
  if (!condition.closePosition) return null;
  const { symbol } = pair;
  for (const other of account.openOrders()) {
    if (other.symbol === symbol && other.side === side && other.type === type && other.closePosition)
      return { code: 'close_order_exists', symbol };
  }
  return null;
}

/** A tick reached the trigger or passed the limit of a waiting order, or its latency is over. */
export function decideNetFill(account: Account, { orderId, price }: FillCommand, context: Context): Decision {
  const order = account.order(orderId);
  if (!order) return refuse({ code: 'order_not_found' });
  if (!isWaiting(order.status)) return refuse({ code: 'order_final', status: order.status });
  if (order.expiresAt !== null && context.now >= order.expiresAt)
    return endOrder(account, order, null, context);
  if (waitsForTrigger(order)) {
    const trigger = conditionOf(order);
    if (!trigger || price === null || !fires(trigger, price)) return refuse({ code: 'not_crossed' });
    return activate(account, order, context);
  }
  if (order.dueAt !== null)
    return context.now < order.dueAt ? refuse({ code: 'not_crossed' }) : activate(account, order, context);
  return fillResting(account, order, price, context);
}

const retryMs = 1_000;
/** For how long an order that does not wait waits for a price, once its latency is over. */
const patienceMs = 30_000;

/** Its trigger is reached, or its latency is over: it is judged as an order that is placed now. */
function activate(account: Account, order: Order, context: Context): Decision {
  const { symbol, side, closePosition, arrivalPrice } = order;
  const pair = context.market.pair(symbol);
  const isTriggered = waitsForTrigger(order);
  // Its book may be gone by now: it waits for the next price that trades.
  const limit = hasLimit(order.type) ? order.price : null;
  const openable = pair && openablePrice(pair, null, context);
  if (!pair || !openable || 'refusal' in openable || !marketBook(symbol, context)) {
    const refusal: Refusal =
      openable && 'refusal' in openable ? openable.refusal : { code: 'no_quote', symbol };
    // A price may be back soon, an open market is not: what does not wait ends as a click would.
    const isLate =
      refusal.code === 'market_closed' || context.now >= (order.dueAt ?? context.now) + patienceMs;
    if (!isTriggered && !mayWait({ ...order, limit }) && isLate)
      return endOrder(account, order, refusal, context);
    return refuse({ code: 'not_crossed', next: { at: context.now + retryMs } });
  }
  const whole = closePosition ? reducible(netPosition(account, symbol), side) : order.size;
  if (whole === 0n) return endOrder(account, order, null, context);
  const changes = new Changes(account.wallet, context);
  const leverage = isTriggered ? account.leverageOf(symbol) : order.leverage;
  const now = {
    ...order,
    ...{ size: whole, leverage, dueAt: null, arrivalPrice: null, quoteId: null },
    triggeredAt: isTriggered ? context.now : order.triggeredAt,
  };
  const placed = placeNet(
    withoutOrder(account, order, changes),
    changes,
    { ...now, pair, limit, quoteId: order.quoteId, orderId: order.id, arrivalPrice },
    order.type === 'MARKET' ? order.price : null,
    context,
  );
  if ('refusal' in placed) return endOrder(account, now, placed.refusal, context, order);
  const { filled, position, status, reserved } = placed;
  const next = changes.setOrder(order, {
    ...now,
    ...{ status, reserved, positionId: position?.id ?? null },
    ...{ filledSize: filled?.size ?? NO_SIZE, filledValue: filled?.value ?? NO_MONEY },
  });
  bookReserve(changes, next);
  if (position) changes.notify('order_filled', { order: next, position, price: filled?.price ?? null });
  else if (status === 'EXPIRED') changes.notify('order_expired', { order: next });
  return { outcome: 'accepted', subject: { kind: 'order', order: next }, effects: changes.effects() };
}

/** The time of a GTD order is over. */
export function decideExpire(account: Account, { orderId }: ExpireCommand, context: Context): Decision {
  const order = account.order(orderId);
  if (!order) return refuse({ code: 'order_not_found' });
  if (!isWaiting(order.status)) return refuse({ code: 'order_final', status: order.status });
  if (order.expiresAt === null || context.now < order.expiresAt) return refuse({ code: 'not_crossed' });
  return endOrder(account, order, null, context);
}

/** Keeps the best price that a trailing stop has followed. */
export function decideFollow(
  account: Account,
  { orderId, price }: FollowCommand,
  context: Context,
): Decision {
  const order = account.order(orderId);
  if (!order) return refuse({ code: 'order_not_found' });
  const follow = followTriggerOf(order);
  if (!follow || !fires(follow, price)) return refuse({ code: 'not_crossed' });
  const changes = new Changes(account.wallet, context);
  const next = changes.setOrder(order, { ...order, peakPrice: price });
  return { outcome: 'accepted', subject: { kind: 'order', order: next }, effects: changes.effects() };
}

/** Price, trigger price and size of a waiting order; it is judged as a new one, which may take at once. */
export function decideNetAmend(account: Account, command: AmendCommand, context: Context): Decision {
  const order = account.order(command.orderId);
  if (!order) return refuse({ code: 'order_not_found' });
  if (!isWaiting(order.status)) return refuse({ code: 'order_final', status: order.status });
  if (order.expiresAt !== null && context.now >= order.expiresAt)
    return endOrder(account, order, null, context);
  const { type, closePosition, filledSize } = order;
  if (type === 'MARKET' || type === 'TRAILING_STOP_MARKET')
    return refuse({ code: 'order_type_invalid', types: ['LIMIT', 'STOP', 'TAKE_PROFIT'] });
  const waits = waitsForTrigger(order);
  const price = hasLimit(type) ? command.price : null;
  const triggerPrice = waits
    ? hasLimit(type)
      ? (command.triggerPrice ?? order.triggerPrice)
      : command.price
    : null;
  const size = closePosition ? NO_SIZE : (command.size ?? order.size);
  const amended = { ...order, price, size, triggerPrice: waits ? triggerPrice : order.triggerPrice };
  const plain = waits ? amended : { ...amended, type: 'LIMIT', triggerPrice: null };
  // The time that it ends was checked when it was placed.
  const untimed = {
    ...plain,
    timeInForce: plain.timeInForce === 'GTD' ? 'GTC' : plain.timeInForce,
    expiresAt: null,
  };
  const checked = checkNetPlacement({ ...untimed, kind: 'place', keepRejected: false }, context);
  if ('refusal' in checked) return refuse(checked.refusal);
  const placement = { ...checked.placement, timeInForce: order.timeInForce };
  const { pair } = placement;
  const left = asSize(size - filledSize);
  if (left <= 0n && !closePosition) return refuse({ code: 'order_final', status: 'FILLED' });

  const changes = new Changes(account.wallet, context);
  releaseReserve(changes, order);
  const others = withoutOrder(account, order, changes);
  if (waits || order.dueAt !== null) {
    const leverage = waits ? account.leverageOf(pair.symbol) : order.leverage;
    const terms = toOrder({ ...placement, leverage }, price, order.id);
    const standing = waits ? waitForTrigger(others, changes, placement, terms, context) : null;
    if (standing && 'refusal' in standing) return refuse(standing.refusal);
    const next = changes.setOrder(order, amended);
    return { outcome: 'accepted', subject: { kind: 'order', order: next }, effects: changes.effects() };
  }
  const rest: NetOrder = {
    ...placement,
    ...protectionOf(order, netPosition(account, order.symbol)),
    ...{ size: left, limit: price, quoteId: null, orderId: order.id },
    arrivalPrice: command.arrivalPrice ?? null,
  };
  const placed = placeNet(others, changes, rest, null, context);
  if ('refusal' in placed) return refuse(placed.refusal);
  const { filled, position } = placed;
  const next = changes.setOrder(order, {
    ...amended,
    reserved: placed.reserved,
    filledSize: asSize(filledSize + (filled?.size ?? 0n)),
    filledValue: asMoney(order.filledValue + (filled?.value ?? 0n)),
    status: placed.status === 'NEW' ? order.status : placed.status,
    positionId: position?.id ?? order.positionId,
  });
  bookReserve(changes, next);
  if (position) changes.notify('order_filled', { order: next, position, price: filled?.price ?? null });
  return { outcome: 'accepted', subject: { kind: 'order', order: next }, effects: changes.effects() };
}
