/**
 * Ends a position, whether a click, a trigger or staff close it. The loss ends at the margin. Gains of the account's
 * opposite positions of that symbol pay what exceeds it (A111), the insurance pays the rest (A03). The fee is charged
 * after that and takes at most what is left (A07). Invariant: where a group books to `insurance`, no opposite open
 * position has a gain at that price.
 */
import { asMoney, type FeeRate, type Money, type Price, type Size } from '../money.ts';
import { levelsFor, sweep, sweepWhole } from '../perpetual/book.ts';
import { entryPriceOf, netLiquidationPrice } from '../perpetual/net-position.ts';
import type { Settlement } from '../rules.ts';
import { type ClosePriceSource, type CloseReason, isWaiting, oppositeOf, sides } from '../states.ts';
import { cancelOrder } from './cancel.ts';
import type { Changes } from './changes.ts';
import type { Context, Quote } from './commands.ts';
import { afterLatency, bookFor, type Fill, fillAt, marketBook, takerFill } from './executions.ts';
import { byAge, calculatePayment, findPayers } from './offset.ts';
import { chargeFee, feeOf } from './opening.ts';
import { settlementAt, settlementOf } from './settlement.ts';
import { splitPosition } from './split.ts';
import type { Account, Position } from './types.ts';

export interface ClosePrice {
  readonly price: Price;
  readonly source: ClosePriceSource;
}
type CloseTerms = ClosePrice & {
  readonly reason: CloseReason;
  /** The order that closes it. */
  readonly orderId?: string;
  /** The middle of the market when a close with latency arrived. */
  readonly arrivalPrice?: Price;
};

/**
 * The live price while the feed is fresh and the market open, else the last known mark, else the entry (RULE-19 to
 * RULE-21, A24).
 */
export function closePriceOf(
  { entryPrice }: Pick<Position, 'entryPrice'>,
  quote: Quote | undefined,
): ClosePrice {
  if (!quote) return { price: entryPrice, source: 'entry' };
  return { price: quote.price, source: quote.stale || !quote.marketOpen ? 'mark' : 'live' };
}

/** Closes positions of one account in one decision, in which a symbol has one price. */
export class PositionCloser {
  readonly #account: Account;
  readonly #changes: Changes;
  readonly #context: Context;
  readonly #notifies: boolean;
  /** Symbols whose exhausted positions are all closed. */
  readonly #liquidated = new Set<string>();

  /** `notifies`: whether the trader gets notifications of the liquidations that a close causes. */
  constructor(account: Account, changes: Changes, context: Context, { notifies = true } = {}) {
    this.#account = account;
    this.#changes = changes;
    this.#context = context;
    this.#notifies = notifies;
  }

  /**
   * In an account with both sides of a symbol, liquidates every exhausted position before anything closes; the gains
   * of the other side pay for them (A111). Otherwise the winning side could close in full and leave the loss to the
   * insurance. All liquidate at once: a gain that closes for one loss also pays the next one.
   */
  liquidateExhausted(symbol: string, at: ClosePrice): void {
    // Without any price each position closes at its own entry, so none has a loss.
    if (at.source === 'entry' || !this.#account.holdsBothSides(symbol) || this.#liquidated.has(symbol))
      return;
    this.#liquidated.add(symbol);
    const exhausted = [...this.#account.exhaustedAt(symbol, at.price)].sort(byAge);
    for (const side of sides) {
      const losers = exhausted.filter((position) => position.side === side);
      if (losers.length > 0) this.#liquidate(losers, at);
    }
  }

  /**
   * Closes the whole of `position`, or what this decision has left of it, and returns its next state. It is
   * liquidated if `liquidateExhausted` did that first.
   */
  close(position: Position, terms: CloseTerms): Position {
    this.liquidateExhausted(position.symbol, terms);
    const latest = this.#changes.latest(position);
    if (latest.closing) return latest;
    const fill = this.#fillOf(latest, terms);
    return this.#book(latest, terms, settlementOf(latest, fill), fill);
  }

  /**
   * A net position that has to close whole trades on the book of the last price, whatever its age, and beyond its levels (A114).
   * Where there is none, it ends at that price like any other.
   */
  #fillOf({ entryValue, symbol, side, size }: Position, { price, source, arrivalPrice }: CloseTerms): Fill {
    if (entryValue === null) return fillAt(price, size);
    // Without any price it is worth what was paid for it. What splits have left of that need not be the entry price times the size.
    if (source === 'entry') return { ...fillAt(entryPriceOf({ entryValue, size }), size), value: entryValue };
    const [book, left] = [marketBook(symbol, this.#context), bookFor(this.#account, symbol, this.#context)];
    if (!book || !left) return fillAt(price, size);
    const closing = oppositeOf(side);
    const levels = levelsFor(left, closing);
    const swept = sweepWhole(levels, book, closing, size);
    if (swept.size < size) return fillAt(price, size);
    const fill = takerFill(levels.length > 0 ? left : book, closing, swept);
    return afterLatency(fill, closing, arrivalPrice ?? null);
  }

  /** How much of a close the market takes now: all of it, but for a net position no more than the levels hold. */
  closableSize({ entryValue, symbol, side }: Position, size: Size): Size {
    const book = entryValue === null ? undefined : bookFor(this.#account, symbol, this.#context);
    if (!book) return size;
    const closing = oppositeOf(side);
    return sweep(levelsFor(book, closing), closing, size).size;
  }

  /** Splits the part off the position, both open, and returns the part; null where it has no margin. */
  splitOff(whole: Position, partSize: Size): Position | null {
    const { part, rest } = splitPosition(whole, partSize, this.#context.newId());
    if (part.margin === 0n) return null;
    this.#changes.book('split', whole.id, [
      { account: 'user:margin', amount: asMoney(-part.margin) },
      { account: 'user:margin', amount: part.margin, sourceId: part.id },
    ]);
    this.#changes.setPosition(whole, this.#withLiquidation(rest));
    return this.#changes.setPosition(null, part);
  }

  /** A smaller net position may be in a lower bracket. */
  #withLiquidation(position: Position): Position {
    const { symbol, entryValue } = position;
    const pair = this.#context.market.pair(symbol);
    if (entryValue === null || !pair) return position;
    return {
      ...position,
      liquidationPrice: netLiquidationPrice({ ...position, entryValue }, pair.type, pair.tickSize),
    };
  }

  /** `losers`: of one side, the oldest first; payments reach them in that order. */
  #liquidate(losers: readonly Position[], at: ClosePrice): void {
    let paid = this.#collect(losers, at);
    for (const loser of losers) {
      const { realizedPnl, toInsurance } = settlementAt(loser, at.price);
      const covered = toInsurance < paid ? toInsurance : paid;
      paid -= covered;
      const settlement = { realizedPnl, toInsurance: asMoney(toInsurance - covered) };
      const { price, source } = at;
      const closed = this.#book(loser, { price, source, reason: 'liquidation' }, settlement);
      this.#notifyLiquidation(closed, at.price, null);
    }
  }

  /** The payment of the other side for the losses beyond their margins; rounding may make it slightly larger. */
  #collect(losers: readonly Position[], at: ClosePrice): bigint {
    const loss = losers.reduce((sum, loser) => sum + settlementAt(loser, at.price).toInsurance, 0n);
    if (loss === 0n) return 0n;
    let paid = 0n;
    for (const payer of findPayers(losers, at.price, this.#account.openPositions())) {
      if (paid >= loss) break;
      paid += this.#pay(payer, asMoney(loss - paid), at);
    }
    return paid;
  }

  /** Closes as much of the payer as the loss requires. Returns the payment. */
  #pay(payer: Position, loss: Money, { price, source }: ClosePrice): Money {
    const payment = calculatePayment(payer, price, loss, this.#context.market.pair(payer.symbol));
    const part = payment.size === payer.size ? null : this.splitOff(payer, payment.size);
    const closing = part ?? payer;
    const terms = { price: payment.price, source, reason: 'liquidation' } as const;
    const closed = this.#book(closing, terms, settlementAt(closing, payment.price));
    this.#notifyLiquidation(closed, price, payment.paid);
    return payment.paid;
  }

  #book(
    position: Position,
    terms: CloseTerms,
    settlement: Settlement,
    fill = fillAt(terms.price, position.size),
  ): Position {
    const { id: positionId, symbol, side, fees } = position;
    const closed = this.bookClose(position, { ...terms, price: fill.price }, settlement, fill.value);
    this.#changes.addExecution(fill, {
      orderId: terms.orderId ?? null,
      positionId,
      flippedFrom: null,
      symbol,
      side: oppositeOf(side),
      fee: asMoney(closed.fees - fees),
      realizedPnl: settlement.realizedPnl,
    });
    return closed;
  }

  /**
   * Books the close of the whole of `position` and returns its next state; the caller records the execution. `value`: what was traded,
   * which the fee is charged on.
   */
  bookClose(
    position: Position,
    { price, source, reason }: CloseTerms,
    { realizedPnl, toInsurance }: Settlement,
    value: Money,
    feeRate: FeeRate = position.feeRate,
  ): Position {
    const { id, symbol, margin } = position;
    const left = asMoney(margin + realizedPnl);
    const group = this.#changes.book('close', id, [
      { account: 'user:margin', amount: negative(margin) },
      { account: 'user:cash', amount: left },
      { account: 'house:pnl', amount: asMoney(toInsurance - realizedPnl) },
      { account: 'insurance', amount: negative(toInsurance) },
    ]);
    this.#changes.addTransaction('position_closed', realizedPnl, `Closed ${symbol} position`, group);
    const due = feeOf(value, feeRate);
    const fee = due < left ? due : left;
    chargeFee(this.#changes, id, symbol, fee);
    this.#endOrdersOf(id);
    return this.#changes.setPosition(position, {
      ...position,
      fees: asMoney(position.fees + fee),
      closeAtReopen: false,
      closing: { price, priceSource: source, reason, realizedPnl, at: this.#context.now },
    });
  }

  /** Orders of a position end with it. */
  #endOrdersOf(positionId: string): void {
    for (const order of this.#account.openOrders()) {
      if (order.boundPositionId !== positionId) continue;
      const latest = this.#changes.latestOrder(order);
      if (isWaiting(latest.status)) this.#changes.setOrder(order, { ...latest, status: 'EXPIRED' });
    }
  }

  #notifyLiquidation(position: Position, price: Price, paid: Money | null): void {
    if (this.#notifies) this.#changes.notify('liquidation', { position, price, amount: paid });
  }
}

/**
 * Cancels waiting orders and closes open positions, whether the market is open or not (A73, A102). Creates no
 * notification.
 */
export function closeOutAccount(
  account: Account,
  changes: Changes,
  reason: CloseReason,
  context: Context,
): void {
  for (const order of account.openOrders()) cancelOrder(changes, order);
  const closer = new PositionCloser(account, changes, context, { notifies: false });
  for (const position of account.openPositions()) {
    const quote = context.market.quote(position.symbol);
    closer.close(position, { ...closePriceOf(position, quote), reason });
  }
}

const negative = (amount: Money): Money => asMoney(-amount);
