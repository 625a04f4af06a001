/**
 * Places an order (A20). A MARKET order reserves nothing and does not wait: the engine decides its fill next. LIMIT
 * and STOP reserve margin and opening fee at their own price. They need no market price and may be placed while the
 * market is closed (A98). Invariant: a waiting order has reserved the cost of its fill at its own price.
 */
import { requiredMargin } from '../margin.ts';
import { type Money, NO_MONEY, type Price, type Size } from '../money.ts';
import { isOrderPrice } from '../order-price.ts';
import { priceDecimals, type TradingPair } from '../pairs.ts';
import { basicOrderTypes, type Side } from '../states.ts';
import { Changes } from './changes.ts';
import { checkPart } from './close.ts';
import { type Context, type Decision, type MarketView, type PlaceCommand, refuse } from './commands.ts';
import { NO_SIZE } from './executions.ts';
import { limitRefusal, ordersFull } from './limits.ts';
import { checkTrade, protectionRefusal } from './open.ts';
import { costRefusal, leverageRefusal, openingCost } from './opening.ts';
import { checkProtectionPrices, fires, orderTriggerOf } from './protection.ts';
import { bookReserve } from './reserves.ts';
import {
  type Account,
  type ConditionField,
  type Position,
  type Protection,
  type Refusal,
  unconditional,
} from './types.ts';

interface OrderInput extends Protection {
  readonly pair: TradingPair;
  readonly side: Side;
  readonly size: Size;
  readonly leverage: number;
}
interface PendingPlacement extends OrderInput {
  readonly type: 'LIMIT' | 'STOP';
  readonly price: Price;
}
interface MarketPlacement extends OrderInput {
  readonly type: 'MARKET';
  readonly price: Price | null;
}
/** The checked fields of an order. */
export type Placement = PendingPlacement | MarketPlacement;

/**
 * Refuses an order that is invalid for every market and account; it is never stored as REJECTED. Reads nothing that
 * changes while the server runs, so a request with many orders is checked whole before the first is placed.
 */
export function checkPlacement(
  command: Omit<PlaceCommand, 'kind' | 'clientId' | 'keepRejected'>,
  market: Pick<MarketView, 'pair' | 'isListed'>,
): { readonly placement: Placement } | { readonly refusal: Refusal } {
  const trade = checkTrade(command, market);
  if ('refusal' in trade) return trade;
  const type = basicOrderTypes.find((known) => known === command.type);
  if (!type) return { refusal: { code: 'order_type_invalid', types: basicOrderTypes } };
  const { pair } = trade;
  const { price, size, leverage, takeProfitPrice, stopLossPrice } = command;

  const fault = checkProtectionPrices({ takeProfitPrice, stopLossPrice }, pair);
  const malformed: Refusal | null = fault && {
    code: 'protection_invalid',
    fault,
    decimals: priceDecimals(pair),
  };
  const input: OrderInput = { ...trade, size, leverage, takeProfitPrice, stopLossPrice };
  const { minPrice, maxPrice, tickSize } = pair;
  const invalidPrice: Refusal = { code: 'order_price_invalid', min: minPrice, max: maxPrice, tickSize };
  if (type === 'MARKET') {
    // Only a bound (A18), so it may lie off the ticks; but no market has a price of zero or less.
    if (price !== null && price <= 0n) return { refusal: invalidPrice };
    if (malformed) return { refusal: malformed };
    return { placement: { ...input, type, price } };
  }
  if (!isOrderPrice(price, pair)) return { refusal: invalidPrice };
  if (requiredMargin(price, size, leverage) === 0n) return { refusal: { code: 'amount_too_small' } };
  if (malformed) return { refusal: malformed };
  return { placement: { ...input, type, price } };
}

/** Why an order cannot wait at this price now, or null. `available` excludes the reserve of the order itself. */
export function pendingRefusal(
  placement: PendingPlacement,
  available: Money,
  context: Context,
): Refusal | null {
  const { price, size, leverage } = placement;
  const cost = openingCost(price, size, leverage, context.feeRate);
  return (
    limitRefusal(placement.pair.symbol, context) ??
    leverageRefusal(leverage, context) ??
    stopReached(placement, context.market) ??
    costRefusal(cost, available) ??
    protectionRefusal(placement, context)
  );
}

/** Why the account or the market refuses the order now, or null. */
function placementRefusal(account: Account, placement: Placement, context: Context): Refusal | null {
  if (placement.type !== 'MARKET') {
    const refusal = pendingRefusal(placement, account.wallet.available, context);
    if (refusal) return refusal;
  }
  if (account.restricted) return { code: 'account_restricted' };
  return placement.type === 'MARKET' ? null : ordersFull(account);
}

/** A reached LIMIT fills at once; a reached STOP is a mistake. Only a tradable price counts. */
function stopReached(placement: PendingPlacement, market: MarketView): Refusal | null {
  const { type, pair } = placement;
  if (type !== 'STOP') return null;
  const quote = market.quote(pair.symbol);
  if (!quote || quote.stale || !quote.marketOpen) return null;
  const trigger = orderTriggerOf({ ...unconditional, ...placement, status: 'NEW', rules: 'standard' });
  if (!trigger || !fires(trigger, quote.price)) return null;
  const mustBe = trigger.when === 'rises' ? 'above' : 'below';
  return { code: 'stop_reached', mustBe, market: quote.price, decimals: priceDecimals(pair) };
}

export function decidePlace(account: Account, command: PlaceCommand, context: Context): Decision {
  const checked = checkPlacement(command, context.market);
  if ('refusal' in checked) return refuse(checked.refusal);
  const { placement } = checked;
  const { boundPositionId = null } = command;
  if (boundPositionId !== null) return placeOfPosition(account, command, boundPositionId, placement, context);
  const { pair, type, side, price, size, leverage, takeProfitPrice, stopLossPrice } = placement;
  const rejection = placementRefusal(account, placement, context);
  if (rejection && !command.keepRejected) return refuse(rejection);

  const waits = type !== 'MARKET' && rejection === null;
  const changes = new Changes(account.wallet, context);
  const order = changes.setOrder(null, {
    id: context.newId(),
    accountId: account.wallet.accountId,
    symbol: pair.symbol,
    type,
    side,
    price,
    size,
    leverage,
    takeProfitPrice,
    stopLossPrice,
    timeInForce: 'GTC',
    reduceOnly: false,
    filledSize: NO_SIZE,
    filledValue: NO_MONEY,
    ...unconditional,
    reserved: waits ? openingCost(price, size, leverage, context.feeRate).total : NO_MONEY,
    rules: context.rules,
    status: rejection ? 'REJECTED' : 'NEW',
    rejection,
    positionId: null,
    clientId: command.clientId,
    createdAt: context.now,
  });
  bookReserve(changes, order);
  if (rejection) changes.notify('order_rejected', { order });
  return { outcome: 'accepted', subject: { kind: 'order', order }, effects: changes.effects() };
}

/** A LIMIT order that closes a part of this position: it reserves nothing and ends with it. */
function placeOfPosition(
  account: Account,
  { clientId, keepRejected, reduceOnly = false }: PlaceCommand,
  positionId: string,
  placement: Placement,
  context: Context,
): Decision {
  const { pair, type, side, price, size, takeProfitPrice, stopLossPrice } = placement;
  const unexpected = (field: ConditionField) => refuse({ code: 'condition_not_expected', type, field });
  if (type !== 'LIMIT' || !reduceOnly) return refuse({ code: 'not_perpetual' });
  if (takeProfitPrice !== null || stopLossPrice !== null) return unexpected('protection');
  const position = account.position(positionId);
  if (!position || position.symbol !== pair.symbol) return refuse({ code: 'position_not_found' });
  const rejection = partRefusal(position, placement) ?? ordersFull(account);
  if (rejection && !keepRejected) return refuse(rejection);
  const changes = new Changes(account.wallet, context);
  const order = changes.setOrder(null, {
    ...unconditional,
    ...{ id: context.newId(), accountId: account.wallet.accountId, symbol: pair.symbol },
    ...{ type, side, price, size, leverage: position.leverage, takeProfitPrice, stopLossPrice, clientId },
    ...{ timeInForce: 'GTC', reduceOnly: true, boundPositionId: positionId, rules: position.rules },
    ...{ filledSize: NO_SIZE, filledValue: NO_MONEY, reserved: NO_MONEY, positionId: null },
    ...{ status: rejection ? 'REJECTED' : 'NEW', rejection, createdAt: context.now },
  });
  if (rejection) changes.notify('order_rejected', { order });
  return { outcome: 'accepted', subject: { kind: 'order', order }, effects: changes.effects() };
}

/** Why no order of this side and size can close a part of the position now, or null. */
function partRefusal(position: Position, { pair, side, size }: Placement): Refusal | null {
  if (position.closing) return { code: 'position_closed' };
  if (position.side === side) return { code: 'nothing_to_reduce', symbol: pair.symbol };
  const range = size === position.size ? null : checkPart(pair, position.size, size);
  return range && { code: 'amount_out_of_range', range };
}
