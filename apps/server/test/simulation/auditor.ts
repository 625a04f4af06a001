/**
 * An independent second opinion on every change of an account: the specification's rules read again, with arithmetic of its
 * own, on lists that it walks from end to end. It is told what was asked, when and at what prices, and says what has to be
 * the case afterwards. It imports types of packages/domain and nothing else of it.
 *
 * Known limitations: which of several reasons a refusal names is not predicted, only that one of those that apply is named;
 * of ids it learns from the store which row is which.
 */
import type { AmendCommand, CloseAtReopenCommand, Command, OpenCommand, PlaceCommand } from '@fulcrum/domain';
import { editPosition } from './audited-edit.ts';
import {
  type AuditedPair,
  type AuditorTerms,
  claimFaults,
  closeFaults,
  closePriceOf,
  consequencesOf,
  costFaults,
  fundFaults,
  isLostAt,
  isOffGrid,
  isProtectionWrong,
  type Moment,
  marketFaults,
  orderOf,
  partOf,
  placementFaults,
  positionOf,
  reaches,
  type Trade,
  tradeOf,
  waitingFaults,
  wishFaults,
} from './audited-market.ts';
import { feeOf, isGoodReason, marginOf, pnlOf } from './formulas.ts';
import {
  type AuditedAccount,
  type AuditedClosing,
  type AuditedOrder,
  type AuditedPosition,
  accountOf,
  availableIn,
  type House,
} from './ledger-book.ts';

/** Empty: it has to be accepted. Otherwise one of these codes has to be the answer. */
export type Verdict = readonly string[];
export const accepted: Verdict = [];

export class Auditor {
  readonly terms: AuditorTerms;
  readonly accounts: AuditedAccount[] = [];
  readonly house: House = { pnl: 0n, insurance: 0n, fees: 0n, external: 0n };
  /** What the decision under way has touched. */
  #touched = new Set<AuditedPosition | AuditedOrder>();

  constructor(terms: AuditorTerms) {
    this.terms = terms;
  }

  /** A trader with a first deposit (A13), which is booked by whoever creates the account. */
  addTrader(userId: string, deposit: bigint): void {
    this.house.external -= deposit;
    this.accounts.push(accountOf(userId, deposit));
  }

  accountOf(userId: string): AuditedAccount | undefined {
    return this.accounts.find((account) => account.userId === userId && !account.isDeleted);
  }

  /** What the command has to come to; what it changes is changed. */
  settle(userId: string, command: Command, moment: Moment): Verdict {
    const account = this.accountOf(userId);
    if (!account) return ['not_found'];
    this.#touched = new Set();
    const verdict = this.#judge(account, command, moment);
    if (verdict.length > 0) return verdict;
    account.version += 1;
    for (const row of this.#touched) {
      row.version += 1;
      row.accountVersion = account.version;
    }
    return verdict;
  }

  #judge(account: AuditedAccount, command: Command, moment: Moment): Verdict {
    switch (command.kind) {
      case 'open':
        return this.#openByClick(account, command, moment);
      case 'place':
        return this.#place(account, command, moment);
      case 'fill':
        return this.#fill(account, command.orderId, command.price, moment);
      case 'cancel':
        return this.#cancel(account, command.orderId);
      case 'amend':
        return this.#amend(account, command, moment);
      case 'protect':
        return this.#protect(account, command.positionId, command, moment);
      case 'close':
        return this.#close(account, command, moment);
      case 'close_at_reopen':
        return this.#leave(account, command, moment);
      case 'trigger':
        return this.#mark(account, command, moment);
      case 'adjust':
        return this.#adjust(account, command.amount, command.reason);
      case 'edit':
        return editPosition(this, account, command, moment.at, (position) => this.#touched.add(position));
      case 'restrict':
        return this.#restrict(account, command.restricted, command.reason);
      case 'reset':
        return this.#reset(account, command.startBalance, moment);
      case 'delete':
        return this.#delete(account, command.reason, moment);
    }
  }

  pairOf(symbol: string): AuditedPair | undefined {
    return this.terms.pairs.find((pair) => pair.symbol === symbol);
  }

  #openAt(account: AuditedAccount, trade: Trade, entry: bigint, at: number): AuditedPosition {
    const position = positionOf(trade, entry, at, this.terms);
    account.positions.push(position);
    this.#touched.add(position);
    this.#charge(account, position.fees);
    return position;
  }

  #charge(account: AuditedAccount, fee: bigint): void {
    account.balance -= fee;
    this.house.fees += fee;
    if (fee !== 0n) account.lines.push({ type: 'fee', amount: -fee, of: null });
  }

  #openByClick(account: AuditedAccount, command: OpenCommand, moment: Moment): Verdict {
    const claims = claimFaults(command, this.pairOf(command.symbol));
    const pair = this.pairOf(command.symbol);
    if (claims.length > 0 || !pair) return claims;
    const trade = tradeOf(command, pair);
    const faults = marketFaults(account, trade, { claimed: command.claimedPrice, moment, terms: this.terms });
    const quote = moment.quote(pair.symbol);
    if (faults.length > 0 || !quote) return faults;
    this.#openAt(account, trade, quote.price, moment.at);
    return accepted;
  }

  // Orders

  #place(account: AuditedAccount, command: PlaceCommand, moment: Moment): Verdict {
    const pair = this.pairOf(command.symbol);
    const claims = placementFaults(command, pair);
    const { type, price } = command;
    if (claims.length > 0 || !pair) return claims;
    const trade = tradeOf(command, pair);
    const faults = account.isRestricted ? ['account_restricted'] : [];
    let reserved = 0n;
    if (type !== 'MARKET' && price !== null) {
      const waits = { trade, price, isStop: type === 'STOP' };
      faults.push(...waitingFaults(waits, availableIn(account), moment, this.terms));
      reserved = marginOf(price, trade.size, trade.leverage) + feeOf(price, trade.size, this.terms.feeRate);
    }
    if (faults.length > 0 && !command.keepRejected) return faults;
    const isRejected = faults.length > 0;
    const order = orderOf(command, trade, { reserved, rejections: faults }, moment.at);
    account.orders.push(order);
    this.#touched.add(order);
    if (isRejected) account.told.push('order_rejected');
    return accepted;
  }

  /** A MARKET order at the quote (`tick` null), one that waited at its tick. */
  #fill(account: AuditedAccount, orderId: string, tick: bigint | null, moment: Moment): Verdict {
    // Right after its placement nobody has told us the id of a MARKET order.
    const isNamed = ({ id, type }: AuditedOrder): boolean =>
      id === orderId || (tick === null && id === null && type === 'MARKET');
    const order = account.orders.findLast(isNamed);
    if (!order) return ['order_not_found'];
    const pair = this.pairOf(order.symbol);
    if (order.status !== 'NEW') return ['order_not_found', 'order_final'];
    if (!pair) return ['unknown_symbol'];
    if (order.type !== 'MARKET' && (tick === null || !reaches(order, tick))) return ['not_crossed'];
    this.#touched.add(order);
    const trade: Trade = { ...order, pair };
    // Without its reserve the order is as one that was never placed.
    order.reserved = 0n;
    let faults: string[];
    let price: bigint | undefined;
    if (order.type === 'MARKET') {
      faults = marketFaults(account, trade, { claimed: order.price, moment, terms: this.terms });
      price = moment.quote(order.symbol)?.price;
    } else {
      const available = availableIn(account);
      price = tick ?? undefined;
      faults = tick === null ? [] : costFaults(trade, tick, available, this.terms);
      // A LIMIT gets what it reserved for, its own price, unless the tick would end it there at once.
      const isOwnPrice = faults.length > 0 && order.type === 'LIMIT' && tick !== null;
      if (isOwnPrice && order.price !== null && !isLostAt(trade, order.price, tick, this.terms)) {
        price = order.price;
        faults = costFaults(trade, order.price, available, this.terms);
      }
      if (account.isRestricted) faults.push('account_restricted');
    }
    if (faults.length > 0 || price === undefined) {
      order.status = 'REJECTED';
      order.rejections = faults;
      account.told.push('order_rejected');
      return accepted;
    }
    order.status = 'FILLED';
    order.position = this.#openAt(account, trade, price, moment.at);
    account.told.push('order_filled');
    return accepted;
  }

  #release(order: AuditedOrder): void {
    order.status = 'CANCELED';
    order.reserved = 0n;
    this.#touched.add(order);
  }

  #cancel(account: AuditedAccount, orderId: string): Verdict {
    const order = account.orders.find(({ id }) => id === orderId);
    if (!order) return ['order_not_found'];
    if (order.status !== 'NEW') return ['order_final'];
    this.#release(order);
    return accepted;
  }

  /** It has to be as good as a new one at that price, in an account that does not have this one. */
  #amend(account: AuditedAccount, { orderId, price }: AmendCommand, moment: Moment): Verdict {
    const order = account.orders.find(({ id }) => id === orderId);
    if (!order) return ['order_not_found'];
    if (order.status !== 'NEW') return ['order_final'];
    const pair = this.pairOf(order.symbol);
    if (!pair) return ['unknown_symbol'];
    if (isOffGrid(price, pair)) return ['order_price_invalid'];
    const trade: Trade = { ...order, pair };
    const waits = { trade, price, isStop: order.type === 'STOP' };
    const faults = waitingFaults(waits, availableIn(account) + order.reserved, moment, this.terms);
    if (account.isRestricted) faults.push('account_restricted');
    if (faults.length > 0) return faults;
    order.price = price;
    order.reserved =
      marginOf(price, order.size, order.leverage) + feeOf(price, order.size, this.terms.feeRate);
    this.#touched.add(order);
    return accepted;
  }

  // Positions

  #protect(
    account: AuditedAccount,
    positionId: string,
    { takeProfitPrice, stopLossPrice }: { takeProfitPrice: bigint | null; stopLossPrice: bigint | null },
    moment: Moment,
  ): Verdict {
    const position = account.positions.find(({ id }) => id === positionId);
    if (!position) return ['position_not_found'];
    if (position.closing) return ['position_closed'];
    const pair = this.pairOf(position.symbol);
    if (!pair) return ['unknown_symbol'];
    const { side, entry, liquidation } = position;
    const wanted = { pair, side, takeProfit: takeProfitPrice, stopLoss: stopLossPrice };
    const reference = moment.quote(position.symbol)?.price ?? entry;
    if (isProtectionWrong(wanted, reference, liquidation)) return ['protection_invalid'];
    position.takeProfit = takeProfitPrice;
    position.stopLoss = stopLossPrice;
    position.initialStopLoss ??= stopLossPrice;
    this.#touched.add(position);
    return accepted;
  }

  #closeAt(account: AuditedAccount, position: AuditedPosition, closing: Omit<AuditedClosing, 'pnl'>): void {
    const gross = pnlOf(position.rules, position, closing.price);
    const pnl = gross < -position.margin ? -position.margin : gross;
    const left = position.margin + pnl;
    const due = feeOf(closing.price, position.size, position.feeRate);
    const fee = due > left ? left : due;
    account.balance += pnl;
    this.house.pnl -= gross;
    // What the loss exceeds the margin by, insurance pays to the house.
    this.house.insurance -= pnl - gross;
    account.lines.push({ type: 'position_closed', amount: pnl, of: position });
    this.#charge(account, fee);
    position.fees += fee;
    position.closing = { ...closing, pnl };
    position.isLeaving = false;
    this.#touched.add(position);
  }

  #close(account: AuditedAccount, command: Extract<Command, { kind: 'close' }>, moment: Moment): Verdict {
    const position = account.positions.find(({ id }) => id === command.positionId);
    if (!position) return ['position_not_found'];
    if (position.closing) return ['position_closed'];
    const part = command.size ?? position.size;
    const quote = moment.quote(position.symbol);
    const faults = closeFaults(position, part, this.pairOf(position.symbol), quote);
    if (faults.length > 0) return faults;
    const closing = { ...closePriceOf(position, quote), reason: command.reason, at: moment.at };
    if (part === position.size) {
      this.#closeAt(account, position, closing);
      return accepted;
    }
    const closed = partOf(position, part);
    position.size -= closed.size;
    position.margin -= closed.margin;
    account.positions.push(closed);
    this.#touched.add(position);
    this.#closeAt(account, closed, closing);
    return accepted;
  }

  #leave(account: AuditedAccount, command: CloseAtReopenCommand, moment: Moment): Verdict {
    const position = account.positions.find(({ id }) => id === command.positionId);
    const verdict = wishFaults(position, command.wanted, moment);
    if (verdict.length > 0 || !position || position.isLeaving === command.wanted) return verdict;
    position.isLeaving = command.wanted;
    this.#touched.add(position);
    return accepted;
  }

  /** What the mark price does to the position, as `settle` does. */
  #mark(account: AuditedAccount, command: Extract<Command, { kind: 'trigger' }>, moment: Moment): Verdict {
    const { positionId, price, trigger } = command;
    const position = account.positions.find(({ id }) => id === positionId);
    // Nobody is told, and of what is over the engine knows nothing any more.
    if (!position || position.closing) return ['position_not_found', 'position_closed'];
    const consequences = consequencesOf(position, price);
    const [consequence] = consequences;
    if (!consequence || !consequences.includes(trigger)) return ['not_crossed'];
    this.#touched.add(position);
    if (consequence === 'margin_warning' || consequence === 'margin_recovered') {
      position.isWarned = consequence === 'margin_warning';
    } else {
      const reason = consequence === 'close_at_reopen' ? 'manual' : consequence;
      this.#closeAt(account, position, { price, source: 'live', reason, at: moment.at });
    }
    if (consequence !== 'margin_recovered') account.told.push(consequence);
    return accepted;
  }

  #fund(account: AuditedAccount, amount: bigint): void {
    account.balance += amount;
    this.house.external -= amount;
    if (amount !== 0n) {
      account.lines.push({ type: amount > 0n ? 'deposit' : 'withdrawal', amount, of: null });
    }
  }

  #adjust(account: AuditedAccount, amount: bigint, reason: string): Verdict {
    const faults = fundFaults(account, amount, reason);
    if (faults.length > 0) return faults;
    this.#fund(account, amount);
    account.told.push('funds_changed');
    return accepted;
  }

  #restrict(account: AuditedAccount, isRestricted: boolean, reason: string): Verdict {
    const faults: string[] = [];
    if (!isGoodReason(reason)) faults.push('reason_required');
    if (account.isRestricted === isRestricted) faults.push('restriction_unchanged');
    if (faults.length > 0) return faults;
    account.isRestricted = isRestricted;
    account.told.push(isRestricted ? 'restricted' : 'restriction_lifted');
    if (!isRestricted) return accepted;
    for (const order of account.orders) {
      if (order.status !== 'NEW') continue;
      this.#release(order);
      account.told.push('order_canceled');
    }
    return accepted;
  }

  #end(account: AuditedAccount, reason: 'manual' | 'staff', moment: Moment): void {
    for (const order of account.orders) if (order.status === 'NEW') this.#release(order);
    for (const position of account.positions) {
      if (position.closing) continue;
      const price = closePriceOf(position, moment.quote(position.symbol));
      this.#closeAt(account, position, { ...price, reason, at: moment.at });
    }
  }

  #reset(account: AuditedAccount, startBalance: bigint, moment: Moment): Verdict {
    if (account.isRestricted) return ['account_restricted'];
    this.#end(account, 'manual', moment);
    this.#fund(account, startBalance - account.balance);
    return accepted;
  }

  #delete(account: AuditedAccount, reason: string, moment: Moment): Verdict {
    if (!isGoodReason(reason)) return ['reason_required'];
    this.#end(account, 'staff', moment);
    this.#fund(account, -account.balance);
    account.isDeleted = true;
    return accepted;
  }
}
