/** What becomes of orders of net positions: placed, waiting, triggered, in transit, filled in parts, amended, ended. */
import type { AmendCommand, Command, OpenCommand, PlaceCommand, ReverseCommand } from '@fulcrum/domain';
import { times } from './arithmetic.ts';
import {
  isFollowed,
  isLimited,
  isTriggered,
  isWaitingForTrigger,
  netPlacementFaults,
} from './audited-conditions.ts';
import { isQuoteGone, minuteOf, type NetInstant } from './audited-levels.ts';
import { type AuditedPair, inputFaults, isOffGrid } from './audited-market.ts';
import {
  againstOf,
  isOrderWaiting,
  leverageOf,
  type NetOrder,
  netOf,
  type Placed,
  refused,
} from './audited-net-case.ts';
import { inUnits, other, profileOf, smaller, units } from './audited-net-formulas.ts';
import { NetTrades } from './audited-net-trades.ts';
import { marginOf } from './formulas.ts';
import { type AuditedAccount, type AuditedOrder, type AuditedPosition, availableIn } from './ledger-book.ts';

/** What the order has traded into is protected by it; then the protection is the position's own. */
const protectionOf = (
  { filled, position, takeProfit, stopLoss }: AuditedOrder,
  open: AuditedPosition | undefined,
) =>
  filled > 0n && position?.id === open?.id ? { takeProfit: null, stopLoss: null } : { takeProfit, stopLoss };

/**
 * What a tick makes of a waiting order, if its account can pay: how much of it fills; `ends` where a reduce-only order has nothing to
 * reduce; null where the other side of the book is not beyond its price, or the account's share of the minute is used up.
 */
export function fillAt(
  account: AuditedAccount,
  { symbol, side, price, size, filled, reduceOnly }: AuditedOrder,
  pair: AuditedPair,
  { tick, at, book: bookOf }: Pick<NetInstant, 'at' | 'book'> & { readonly tick: bigint },
): bigint | 'ends' | null {
  const book = bookOf(symbol);
  if (!book || price === null) return null;
  // The tick with the spread of the book: the best price of the other side has to be beyond the order's.
  const [best] = side === 'BUY' ? book.asks : book.bids;
  const otherSide = tick + (best ? best.price - book.mid : 0n);
  if (side === 'BUY' ? otherSide >= price : otherSide <= price) return null;
  const most = reduceOnly ? againstOf(netOf(account, symbol), side) : size - filled;
  if (most === 0n) return 'ends';
  const minute = minuteOf(at);
  const share = book.minuteVolume / 10n;
  let allowed = share < pair.stepSize ? pair.stepSize : share;
  for (const trade of account.trades)
    if (trade.symbol === symbol && trade.isMaker && minuteOf(trade.at) === minute) allowed -= trade.size;
  allowed = allowed > 0n ? allowed - (allowed % pair.stepSize) : 0n;
  const filling = smaller(size - filled, smaller(allowed, most));
  return filling === 0n ? null : filling;
}

export class NetOrders extends NetTrades {
  /** A click, an amendment, or the cancellation of an order on its way, while the market trades. */
  isInTransit(command: Command): boolean {
    if ('arrivalPrice' in command && command.arrivalPrice !== undefined) return false;
    let symbol: string | undefined;
    if (command.kind === 'open') symbol = command.symbol;
    else if (command.kind === 'close' || command.kind === 'reverse') {
      const { positionId } = command;
      symbol = this.account.positions.find(({ id, closing }) => id === positionId && !closing)?.symbol;
    } else if (command.kind === 'amend' || command.kind === 'cancel') {
      const order = this.account.orders.find(({ id }) => id === command.orderId);
      const isResting = order && isOrderWaiting(order) && !isWaitingForTrigger(order);
      if (isResting && (command.kind === 'amend' || order.dueAt !== null)) symbol = order.symbol;
    }
    return symbol !== undefined && this.arrivalAt(symbol) !== null;
  }

  open(command: OpenCommand): readonly string[] {
    const pair = this.tools.pairOf(command.symbol);
    const malformed = inputFaults(command, pair);
    if (malformed.length > 0 || !pair) return malformed;
    const faults = this.openableFaults(pair.symbol, command.expectedPrice);
    if (faults.length > 0) return faults;
    const arrival = command.arrivalPrice ?? null;
    return this.put({ ...orderOf(command, pair), limit: null, order: null, arrival }).faults;
  }

  place(command: PlaceCommand): readonly string[] {
    const pair = this.tools.pairOf(command.symbol);
    const malformed = netPlacementFaults(command, pair, this.instant.at);
    if (isLimited(command.type)) malformed.push(...sizeFaults(command.price, command.size, command.leverage));
    if (malformed.length > 0 || !pair) return malformed;
    const { closePosition: closes = false, boundPositionId = null } = command;
    const held = netOf(this.account, pair.symbol);
    const isOfPosition = closes || boundPositionId !== null;
    const stated = orderOf(command, pair);
    const alien: string[] = [];
    if (boundPositionId !== null && held?.id !== boundPositionId) alien.push('position_not_found');
    if (isOfPosition && againstOf(held, stated.side) === 0n) alien.push('nothing_to_reduce');
    if (alien.length > 0 && !command.keepRejected) return alien;
    const limit = isLimited(command.type) ? command.price : null;
    const input = { ...stated, reduceOnly: stated.reduceOnly || isOfPosition };
    const order: AuditedOrder = {
      ...{ id: this.ids[0] ?? null, symbol: pair.symbol, type: command.type, side: input.side },
      ...{ price: command.price, size: command.size, leverage: command.leverage, clientId: command.clientId },
      ...{
        takeProfit: input.takeProfit,
        stopLoss: input.stopLoss,
        reserved: 0n,
        status: 'NEW',
        rejections: [],
      },
      ...{ timeInForce: input.timeInForce, reduceOnly: input.reduceOnly, filled: 0n, filledValue: 0n },
      ...{ trigger: command.triggerPrice ?? null, trail: command.trailRate ?? null, peak: null, closes },
      ...{ triggeredAt: null, endsAt: command.expiresAt ?? null, isNet: true },
      ...{ dueAt: null, arrival: null, quoteId: null },
      boundTo: isOfPosition && held && alien.length === 0 ? held : null,
      ...{ position: null, createdAt: this.instant.at, version: 0, accountVersion: 0 },
    };
    const moved =
      command.type === 'MARKET' && command.price !== null
        ? this.openableFaults(pair.symbol, command.price)
        : [];
    const undo = this.remember();
    const arrival = isWaitingForTrigger(order) ? null : this.arrivalAt(pair.symbol);
    const tried = isWaitingForTrigger(order)
      ? this.queue({ ...input, limit, order }, order)
      : arrival === null
        ? this.put({ ...input, limit, order })
        : this.arrive({ ...input, limit, order }, order, arrival);
    const before = [...alien, ...moved];
    const placed = before.length > 0 ? refused(...before, ...tried.faults) : tried;
    if (placed.faults.length > 0 && !command.keepRejected) return placed.faults;
    if (placed.faults.length > 0) {
      // As if it had never been tried.
      undo();
      const nothing = { dueAt: null, arrival: null, quoteId: null, peak: null };
      Object.assign(order, nothing, { status: 'REJECTED', rejections: placed.faults });
      this.account.orders.push(order);
      this.account.notices.push('order_rejected');
      this.tools.touch(order);
      return [];
    }
    this.account.orders.push(order);
    this.tools.touch(order);
    if (!isWaitingForTrigger(order) && order.dueAt === null) this.keep(order, placed);
    if (placed.position) this.account.notices.push('order_filled');
    return [];
  }

  /** It is to wait for its trigger, which the market must not have reached, and is judged as far as it can be by now. */
  protected queue(input: NetOrder, order: AuditedOrder): Placed {
    const account = this.account;
    const { pair, side, leverage, limit } = input;
    const { symbol } = pair;
    const faults = this.termFaults({ ...input, limit: limit ?? order.trigger });
    const isRival = (other: AuditedOrder) =>
      other !== order && other.symbol === symbol && other.side === side && other.type === order.type;
    if (
      order.closes &&
      account.orders.some((other) => other.closes && isOrderWaiting(other) && isRival(other))
    )
      faults.push('close_order_exists');
    const quote = this.instant.quote(symbol);
    const mark = quote && this.openableFaults(symbol, null).length === 0 ? quote.price : null;
    if (mark !== null && isTriggered({ ...order, peak: null }, mark)) faults.push('trigger_reached');
    if (faults.length > 0) return refused(...faults);
    account.leverages.set(symbol, leverage);
    if (order.peak === null && mark !== null && isFollowed(order, mark)) order.peak = mark;
    return { ...refused(), waits: true };
  }

  /** It is to be filled once its latency is over; only what nobody could fill is refused by now. */
  protected arrive(input: NetOrder, order: AuditedOrder, arrival: bigint): Placed {
    const { pair, leverage, quoteId } = input;
    const faults = this.termFaults(input);
    const book = this.instant.book(pair.symbol);
    const { at } = this.instant;
    if (book && quoteId !== null && isQuoteGone(quoteId, this.account, pair.symbol, book, at))
      faults.push('quote_changed');
    if (faults.length > 0) return refused(...faults);
    this.account.leverages.set(pair.symbol, leverage);
    Object.assign(order, { dueAt: at + profileOf(this.account).latency, arrival, quoteId });
    return { ...refused(), waits: true };
  }

  /** Its trigger is reached, or its latency is over: it is judged as an order of now. */
  protected activate(order: AuditedOrder): readonly string[] {
    const { symbol, side } = order;
    const pair = this.tools.pairOf(symbol);
    const shut = pair ? this.openableFaults(symbol, null) : ['unknown_symbol'];
    if (!this.instant.book(symbol)) shut.push('no_quote');
    if (!pair || shut.length > 0) {
      const { timeInForce, dueAt, type } = order;
      const canWait = isLimited(type) && timeInForce !== 'IOC' && timeInForce !== 'FOK';
      const isLate = shut.includes('market_closed') || (dueAt !== null && this.instant.at >= dueAt + 30_000);
      if (dueAt === null || canWait || !isLate) return ['not_crossed'];
      this.tools.touch(order);
      return this.end(order, shut);
    }
    const size = order.closes ? againstOf(netOf(this.account, symbol), side) : order.size;
    this.tools.touch(order);
    if (size === 0n) return this.end(order, []);
    const isConditional = isWaitingForTrigger(order);
    const { arrival, quoteId } = order;
    const begun = {
      ...{ size, dueAt: null, arrival: null, quoteId: null },
      leverage: isConditional ? leverageOf(this.account, symbol) : order.leverage,
      triggeredAt: isConditional ? this.instant.at : order.triggeredAt,
    };
    const moved =
      order.type === 'MARKET' && order.price !== null ? this.openableFaults(symbol, order.price) : [];
    const undo = this.remember();
    const at = this.account.orders.indexOf(order);
    // For its own check it does not wait.
    Object.assign(order, begun, { status: 'CANCELED' });
    const tried = this.put({
      ...{
        pair,
        side,
        size,
        leverage: begun.leverage,
        arrival,
        limit: isLimited(order.type) ? order.price : null,
      },
      ...{ takeProfit: order.takeProfit, stopLoss: order.stopLoss, timeInForce: order.timeInForce },
      ...{ reduceOnly: order.reduceOnly, quoteId, order },
    });
    const placed = moved.length > 0 ? refused(...moved, ...tried.faults) : tried;
    if (placed.faults.length > 0) {
      undo();
      const same = this.account.orders[at];
      if (!same) throw new RangeError('the order is gone');
      Object.assign(same, begun);
      this.tools.touch(same);
      return this.end(same, placed.faults);
    }
    order.status = 'NEW';
    this.keep(order, placed);
    if (placed.position) this.account.notices.push('order_filled');
    else if ((order.status as string) === 'EXPIRED') this.account.notices.push('order_expired');
    return [];
  }

  /** What became of the order: filled parts, what waits, what has expired. */
  protected keep(order: AuditedOrder, { filled, position, reserved, left, waits }: Placed): void {
    order.filled += filled?.size ?? 0n;
    order.filledValue += filled?.value ?? 0n;
    order.position = position ?? order.position;
    order.reserved = reserved;
    if (left === 0n) order.status = 'FILLED';
    else if (!waits) order.status = 'EXPIRED';
    else if (order.filled > 0n) order.status = 'PARTIALLY_FILLED';
  }

  fill(orderId: string, tick: bigint | null): readonly string[] {
    const account = this.account;
    const order = account.orders.find(({ id }) => id === orderId);
    this.own = this.ownFaults(order ?? null);
    if (!order) return ['order_not_found'];
    if (!isOrderWaiting(order)) return ['order_not_found', 'order_final'];
    if (order.endsAt !== null && this.instant.at >= order.endsAt) {
      this.tools.touch(order);
      return this.end(order, []);
    }
    if (isWaitingForTrigger(order))
      return tick !== null && isTriggered(order, tick) ? this.activate(order) : ['not_crossed'];
    if (order.dueAt !== null) return this.instant.at < order.dueAt ? ['not_crossed'] : this.activate(order);
    const { price, side, symbol } = order;
    const pair = this.tools.pairOf(symbol);
    if (!pair || price === null || tick === null) return ['not_crossed'];
    const met = fillAt(account, order, pair, { ...this.instant, tick });
    if (met === null) return ['not_crossed'];
    this.tools.touch(order);
    if (met === 'ends') return this.end(order, []);
    const size = met;
    const left = order.size - order.filled;
    const undo = this.remember();
    const at = account.orders.indexOf(order);
    const hadReserve = order.reserved > 0n;
    order.reserved = 0n;
    const taken = { size, price, value: inUnits(times(units(price), units(size))) };
    const input: NetOrder = {
      ...{ pair, side, size: left, leverage: order.leverage, limit: price, order, quoteId: null },
      ...protectionOf(order, netOf(account, symbol)),
      ...{ timeInForce: 'GTC', reduceOnly: order.reduceOnly },
    };
    const traded = this.trade(input, taken, {
      mid: tick,
      quoteId: null,
      liquidity: 'maker',
      rate: profileOf(account).maker,
      release: hadReserve,
    });
    const isPaid = availableIn(account) >= 0n;
    const rest =
      traded.faults.length === 0 && isPaid && size < left ? this.reserve(input, left - size, price) : 0n;
    if (traded.faults.length > 0 || availableIn(account) - rest < 0n) {
      undo();
      const same = account.orders[at];
      if (!same) throw new RangeError('the order is gone');
      this.tools.touch(same);
      return this.end(same, traded.faults.length > 0 ? traded.faults : ['insufficient_balance']);
    }
    order.reserved = rest;
    order.filled += size;
    order.filledValue += taken.value;
    order.position = traded.position;
    // The position may have ended with it, and what is bound to that.
    const isOver = order.boundTo !== null && order.boundTo.closing !== null;
    order.status = order.filled === order.size ? 'FILLED' : isOver ? 'EXPIRED' : 'PARTIALLY_FILLED';
    if (order.status === 'EXPIRED') order.reserved = 0n;
    account.notices.push('order_filled');
    return [];
  }

  protected end(order: AuditedOrder, faults: readonly string[]): readonly string[] {
    const isRejected = faults.length > 0 && order.status === 'NEW';
    order.reserved = 0n;
    order.status = isRejected ? 'REJECTED' : 'EXPIRED';
    order.rejections = isRejected ? faults : [];
    this.account.notices.push(faults.length > 0 ? 'order_rejected' : 'order_expired');
    return [];
  }

  amend({ orderId, price, size = null, triggerPrice = null, arrivalPrice }: AmendCommand): readonly string[] {
    const order = this.account.orders.find(({ id }) => id === orderId);
    if (!order) return ['order_not_found'];
    if (!isOrderWaiting(order)) return ['order_final'];
    const pair = this.tools.pairOf(order.symbol);
    if (!pair) return ['unknown_symbol'];
    if (order.endsAt !== null && this.instant.at >= order.endsAt) {
      this.tools.touch(order);
      return this.end(order, []);
    }
    if (order.type === 'MARKET' || order.type === 'TRAILING_STOP_MARKET') return ['order_type_invalid'];
    const whole = order.closes ? 0n : (size ?? order.size);
    const asked = inputFaults({ side: order.side, leverage: order.leverage, size: whole as never }, pair);
    const faults = order.closes ? asked.filter((fault) => fault !== 'amount_out_of_range') : asked;
    const isTrigger = !isLimited(order.type);
    if (isOffGrid(price, pair)) faults.push(isTrigger ? 'trigger_price_invalid' : 'order_price_invalid');
    if (!isTrigger) faults.push(...sizeFaults(price, whole, order.leverage));
    if (isWaitingForTrigger(order)) {
      const trigger = isTrigger ? price : (triggerPrice ?? order.trigger);
      if (trigger !== null && isOffGrid(trigger, pair)) faults.push('trigger_price_invalid');
      if (faults.length > 0) return faults;
      const amended = { ...order, trigger, price: isTrigger ? null : price, size: whole };
      const queued = this.queue(
        {
          ...{
            pair,
            side: order.side,
            size: whole,
            leverage: leverageOf(this.account, order.symbol),
            order,
          },
          ...{ limit: amended.price, takeProfit: order.takeProfit, stopLoss: order.stopLoss, quoteId: null },
          ...{ timeInForce: order.timeInForce, reduceOnly: order.reduceOnly },
        },
        // The same order, as far as others are concerned.
        Object.assign(order, { trigger, price: amended.price, size: whole }),
      );
      if (queued.faults.length > 0) return queued.faults;
      this.tools.touch(order);
      return [];
    }
    if (faults.length > 0) return faults;
    if (whole <= order.filled) return ['order_final'];
    if (order.dueAt !== null) {
      Object.assign(order, { price, size: whole });
      this.tools.touch(order);
      return [];
    }
    const released = order.reserved > 0n;
    const status = order.status;
    // For its own check it does not wait.
    order.reserved = 0n;
    order.status = 'CANCELED';
    const input: NetOrder = {
      arrival: arrivalPrice ?? null,
      ...{
        pair,
        side: order.side,
        size: whole - order.filled,
        leverage: order.leverage,
        limit: price,
        order,
      },
      ...protectionOf(order, netOf(this.account, order.symbol)),
      ...{ timeInForce: order.timeInForce, reduceOnly: order.reduceOnly, quoteId: null },
    };
    const ids = released ? this.ids.slice(1) : this.ids;
    const placed = new NetTrades(this.tools, this.account, this.instant, ids).put(input);
    if (placed.faults.length > 0) return placed.faults;
    order.status = status;
    order.price = price;
    order.size = whole;
    this.tools.touch(order);
    this.keep(order, placed);
    if (placed.position) this.account.notices.push('order_filled');
    return [];
  }

  expire(orderId: string): readonly string[] {
    const order = this.account.orders.find(({ id }) => id === orderId);
    if (!order) return ['order_not_found'];
    if (!isOrderWaiting(order)) return ['order_final', 'order_not_found'];
    if (order.endsAt === null || this.instant.at < order.endsAt) return ['not_crossed'];
    this.tools.touch(order);
    return this.end(order, []);
  }

  follow(orderId: string, price: bigint): readonly string[] {
    const order = this.account.orders.find(({ id }) => id === orderId);
    if (!order) return ['order_not_found'];
    if (!isFollowed(order, price)) return ['not_crossed'];
    order.peak = price;
    this.tools.touch(order);
    return [];
  }

  reverse({ positionId, expectedPrice, arrivalPrice }: ReverseCommand): readonly string[] {
    const position = this.account.positions.find(({ id }) => id === positionId);
    if (!position) return ['position_not_found'];
    if (position.closing) return ['position_closed'];
    const { symbol, side, leverage, size } = position;
    return this.open({
      ...{ kind: 'open', symbol, side: other(side), leverage, size: (2n * size) as never, expectedPrice },
      ...(arrivalPrice !== undefined && { arrivalPrice }),
      ...{ timeInForce: 'FOK', takeProfitPrice: null, stopLossPrice: null },
    });
  }
}

/** What would lock nothing at its price is no order. */
const sizeFaults = (price: bigint | null, size: bigint, leverage: number): string[] =>
  price !== null && leverage > 0 && marginOf(price, size, leverage) === 0n ? ['amount_too_small'] : [];

function orderOf(command: OpenCommand | PlaceCommand, pair: AuditedPair): Omit<NetOrder, 'limit' | 'order'> {
  return {
    ...{
      pair,
      side: command.side === 'BUY' ? 'BUY' : 'SELL',
      size: command.size,
      leverage: command.leverage,
    },
    ...{ takeProfit: command.takeProfitPrice, stopLoss: command.stopLossPrice },
    ...{ timeInForce: command.timeInForce ?? 'GTC', reduceOnly: command.reduceOnly ?? false },
    quoteId: command.quoteId ?? null,
  };
}
