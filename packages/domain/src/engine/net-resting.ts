/**
 * Orders of a `perpetual` account that wait in the book (A113, A114): a waiting order fills as a maker at its own price once the other side
 * of the book has passed that price, and no faster than its share of the market's volume.
 */
import { asMoney, asPrice, asSize, NO_MONEY, type Price } from '../money.ts';
import type { TradingPair } from '../pairs.ts';
import { levelsFor, makerAllowance, type QuotedBook } from '../perpetual/book.ts';
import type { Side } from '../states.ts';
import { minuteMs } from '../time.ts';
import { Changes } from './changes.ts';
import { type Context, type Decision, refuse } from './commands.ts';
import { makerFill, marketBook } from './executions.ts';
import { feesOf, paidRefusal, positionAfter, reserveOf } from './net-orders.ts';
import { netPosition, reducible, tradeNet } from './net-trade.ts';
import { fires, orderTriggerOf } from './protection.ts';
import { bookReserve, releaseReserve } from './reserves.ts';
import type { Account, Order, Position, Protection, Refusal } from './types.ts';

/** The market price at which the other side of the book is a tick beyond `price`. */
function passedAt(book: QuotedBook, side: Side, price: Price, { tickSize }: TradingPair): Price {
  const [best] = levelsFor(book, side);
  const halfSpread = best ? (side === 'BUY' ? best.price - book.mid : book.mid - best.price) : 0n;
  const beyond = halfSpread + tickSize;
  return asPrice(side === 'BUY' ? price - beyond : price + beyond);
}

const nextMinute = (now: number): number => (Math.floor(now / minuteMs) + 1) * minuteMs;

/** Once the order has traded into the open position its protection is the position's, which the trader may have changed since. */
export function protectionOf(
  { filledSize, positionId, takeProfitPrice, stopLossPrice }: Order,
  open: Position | null,
): Protection {
  const isGiven = filledSize > 0n && positionId === open?.id;
  return isGiven ? { takeProfitPrice: null, stopLossPrice: null } : { takeProfitPrice, stopLossPrice };
}

/** The other side of the book has passed the price of a waiting order. */
export function fillResting(account: Account, order: Order, tick: Price | null, context: Context): Decision {
  const trigger = orderTriggerOf(order);
  const { symbol, side, price } = order;
  const pair = context.market.pair(symbol);
  const book = marketBook(symbol, context);
  if (!trigger || tick === null || price === null || !fires(trigger, tick) || !pair || !book) {
    return refuse({ code: 'not_crossed' });
  }
  const passed = passedAt(book, side, price, pair);
  if (side === 'BUY' ? tick > passed : tick < passed) {
    // The spread is of this minute, and may be wider than the price.
    const at = nextMinute(context.now);
    return refuse({ code: 'not_crossed', next: passed > 0n ? { at, price: passed } : { at } });
  }
  const left = asSize(order.size - order.filledSize);
  const allowed = makerAllowance(account.ownTrades(symbol), book.minuteVolume, pair.stepSize, context.now);
  const position = netPosition(account, symbol);
  const most = order.reduceOnly ? reducible(position, side) : left;
  const size = asSize([left, allowed, most].reduce((least, one) => (one < least ? one : least)));
  // What a reduce-only order was for is gone.
  if (most === 0n) return endOrder(account, order, null, context);
  // Its share of this minute is used up: it waits for the next one.
  if (size === 0n) return refuse({ code: 'not_crossed', next: { at: nextMinute(context.now) } });

  const changes = new Changes(account.wallet, context);
  releaseReserve(changes, order);
  const fill = makerFill(side, price, size, tick);
  const trade = {
    ...order,
    ...protectionOf(order, position),
    pair,
    orderId: order.id,
    feeRate: feesOf(context).makerFee,
  };
  const traded = tradeNet(account, changes, fill, trade, context);
  const lacking = 'refusal' in traded ? traded.refusal : paidRefusal(changes, account.wallet.available);
  if ('refusal' in traded || lacking) return endOrder(account, order, lacking, context);
  const filledSize = asSize(order.filledSize + size);
  const isFilled = filledSize === order.size;
  const after = positionAfter(account, changes, symbol, traded.position);
  const rest = { ...order, pair, price, size: asSize(left - size) };
  const isOver = order.boundPositionId !== null && after?.id !== order.boundPositionId;
  const requested = isFilled ? NO_MONEY : reserveOf(account, after, rest, context);
  const { available } = changes.wallet;
  if (requested > available)
    return endOrder(
      account,
      order,
      { code: 'insufficient_balance', required: requested, available },
      context,
    );
  const next = changes.setOrder(order, {
    ...order,
    reserved: requested,
    filledSize,
    filledValue: asMoney(order.filledValue + fill.value),
    status: isFilled ? 'FILLED' : isOver ? 'EXPIRED' : 'PARTIALLY_FILLED',
    positionId: traded.position.id,
  });
  bookReserve(changes, next);
  changes.notify('order_filled', { order: next, position: traded.position, price });
  return { outcome: 'accepted', subject: { kind: 'order', order: next }, effects: changes.effects() };
}

/** An order that cannot fill any more: rejected with the reason if it never filled, else expired. */
export function endOrder(
  account: Account,
  order: Order,
  rejection: Refusal | null,
  context: Context,
  before: Order = order,
): Decision {
  const changes = new Changes(account.wallet, context);
  releaseReserve(changes, order);
  const isRejected = rejection !== null && order.status === 'NEW';
  const ended = changes.setOrder(before, {
    ...order,
    reserved: NO_MONEY,
    status: isRejected ? 'REJECTED' : 'EXPIRED',
    rejection: isRejected ? rejection : null,
  });
  changes.notify(rejection === null ? 'order_expired' : 'order_rejected', { order: ended });
  return { outcome: 'accepted', subject: { kind: 'order', order: ended }, effects: changes.effects() };
}
