/**
 * Orders of a `perpetual` account (A113, A114). An order takes from the book what is within its price, at once; what is left
 * waits (`net-resting.ts`) or expires, as its time in force says.
 *
 * Invariants: an order fills no better than the book that its account sees; no order waits that the book would fill; a post-only order
 * never takes; a reduce-only order never opens; what waits has reserved what it would lock when it was placed, or last filled. An order
 * that was to reduce, of a position that is gone by then, is paid when it fills, or ends.
 */
import { isLeverage } from '../margin.ts';
import { asMoney, asSize, type Money, multiply, NO_MONEY, type Price, type Size } from '../money.ts';
import { priceDecimals, type TradingPair } from '../pairs.ts';
import { isMarketable, levelsFor, type QuotedBook, sweep } from '../perpetual/book.ts';
import { fillTerms } from '../perpetual/fill-profiles.ts';
import { initialMargin } from '../perpetual/net-position.ts';
import type { OrderStatus, Side, TimeInForce } from '../states.ts';
import type { Changes } from './changes.ts';
import type { Context } from './commands.ts';
import { waitsForTrigger } from './conditions.ts';
import { afterLatency, bookFor, type Fill, isStillQuoted, marketBook, takerFill } from './executions.ts';
import { limitRefusal, ordersFull } from './limits.ts';
import { netPosition, reducible, tradeNet } from './net-trade.ts';
import { openablePrice } from './open.ts';
import { feeOf, leverageRefusal } from './opening.ts';
import { checkProtection } from './protection.ts';
import type { Account, Order, Position, Protection, Refusal } from './types.ts';

/** A checked order, as far as it is left to be filled. */
export interface NetOrder extends Protection {
  readonly pair: TradingPair;
  readonly side: Side;
  readonly size: Size;
  readonly leverage: number;
  /** Null takes at any price. */
  readonly limit: Price | null;
  readonly timeInForce: TimeInForce;
  readonly reduceOnly: boolean;
  readonly quoteId: string | null;
  readonly orderId: string | null;
  /** The middle of the market when it arrived, of an order that has waited for its latency; else null. */
  readonly arrivalPrice: Price | null;
}

export type Refused = { readonly refusal: Refusal };

/** Maker and taker fee of the account. */
export const feesOf = ({ fillProfile, feeRate }: Pick<Context, 'fillProfile' | 'feeRate'>) =>
  fillProfile === 'exact' ? { makerFee: feeRate, takerFee: feeRate } : fillTerms[fillProfile];

/**
 * The leverage of an order: that of its symbol. Another one becomes the symbol's while nothing of the symbol is open or waits.
 */
export function netLeverageRefusal(
  account: Account,
  symbol: string,
  leverage: number,
  context: Context,
): Refusal | null {
  if (!isLeverage(leverage)) return { code: 'leverage_invalid' };
  const capped = leverageRefusal(leverage, context);
  if (capped || leverage === account.leverageOf(symbol)) return capped;
  const inUse = netPosition(account, symbol)?.leverage ?? waitingOrder(account, symbol)?.leverage;
  return inUse === undefined || inUse === leverage
    ? null
    : { code: 'leverage_in_use', symbol, leverage: inUse };
}

/** An order of the symbol that waits with its leverage; one that waits for its trigger takes that of then. */
export function waitingOrder(account: Account, symbol: string): Order | null {
  for (const order of account.openOrders())
    if (order.symbol === symbol && !waitsForTrigger(order)) return order;
  return null;
}

interface Taken {
  readonly filled: Fill | null;
  readonly position: Position | null;
}

/**
 * Takes from the book what the order may have at once. Where nothing trades, an order may wait that the last book would not fill:
 * another one would get its own price later, however much better the market's is by then.
 */
export function takeFromBook(
  account: Account,
  changes: Changes,
  order: NetOrder,
  context: Context,
): Taken | Refused {
  const { pair, side, limit, timeInForce, leverage } = order;
  const { symbol } = pair;
  const none: Taken = { filled: null, position: null };
  const openable = openablePrice(pair, null, context);
  const closed = 'refusal' in openable ? openable : null;
  const book = bookFor(account, symbol, context);
  if (!book) return closed ?? { refusal: { code: 'no_quote', symbol } };
  if (order.quoteId !== null && !isStillQuoted(order.quoteId, book))
    return { refusal: { code: 'quote_changed' } };
  if (closed)
    return mayWait(order) && !isMarketable(marketBook(symbol, context) ?? book, side, limit) ? none : closed;
  if (timeInForce === 'GTX') return takesNothing(book, side, limit, pair);

  const position = netPosition(account, symbol);
  const most = order.reduceOnly ? reducible(position, side) : order.size;
  const requested = most < order.size ? most : order.size;
  const swept = sweep(levelsFor(book, side), side, requested, { limit });
  if (timeInForce === 'FOK' && swept.size < order.size) {
    return { refusal: { code: 'order_not_fillable', size: swept.size } };
  }
  if (swept.size === 0n) return none;
  const filled = afterLatency(takerFill(book, side, swept), side, order.arrivalPrice);
  const trade = { ...order, leverage, feeRate: feesOf(context).takerFee };
  const traded = tradeNet(account, changes, filled, trade, context);
  return 'refusal' in traded ? traded : { filled, position: traded.position };
}

export const mayWait = ({ limit, timeInForce }: Pick<NetOrder, 'limit' | 'timeInForce'>): boolean =>
  limit !== null && timeInForce !== 'IOC' && timeInForce !== 'FOK';

function takesNothing(book: QuotedBook, side: Side, limit: Price | null, pair: TradingPair): Taken | Refused {
  const [best] = levelsFor(book, side);
  if (limit !== null && best && isMarketable(book, side, limit)) {
    return { refusal: { code: 'order_would_take', best: best.price, decimals: priceDecimals(pair) } };
  }
  return { filled: null, position: null };
}

/** Why the account cannot pay for its next state, or null. `before`: what was available. */
export function paidRefusal(changes: Changes, before: Money): Refusal | null {
  const { available } = changes.wallet;
  if (available >= 0n) return null;
  return { code: 'insufficient_balance', required: asMoney(before - available), available: before };
}

/** What a waiting order locks: the margin and fee of the part that would not reduce the position. */
export function reserveOf(
  account: Account,
  position: Position | null,
  { id, side, size, price, leverage, pair, reduceOnly }: ReserveTerms,
  context: Context,
): Money {
  if (reduceOnly) return NO_MONEY;
  let free: bigint = reducible(position, side);
  for (const other of account.openOrders()) {
    const isRival =
      other.id !== id && other.symbol === pair.symbol && other.side === side && !waitsForTrigger(other);
    if (isRival) free -= other.size - other.filledSize;
  }
  const opening = free <= 0n ? size : size - free;
  if (opening <= 0n) return NO_MONEY;
  const value = multiply(price, asSize(opening));
  return asMoney(initialMargin(value, leverage) + feeOf(value, feesOf(context).takerFee));
}
interface ReserveTerms {
  readonly id: string;
  readonly side: Side;
  readonly size: Size;
  readonly price: Price;
  readonly leverage: number;
  readonly pair: TradingPair;
  readonly reduceOnly: boolean;
}

/** The position of the symbol after what `changes` holds. */
export function positionAfter(
  account: Account,
  changes: Changes,
  symbol: string,
  traded: Position | null,
): Position | null {
  if (traded && traded.closing === null) return traded;
  const before = netPosition(account, symbol);
  const latest = before && changes.latest(before);
  return latest && latest.closing === null ? latest : null;
}

export function adoptLeverage(
  account: Account,
  changes: Changes,
  { pair, leverage }: Pick<NetOrder, 'pair' | 'leverage'>,
): void {
  if (account.leverageOf(pair.symbol) !== leverage) changes.setLeverage(pair.symbol, leverage);
}

export function reduceRefusal(
  account: Account,
  { reduceOnly, side, pair: { symbol } }: NetOrder,
): Refusal | null {
  if (!reduceOnly || reducible(netPosition(account, symbol), side) > 0n) return null;
  return { code: 'nothing_to_reduce', symbol };
}

/** Of an order with a take profit or a stop loss, against its price or the market's. */
export function protectionRefusal(order: NetOrder, { market }: Context): Refusal | null {
  const { pair, side, limit, takeProfitPrice, stopLossPrice } = order;
  if (takeProfitPrice === null && stopLossPrice === null) return null;
  const reference = limit ?? market.quote(pair.symbol)?.price;
  if (reference === undefined) return null;
  // A stop beyond the liquidation price is only known once the position is; it then never fires.
  const far = side === 'BUY' ? pair.minPrice - pair.tickSize : pair.maxPrice + pair.tickSize;
  const terms = { side, reference, liquidationPrice: far as Price };
  const fault = checkProtection(terms, { takeProfitPrice, stopLossPrice }, pair);
  return fault && { code: 'protection_invalid', fault, decimals: priceDecimals(pair) };
}

export interface Placed extends Taken {
  readonly status: OrderStatus;
  readonly reserved: Money;
}

/** Takes what the order may have and says what becomes of the rest. */
export function placeNet(
  account: Account,
  changes: Changes,
  order: NetOrder,
  expected: Price | null,
  context: Context,
): Placed | Refused {
  const { pair, limit, size } = order;
  const { symbol } = pair;
  const refusal = orderRefusal(account, order, expected, context);
  if (refusal) return { refusal };
  adoptLeverage(account, changes, order);
  const taken = takeFromBook(account, changes, order, context);
  if ('refusal' in taken) return taken;
  const left = asSize(size - (taken.filled?.size ?? 0n));
  const position = positionAfter(account, changes, symbol, taken.position);
  // What it was to reduce may be gone with what it took.
  const isOver = order.reduceOnly && reducible(position, order.side) === 0n;
  const waits = left > 0n && mayWait(order) && !isOver;
  const status = left === 0n ? 'FILLED' : waits ? (taken.filled ? 'PARTIALLY_FILLED' : 'NEW') : 'EXPIRED';
  const full = waits ? ordersFull(account) : null;
  if (full) return { refusal: full };
  const reserved =
    waits && limit !== null
      ? reserveOf(account, position, { ...order, id: order.orderId ?? '', size: left, price: limit }, context)
      : NO_MONEY;
  const { available } = changes.wallet;
  if (available < reserved) {
    const before = account.wallet.available;
    return {
      refusal: {
        code: 'insufficient_balance',
        required: asMoney(before - available + reserved),
        available: before,
      },
    };
  }
  return { ...taken, status, reserved };
}

/** Why the account or the market refuses the order now, whatever the book holds; or null. */
export function orderRefusal(
  account: Account,
  order: NetOrder,
  expected: Price | null,
  context: Context,
): Refusal | null {
  const { pair, side, leverage, reduceOnly } = order;
  const { symbol } = pair;
  const refusal =
    netLeverageRefusal(account, symbol, leverage, context) ??
    reduceRefusal(account, order) ??
    protectionRefusal(order, context);
  if (refusal) return refusal;
  if (!reduceOnly && reducible(netPosition(account, symbol), side) === 0n) {
    const limited = account.restricted
      ? ({ code: 'account_restricted' } as const)
      : limitRefusal(symbol, context);
    if (limited) return limited;
  }
  const moved = expected === null ? null : openablePrice(pair, expected, context);
  return moved && 'refusal' in moved ? moved.refusal : null;
}

/** The account as if the order had never been placed. */
export function withoutOrder(account: Account, order: Order, changes: Changes): Account {
  return {
    wallet: changes.wallet,
    terms: account.terms,
    restricted: account.restricted,
    position: (id) => account.position(id),
    order: (id) => account.order(id),
    openPositions: () => account.openPositions(),
    openOrders: () => [...account.openOrders()].filter(({ id }) => id !== order.id),
    holdsBothSides: (symbol) => account.holdsBothSides(symbol),
    exhaustedAt: (symbol, price) => account.exhaustedAt(symbol, price),
    leverageOf: (symbol) => account.leverageOf(symbol),
    ownTrades: (symbol) => account.ownTrades(symbol),
    openPositionCount: account.openPositionCount,
    openOrderCount: account.openOrderCount - 1,
  };
}
