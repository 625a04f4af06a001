/** What becomes of orders of accounts without net positions. */
import type { AmendCommand, OpenCommand, PlaceCommand } from '@fulcrum/domain';
import { type AuditedContext, accepted } from './audited-context.ts';
import { fullFaults } from './audited-limits.ts';
import {
  closeFaults,
  costFaults,
  type Instant,
  inputFaults,
  isLostAt,
  isOffGrid,
  orderOf,
  placementFaults,
  reaches,
  type Trade,
  tradeOf,
  waitingFaults,
} from './audited-market.ts';
import { isOrderWaiting } from './audited-net-case.ts';
import { feeOf, marginOf, orderValueOf } from './formulas.ts';
import {
  type AuditedAccount,
  type AuditedOrder,
  type AuditedPosition,
  availableIn,
  type Verdict,
} from './ledger-book.ts';

export class AuditedOrders {
  readonly #shared: AuditedContext;

  constructor(shared: AuditedContext) {
    this.#shared = shared;
  }

  openByClick(account: AuditedAccount, command: OpenCommand, instant: Instant): Verdict {
    const malformed = inputFaults(command, this.#shared.pairOf(command.symbol));
    const pair = this.#shared.pairOf(command.symbol);
    if (malformed.length > 0 || !pair) return malformed;
    const trade = tradeOf(command, pair);
    const faults = this.#shared.marketFaults(account, trade, command.expectedPrice, instant);
    const quote = instant.quote(pair.symbol);
    if (faults.length > 0 || !quote) return faults;
    this.#shared.openAt(account, trade, quote.price, { at: instant.at });
    return accepted;
  }

  place(account: AuditedAccount, command: PlaceCommand, instant: Instant): Verdict {
    const pair = this.#shared.pairOf(command.symbol);
    const malformed = placementFaults(command, pair);
    const { type, price } = command;
    if (malformed.length > 0 || !pair) return malformed;
    const trade = tradeOf(command, pair);
    if (command.boundPositionId) return this.#placeOfPosition(account, command, trade, instant);
    const faults = account.isRestricted ? ['account_restricted'] : [];
    let reserved = 0n;
    if (type !== 'MARKET' && price !== null) {
      const waits = { trade, price, isStop: type === 'STOP' };
      faults.push(...waitingFaults(waits, availableIn(account), instant, account.terms));
      faults.push(...this.#shared.limitFaults(account, pair.symbol, instant));
      reserved =
        marginOf(price, trade.size, trade.leverage) + feeOf(price, trade.size, account.terms.feeRate);
    }
    if (faults.length > 0 && !command.keepRejected) return faults;
    const isRejected = faults.length > 0;
    const order = orderOf(command, trade, { reserved, rejections: faults }, instant.at);
    account.orders.push(order);
    this.#shared.touch(order);
    if (isRejected) account.notices.push('order_rejected');
    return accepted;
  }

  /** A LIMIT that closes a part of a position: it locks nothing. */
  #placeOfPosition(account: AuditedAccount, command: PlaceCommand, trade: Trade, { at }: Instant): Verdict {
    if (command.type !== 'LIMIT' || !command.reduceOnly) return ['not_perpetual'];
    const { pair, side, size } = trade;
    if (trade.takeProfit !== null || trade.stopLoss !== null) return ['condition_not_expected'];
    const position = account.positions.find(({ id }) => id === command.boundPositionId);
    if (!position || position.symbol !== pair.symbol) return ['position_not_found'];
    const faults = position.closing ? ['position_closed'] : [];
    if (position.side === side) faults.push('nothing_to_reduce');
    const isOffSteps = size % pair.stepSize !== 0n || position.size - size < pair.minQty;
    if (size !== position.size && isOffSteps) faults.push('amount_out_of_range');
    if (faults.length > 0 && !command.keepRejected) return faults;
    if (faults.length > 0) account.notices.push('order_rejected');
    const placed = orderOf(command, trade, { reserved: 0n, rejections: faults }, at);
    const order = { ...placed, leverage: position.leverage, reduceOnly: true, boundTo: position };
    account.orders.push(order);
    this.#shared.touch(order);
    return accepted;
  }

  #fillOfPosition(
    account: AuditedAccount,
    order: AuditedOrder,
    position: AuditedPosition,
    tick: bigint,
    { at }: Instant,
  ): Verdict {
    const pair = this.#shared.pairOf(order.symbol);
    const closing = { price: tick, source: 'live', reason: 'manual', at } as const;
    if (!position.closing) this.#shared.closer.settleSides(account, order.symbol, closing, true);
    if (position.closing || position.side === order.side || !pair) {
      order.status = 'EXPIRED';
      return accepted;
    }
    const quote = { price: tick, stale: false, held: false, marketOpen: true };
    const isPart =
      order.size !== position.size && closeFaults(position, order.size, pair, quote).length === 0;
    const part = isPart ? this.#shared.closer.takeOff(account, position, order.size) : position;
    this.#shared.closer.closeAt(account, part, closing, 0n, { by: order });
    order.size = part.size;
    order.filled = part.size;
    order.filledValue = orderValueOf(tick, part.size);
    order.status = 'FILLED';
    order.position = part;
    account.notices.push('order_filled');
    return accepted;
  }

  /** Fills a MARKET order at the quote (`tick` null), a waiting one at its tick. */
  fill(account: AuditedAccount, orderId: string, tick: bigint | null, instant: Instant): Verdict {
    // Right after its placement the id of a MARKET order is unknown.
    const isNamed = ({ id, type }: AuditedOrder): boolean =>
      id === orderId || (tick === null && id === null && type === 'MARKET');
    const order = account.orders.findLast(isNamed);
    if (!order) return ['order_not_found'];
    const pair = this.#shared.pairOf(order.symbol);
    if (order.status !== 'NEW') return ['order_not_found', 'order_final'];
    if (!pair) return ['unknown_symbol'];
    if (order.type !== 'MARKET' && (tick === null || !reaches(order, tick))) return ['not_crossed'];
    this.#shared.touch(order);
    if (order.boundTo && tick !== null)
      return this.#fillOfPosition(account, order, order.boundTo, tick, instant);
    const trade: Trade = { ...order, pair };
    // Without its reserve the order counts as never placed.
    order.reserved = 0n;
    let faults: string[];
    let price: bigint | undefined;
    if (order.type === 'MARKET') {
      faults = this.#shared.marketFaults(account, trade, order.price, instant);
      price = instant.quote(order.symbol)?.price;
    } else {
      const available = availableIn(account);
      price = tick ?? undefined;
      faults = tick === null ? [] : costFaults(trade, tick, available, account.terms);
      // A LIMIT gets what it reserved for, its own price, unless the tick would end it there at once.
      const isOwnPrice = faults.length > 0 && order.type === 'LIMIT' && tick !== null;
      if (isOwnPrice && order.price !== null && !isLostAt(trade, order.price, tick, account.terms)) {
        price = order.price;
        faults = costFaults(trade, order.price, available, account.terms);
      }
      if (account.isRestricted) faults.push('account_restricted');
      faults.push(...this.#shared.limitFaults(account, order.symbol, instant), ...fullFaults(account));
    }
    if (faults.length > 0 || price === undefined) {
      order.status = 'REJECTED';
      order.rejections = faults;
      account.notices.push('order_rejected');
      return accepted;
    }
    order.status = 'FILLED';
    order.position = this.#shared.openAt(account, trade, price, { at: instant.at, order });
    order.filled = order.size;
    order.filledValue = orderValueOf(price, order.size);
    account.notices.push('order_filled');
    return accepted;
  }

  release(order: AuditedOrder): void {
    order.status = 'CANCELED';
    order.reserved = 0n;
    this.#shared.touch(order);
  }

  cancel(account: AuditedAccount, orderId: string): Verdict {
    const order = account.orders.find(({ id }) => id === orderId);
    if (!order) return ['order_not_found'];
    if (!isOrderWaiting(order)) return ['order_final'];
    this.release(order);
    return accepted;
  }

  /** It has to be as valid as a new one at that price, in an account without this one. */
  amend(account: AuditedAccount, { orderId, price }: AmendCommand, instant: Instant): Verdict {
    const order = account.orders.find(({ id }) => id === orderId);
    if (!order) return ['order_not_found'];
    if (order.status !== 'NEW') return ['order_final'];
    const pair = this.#shared.pairOf(order.symbol);
    if (!pair) return ['unknown_symbol'];
    if (isOffGrid(price, pair)) return ['order_price_invalid'];
    const trade: Trade = { ...order, pair };
    if (order.boundTo) {
      order.price = price;
      this.#shared.touch(order);
      return accepted;
    }
    const waits = { trade, price, isStop: order.type === 'STOP' };
    const faults = waitingFaults(waits, availableIn(account) + order.reserved, instant, account.terms);
    if (account.isRestricted) faults.push('account_restricted');
    faults.push(...this.#shared.limitFaults(account, order.symbol, instant));
    if (faults.length > 0) return faults;
    order.price = price;
    order.reserved =
      marginOf(price, order.size, order.leverage) + feeOf(price, order.size, account.terms.feeRate);
    this.#shared.touch(order);
    return accepted;
  }
}
