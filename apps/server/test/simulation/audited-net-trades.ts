/** What a trade makes of a net position: what it closes, what it opens, what it costs, and why it is refused. */
import { ratio, times, wholeBelow } from './arithmetic.ts';
import { isWaitingForTrigger } from './audited-conditions.ts';
import { isQuoteGone, levelsOf, movedSince, quoteIdOf, type Taken, takeFrom } from './audited-levels.ts';
import { fullFaults, lockedFaults, ownFaults, retainsFirstStop } from './audited-limits.ts';
import { isOffGrid } from './audited-market.ts';
import {
  againstOf,
  isOrderWaiting,
  leverageOf,
  NetCase,
  type NetOrder,
  netOf,
  type Placed,
  refused,
  waitingOf,
} from './audited-net-case.ts';
import {
  entryOf,
  feeOn,
  inUnits,
  marginOn,
  mostAt,
  netLiquidation,
  profileOf,
  smaller,
  units,
} from './audited-net-formulas.ts';
import type { AuditedSide } from './formulas.ts';
import {
  type AuditedAccount,
  type AuditedFill,
  type AuditedOrder,
  type AuditedPosition,
  availableIn,
} from './ledger-book.ts';

export class NetTrades extends NetCase {
  /** Of the account as it was before the command. */
  protected own: readonly string[] = this.ownFaults(null);

  protected ownFaults(order: AuditedOrder | null): readonly string[] {
    const { at } = this.instant;
    return ownFaults(this.account, at, (symbol) => this.instant.quote(symbol)?.price, order);
  }

  protected limitFaults(symbol: string): readonly string[] {
    return [...lockedFaults(this.account, symbol, this.instant.at), ...this.own];
  }

  protected leverageFaults(symbol: string, leverage: number): string[] {
    if (leverage > this.account.terms.leverageMax) return ['leverage_capped'];
    if (leverage === leverageOf(this.account, symbol)) return [];
    const inUse = netOf(this.account, symbol)?.leverage ?? waitingOf(this.account, symbol)?.leverage;
    return inUse === undefined || inUse === leverage ? [] : ['leverage_in_use'];
  }

  protected protectionFaults({ pair, side, limit, takeProfit, stopLoss }: NetOrder): string[] {
    const reference = limit ?? this.instant.quote(pair.symbol)?.price;
    if (reference === undefined) return [];
    const gain = (price: bigint): bigint => (side === 'BUY' ? price - reference : reference - price);
    const isWrong =
      [takeProfit, stopLoss].some((price) => price !== null && isOffGrid(price, pair)) ||
      (takeProfit !== null && gain(takeProfit) <= 0n) ||
      (stopLoss !== null && gain(stopLoss) >= 0n);
    return isWrong ? ['protection_invalid'] : [];
  }

  protected termFaults(order: NetOrder): string[] {
    const { pair, side, leverage, reduceOnly } = order;
    const faults = [...this.leverageFaults(pair.symbol, leverage), ...this.protectionFaults(order)];
    const isAlone = againstOf(netOf(this.account, pair.symbol), side) === 0n;
    if (isAlone && reduceOnly) faults.push('nothing_to_reduce');
    if (isAlone && this.account.isRestricted) faults.push('account_restricted');
    if (isAlone && !reduceOnly) faults.push(...this.limitFaults(pair.symbol));
    return faults;
  }

  put(order: NetOrder): Placed {
    const faults = this.termFaults(order);
    const barred = new Set(['account_restricted', ...this.limitFaults(order.pair.symbol)]);
    if (faults.some((fault) => !barred.has(fault))) return refused(...faults);
    const placed = this.take(order);
    // What else is wrong with it is a reason as well.
    return faults.length > 0 ? { ...placed, faults: [...faults, ...placed.faults] } : placed;
  }

  protected take(order: NetOrder): Placed {
    const account = this.account;
    const { pair, side, limit, size, timeInForce, leverage } = order;
    const { symbol } = pair;
    const canWait = limit !== null && timeInForce !== 'IOC' && timeInForce !== 'FOK';
    account.leverages.set(symbol, leverage);
    let filled: Taken | null = null;
    let position: AuditedPosition | null = null;
    const shut = this.openableFaults(symbol, null);
    const book = this.instant.book(symbol);
    const { at } = this.instant;
    if (!book) return refused(...shut, 'no_quote');
    if (order.quoteId !== null && isQuoteGone(order.quoteId, account, symbol, book, at))
      return refused('quote_changed');
    if (shut.length > 0) {
      // What the last book would fill may not wait for a better one.
      const all = side === 'BUY' ? book.asks : book.bids;
      if (!canWait || takeFrom(all, side, 1n, limit).size > 0n) return refused(...shut);
    } else {
      const levels = levelsOf(account, pair, side, book, at);
      if (timeInForce === 'GTX') {
        if (takeFrom(levels, side, 1n, limit).size > 0n) return refused('order_would_take');
      } else {
        const most = order.reduceOnly ? againstOf(netOf(account, symbol), side) : size;
        const taken = takeFrom(levels, side, smaller(size, most), limit);
        if (timeInForce === 'FOK' && taken.size < size) return refused('order_not_fillable');
        if (taken.size > 0n) {
          const traded = this.trade(order, taken, {
            ...{
              mid: book.mid,
              quoteId: quoteIdOf(account, symbol, book, at),
              liquidity: 'taker',
              rate: profileOf(account).taker,
            },
            release: false,
          });
          if (traded.faults.length > 0) return refused(...traded.faults);
          filled = taken;
          position = traded.position;
        }
      }
    }
    // A click never waits.
    if (filled === null && order.order === null) return refused('order_not_fillable');
    const left = size - (filled?.size ?? 0n);
    const isOver = order.reduceOnly && againstOf(netOf(account, symbol), side) === 0n;
    const waits = left > 0n && canWait && !isOver;
    const reserved = waits && limit !== null ? this.reserve(order, left, limit) : 0n;
    if (availableIn(account) - reserved < 0n) return refused('insufficient_balance');
    return { faults: [], filled, position, reserved, left, waits };
  }

  /** Margin and fee of what would open, after what others of its side already take off the position. */
  protected reserve(
    { pair, side, leverage, reduceOnly, order }: NetOrder,
    size: bigint,
    price: bigint,
  ): bigint {
    if (reduceOnly) return 0n;
    let free = againstOf(netOf(this.account, pair.symbol), side);
    for (const rival of this.account.orders) {
      if (rival === order || rival.symbol !== pair.symbol || rival.side !== side) continue;
      if (!isOrderWaiting(rival) || isWaitingForTrigger(rival)) continue;
      free -= rival.size - rival.filled;
    }
    const opens = size - (free > 0n ? free : 0n);
    if (opens <= 0n) return 0n;
    const value = inUnits(times(units(price), units(opens)));
    return marginOn(value, leverage) + feeOn(value, profileOf(this.account).taker);
  }

  protected trade(
    { pair, side, leverage, takeProfit, stopLoss, order, arrival = null }: NetOrder,
    { size, value, price }: Taken,
    how: {
      mid: bigint;
      quoteId: string | null;
      liquidity: 'maker' | 'taker';
      rate: bigint;
      release: boolean;
    },
  ): { faults: readonly string[]; position: AuditedPosition | null } {
    const account = this.account;
    const { at } = this.instant;
    const before = netOf(account, pair.symbol);
    const closes = before ? smaller(againstOf(before, side), size) : 0n;
    const closesFor = closes === size ? value : wholeBelow(ratio(value * closes, size));
    let [fee, pnl] = [0n, null as bigint | null];
    let closed: AuditedPosition | null = null;
    // In the order in which the engine draws ids: the order's, its released reserve, the part and its split, the close and its fee.
    let drawn =
      (how.liquidity === 'taker' && order?.id === this.ids[0] && order ? 1 : 0) + (how.release ? 1 : 0);
    if (before && closes > 0n) {
      closed = closes === before.size ? before : this.tools.takeOff(account, before, closes);
      if (closed !== before) {
        if (closed.margin === 0n) return { faults: ['amount_too_small'], position: null };
        closed.id = this.ids[drawn] ?? null;
        drawn += 2;
      }
      const charged = this.tools.close(account, closed, { price, value: closesFor, at, rate: how.rate });
      fee += charged;
      pnl = closed.closing?.pnl ?? null;
      drawn += 1 + (charged > 0n ? 1 : 0);
    }
    let opened: AuditedPosition | null = null;
    if (closes < size) {
      const isFurther = before === undefined || closes > 0n;
      const limited = [...this.limitFaults(pair.symbol), ...(isFurther ? fullFaults(account) : [])];
      if (account.isRestricted) limited.push('account_restricted');
      if (limited.length > 0) return { faults: limited, position: null };
      const [opens, opensFor] = [size - closes, value - closesFor];
      const target = closes === 0n ? before : undefined;
      const whole = (target?.value ?? 0n) + opensFor;
      if (whole > mostAt(pair, leverage)) return { faults: ['position_too_large'], position: null };
      const margin = marginOn(opensFor, leverage);
      if (margin === 0n) return { faults: ['amount_too_small'], position: null };
      const charged = feeOn(opensFor, how.rate);
      opened = target ?? newPosition(account, pair.symbol, side, leverage, at, this.ids[drawn] ?? null);
      if (!target) account.positions.push(opened);
      opened.size += opens;
      opened.value = whole;
      opened.entry = entryOf(whole, opened.size);
      opened.margin += margin;
      opened.liquidation = netLiquidation({ ...opened, value: whole }, pair);
      opened.takeProfit = takeProfit ?? opened.takeProfit;
      opened.stopLoss = stopLoss ?? opened.stopLoss;
      if (!target || !retainsFirstStop(account)) opened.initialStopLoss ??= opened.stopLoss;
      opened.isWarned = false;
      opened.fees += charged;
      this.tools.touch(opened);
      this.tools.charge(account, charged);
      fee += charged;
    }
    const of = opened ?? closed;
    if (!of) throw new RangeError('a trade of nothing');
    const fill: AuditedFill = {
      ...{ side, size, price, value, fee, pnl, of, by: order, at, quoteId: how.quoteId },
      ...movedSince(arrival, side, how.mid),
      ...{ liquidity: how.liquidity, flippedFrom: opened && closed ? closed : null },
    };
    account.fills.push(fill);
    account.trades.push({ symbol: pair.symbol, side, size, isMaker: how.liquidity === 'maker', at });
    return { faults: [], position: of };
  }
}

const newPosition = (
  { terms }: AuditedAccount,
  symbol: string,
  side: AuditedSide,
  leverage: number,
  createdAt: number,
  id: string | null,
): AuditedPosition => ({
  ...{ id, symbol, side, leverage, createdAt, entry: 0n, size: 0n, value: 0n, margin: 0n, liquidation: 0n },
  ...{
    takeProfit: null,
    stopLoss: null,
    initialStopLoss: null,
    rules: terms.rules,
    feeRate: terms.feeRate,
    fees: 0n,
    funding: 0n,
    fundedAt: null,
  },
  ...{
    splitFrom: null,
    isWarned: false,
    isLeaving: false,
    editedAt: null,
    closing: null,
    version: 0,
    accountVersion: 0,
  },
});
