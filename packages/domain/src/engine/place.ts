/**
 * Places an order (A20). A MARKET order reserves nothing and waits for nothing: its fill is decided right after it. LIMIT
 * and STOP hold back margin and opening fee at their own price; they need no price of the market and may be placed while
 * it is shut (A98). Invariant: what waits has reserved what its fill at its own price costs.
 */
import { requiredMargin } from '../margin.ts';
import { type Money, NO_MONEY, type Price, type Size } from '../money.ts';
import { isOnStep, priceDecimals, type TradingPair } from '../pairs.ts';
import { orderTypes, type Side } from '../states.ts';
import type { Account } from './account.ts';
import { Changes } from './changes.ts';
import { type Context, type Decision, type MarketView, type PlaceCommand, refuse } from './commands.ts';
import { ordersFull } from './limits.ts';
import { checkTrade, protectionRefusal } from './open.ts';
import { costRefusal, openingCost } from './opening.ts';
import { checkProtectionPrices, fires, orderTriggerOf, type Protection } from './protection.ts';
import type { Refusal } from './refusals.ts';
import { bookReserve } from './reserves.ts';

interface Claims extends Protection {
  readonly pair: TradingPair;
  readonly side: Side;
  readonly size: Size;
  readonly leverage: number;
}
interface Waiting extends Claims {
  readonly type: 'LIMIT' | 'STOP';
  readonly price: Price;
}
interface Immediate extends Claims {
  readonly type: 'MARKET';
  readonly price: Price | null;
}
/** The claims of an order that there can be. */
export type Placement = Waiting | Immediate;

/**
 * What no order can be, whatever the market and the account: refused, never kept as REJECTED. Reads nothing that changes
 * while the server runs, so that a request with many orders may be checked whole before the first of them is placed.
 */
export function checkPlacement(
  command: Omit<PlaceCommand, 'kind' | 'clientId' | 'keepRejected'>,
  market: Pick<MarketView, 'pair' | 'isListed'>,
): { readonly placement: Placement } | { readonly refusal: Refusal } {
  const trade = checkTrade(command, market);
  if ('refusal' in trade) return trade;
  const type = orderTypes.find((known) => known === command.type);
  if (!type) return { refusal: { code: 'order_type_invalid' } };
  const { pair } = trade;
  const { price, size, leverage, takeProfitPrice, stopLossPrice } = command;

  const fault = checkProtectionPrices({ takeProfitPrice, stopLossPrice }, pair);
  const malformed: Refusal | null = fault && {
    code: 'protection_invalid',
    fault,
    decimals: priceDecimals(pair),
  };
  const claims: Claims = { ...trade, size, leverage, takeProfitPrice, stopLossPrice };
  const { minPrice, maxPrice, tickSize } = pair;
  const invalidPrice: Refusal = { code: 'order_price_invalid', min: minPrice, max: maxPrice, tickSize };
  if (type === 'MARKET') {
    // Only a bound (A18), so it may lie off the ticks; but what is below every price was never seen.
    if (price !== null && price <= 0n) return { refusal: invalidPrice };
    if (malformed) return { refusal: malformed };
    return { placement: { ...claims, type, price } };
  }
  if (price === null || price < minPrice || price > maxPrice || !isOnStep(price, tickSize)) {
    return { refusal: invalidPrice };
  }
  if (requiredMargin(price, size, leverage) === 0n) return { refusal: { code: 'amount_too_small' } };
  if (malformed) return { refusal: malformed };
  return { placement: { ...claims, type, price } };
}

/** Why an order does not wait at this price now, or null. `available` is without what the order itself holds back. */
export function waitingRefusal(placement: Waiting, available: Money, context: Context): Refusal | null {
  const { price, size, leverage } = placement;
  const cost = openingCost(price, size, leverage, context.feeRate);
  return (
    stopReached(placement, context.market) ??
    costRefusal(cost, available) ??
    protectionRefusal(placement, context)
  );
}

/** Why the account or the market does not take the order now, or null. */
function circumstance(account: Account, placement: Placement, context: Context): Refusal | null {
  if (placement.type !== 'MARKET') {
    const refusal = waitingRefusal(placement, account.wallet.available, context);
    if (refusal) return refusal;
  }
  if (account.restricted) return { code: 'account_restricted' };
  return placement.type === 'MARKET' ? null : ordersFull(account);
}

/** A LIMIT that is reached fills at once; a STOP that is reached is a mistake. Only a price that may be traded on counts. */
function stopReached(placement: Waiting, market: MarketView): Refusal | null {
  const { type, pair } = placement;
  if (type !== 'STOP') return null;
  const quote = market.quote(pair.symbol);
  if (!quote || quote.stale || !quote.marketOpen) return null;
  const trigger = orderTriggerOf({ ...placement, status: 'NEW' });
  if (!trigger || !fires(trigger, quote.price)) return null;
  const mustBe = trigger.when === 'rises' ? 'above' : 'below';
  return { code: 'stop_reached', mustBe, market: quote.price, decimals: priceDecimals(pair) };
}

export function decidePlace(account: Account, command: PlaceCommand, context: Context): Decision {
  const checked = checkPlacement(command, context.market);
  if ('refusal' in checked) return refuse(checked.refusal);
  const { placement } = checked;
  const { pair, type, side, price, size, leverage, takeProfitPrice, stopLossPrice } = placement;
  const rejection = circumstance(account, placement, context);
  if (rejection && !command.keepRejected) return refuse(rejection);

  const waits = type !== 'MARKET' && rejection === null;
  const changes = new Changes(account.wallet, context);
  const order = changes.order(null, {
    id: context.newId(),
    userId: account.wallet.userId,
    symbol: pair.symbol,
    type,
    side,
    price,
    size,
    leverage,
    takeProfitPrice,
    stopLossPrice,
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
