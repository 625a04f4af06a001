/**
 * A fill meets the net position of its symbol (A113). The same side increases it, the other side closes a part, the whole, or the
 * whole and opens what is left on the other side, which is one execution. Invariants: an account has at most one open
 * position a symbol; the values of what is opened and closed add up to the value of the fill, to the last unit.
 */
import { asMoney, asSize, type FeeRate, type Money, multiplyDivide, NO_MONEY, type Size } from '../money.ts';
import type { TradingPair } from '../pairs.ts';
import { greatestValueAt } from '../perpetual/brackets.ts';
import { entryPriceOf, initialMargin, netLiquidationPrice } from '../perpetual/net-position.ts';
import { oppositeOf, type Side } from '../states.ts';
import type { Changes } from './changes.ts';
import { PositionCloser } from './closing.ts';
import type { Context } from './commands.ts';
import type { Fill } from './executions.ts';
import { firstStopOf, limitRefusal, positionsFull } from './limits.ts';
import { chargeFee, feeOf } from './opening.ts';
import { settlementOf } from './settlement.ts';
import type { Account, Position, Protection, Refusal } from './types.ts';

/** The open position of the symbol; an account has few, because each symbol has at most one. */
export function netPosition(account: Pick<Account, 'openPositions'>, symbol: string): Position | null {
  for (const position of account.openPositions()) if (position.symbol === symbol) return position;
  return null;
}

/** How much a trade of `side` takes off the position before it opens anything. */
export const reducible = (position: Position | null, side: Side): Size =>
  position !== null && position.side === oppositeOf(side) ? position.size : asSize(0n);

export interface NetTrade extends Protection {
  readonly pair: TradingPair;
  readonly side: Side;
  readonly leverage: number;
  readonly orderId: string | null;
  readonly feeRate: FeeRate;
}

/**
 * Applies the fill. The position that it opened or increased, else the closed part; or why not, and then `changes` must not be used.
 */
export function tradeNet(
  account: Account,
  changes: Changes,
  fill: Fill,
  trade: NetTrade,
  context: Context,
): { readonly position: Position } | { readonly refusal: Refusal } {
  const before = netPosition(account, trade.pair.symbol);
  const closer = new PositionCloser(account, changes, context);
  const closing = before && reducible(before, trade.side) > 0n ? before : null;
  const closedSize = closing === null ? 0n : closing.size < fill.size ? closing.size : fill.size;
  // One average price for both parts; what the rounding leaves belongs to the part that opens.
  const closedValue =
    closedSize === fill.size
      ? fill.value
      : asMoney(multiplyDivide(fill.value, closedSize, fill.size, 'floor'));

  let closed: Position | null = null;
  let fee = 0n;
  let realizedPnl: Money | null = null;
  if (closing) {
    const part = closedSize === closing.size ? closing : closer.splitOff(closing, asSize(closedSize));
    if (part === null) return { refusal: { code: 'amount_too_small' } };
    const terms = { price: fill.price, source: 'live', reason: 'manual' } as const;
    const settlement = settlementOf(part, { price: fill.price, value: closedValue });
    closed = closer.bookClose(part, terms, settlement, closedValue, trade.feeRate);
    fee += closed.fees - part.fees;
    realizedPnl = settlement.realizedPnl;
  }
  let opened: Position | null = null;
  if (closedSize < fill.size) {
    const part = { size: asSize(fill.size - closedSize), value: asMoney(fill.value - closedValue) };
    const openPositionCount = account.openPositionCount - (closing ? 1 : 0);
    const full = before && !closing ? null : positionsFull({ openPositionCount }, context);
    if (full) return { refusal: full };
    const result = addToNet(account, changes, closing ? null : before, part, trade, context);
    if ('refusal' in result) return result;
    opened = result.position;
    fee += result.fee;
  }
  const position = opened ?? closed;
  if (position === null) throw new RangeError('a fill has a size');
  changes.addExecution(fill, {
    orderId: trade.orderId,
    positionId: position.id,
    flippedFrom: opened && closed ? closed.id : null,
    symbol: trade.pair.symbol,
    side: trade.side,
    fee: asMoney(fee),
    realizedPnl,
  });
  return { position };
}

/** Opens the net position, or adds to `before` of the same side. */
function addToNet(
  { wallet, restricted }: Pick<Account, 'wallet' | 'restricted'>,
  changes: Changes,
  before: Position | null,
  { size, value }: { readonly size: Size; readonly value: Money },
  { pair, side, leverage, feeRate, takeProfitPrice, stopLossPrice }: NetTrade,
  context: Context,
): { readonly position: Position; readonly fee: Money } | { readonly refusal: Refusal } {
  const limited = restricted ? ({ code: 'account_restricted' } as const) : limitRefusal(pair.symbol, context);
  if (limited) return { refusal: limited };
  const entryValue = asMoney((before?.entryValue ?? 0n) + value);
  const max = greatestValueAt(pair.type, leverage) ?? asMoney(0n);
  if (entryValue > max) return { refusal: { code: 'position_too_large', leverage, max } };
  const added = initialMargin(value, leverage);
  if (added === 0n) return { refusal: { code: 'amount_too_small' } };
  const fee = feeOf(value, feeRate);
  const id = before?.id ?? context.newId();
  changes.book(before ? 'increase' : 'open', id, [
    { account: 'user:cash', amount: asMoney(-added) },
    { account: 'user:margin', amount: added },
  ]);
  chargeFee(changes, id, pair.symbol, fee);
  const whole = {
    side,
    size: asSize((before?.size ?? 0n) + size),
    entryValue,
    margin: asMoney((before?.margin ?? 0n) + added),
  };
  const stop = stopLossPrice ?? before?.stopLossPrice ?? null;
  const position = changes.setPosition(before, {
    id,
    accountId: wallet.accountId,
    symbol: pair.symbol,
    ...whole,
    entryPrice: entryPriceOf(whole),
    leverage,
    liquidationPrice: netLiquidationPrice(whole, pair.type, pair.tickSize),
    takeProfitPrice: takeProfitPrice ?? before?.takeProfitPrice ?? null,
    stopLossPrice: stop,
    initialStopLossPrice: before ? firstStopOf(before, stop, context) : stop,
    rules: 'perpetual',
    feeRate: before?.feeRate ?? context.feeRate,
    fees: asMoney((before?.fees ?? 0n) + fee),
    funding: before?.funding ?? NO_MONEY,
    fundedAt: before?.fundedAt ?? null,
    splitFrom: before?.splitFrom ?? null,
    // The new liquidation price has caused no warning yet.
    marginWarned: false,
    closeAtReopen: before?.closeAtReopen ?? false,
    createdAt: before?.createdAt ?? context.now,
    editedAt: null,
    closing: null,
  });
  return { position, fee };
}
