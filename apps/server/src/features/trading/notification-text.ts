/**
 * The texts of the trader's notifications (A104), one sentence per event. Prices and amounts are exact, with at least
 * two decimals for prices; money has two. The row contains the symbol as well, so a client may write its own text.
 */
import { texts } from '@fulcrum/contract';
import {
  formatFixed,
  MONEY_DECIMALS,
  type Notification,
  type Order,
  type Position,
  toDecimalString,
} from '@fulcrum/domain';
import { refusalError } from './refusals.ts';

const leastPriceDecimals = 2;

function priceText(price: bigint): string {
  const exact = toDecimalString(price);
  const decimals = exact.split('.')[1]?.length ?? 0;
  return decimals < leastPriceDecimals ? formatFixed(price, leastPriceDecimals) : exact;
}

const significantDigits = 8;
/** The average of several fills has decimals beyond every tick: the text has eight digits of it. */
export function averageText(price: bigint): string {
  const exact = priceText(price);
  const [whole = '', fraction = ''] = exact.split('.');
  const decimals =
    whole === '0' ? fraction.length : Math.max(leastPriceDecimals, significantDigits - whole.length);
  return fraction.length > decimals ? formatFixed(price, decimals) : exact;
}

const money = (amount: bigint): string => formatFixed(amount, MONEY_DECIMALS);
const signed = (amount: bigint): string => (amount > 0n ? `+${money(amount)}` : money(amount));
const tradeText = ({ side, size, symbol }: Position | Order): string =>
  `${side} ${toDecimalString(size)} ${symbol}`;

export function formatNotification(notification: Notification): string {
  const { kind, position, before, order, price, amount } = notification;
  switch (kind) {
    case 'order_filled':
      return `${orderText(order)} was filled${filledPartText(order)}${filledAt(position, price)}.`;
    case 'order_expired':
      return `${orderText(order)} has expired${filledPartText(order)}.`;
    case 'order_rejected':
      // What was filled in part before stays filled.
      if (order?.status === 'EXPIRED') return `${orderText(order)} has expired${filledPartText(order)}.`;
      return order?.rejection
        ? `${orderText(order)} was rejected. ${refusalError(order.rejection).message}`
        : `${orderText(order)} was rejected.`;
    case 'order_canceled':
      return `${orderText(order)} was canceled.`;
    case 'take_profit':
      return `Take profit: ${closedText(position)}`;
    case 'stop_loss':
      return `Stop loss: ${closedText(position)}`;
    case 'close_at_reopen':
      return `Closed at the next price: ${closedText(position)}`;
    case 'liquidation':
      return `Liquidation: ${closedText(position)}${offsetText(position, amount)}`;
    case 'margin_warning':
      return position
        ? `Margin warning: ${tradeText(position)}${price === null ? '' : ` is marked at ${priceText(price)} and`} is liquidated at ${priceText(position.liquidationPrice)}.`
        : 'Margin warning.';
    case 'funds_changed':
      if (amount === null) return 'Your funds were changed.';
      return amount < 0n
        ? `${money(-amount)} USDT were withdrawn from your account.`
        : `${money(amount)} USDT were deposited to your account.`;
    case 'account_reset':
      return 'Our staff reset your account to its start balance. Open positions were closed, and open orders were canceled.';
    case 'position_adjusted':
      return `Your position${position ? ` ${tradeText(position)}` : ''} was adjusted by our staff${
        position && before ? adjustmentsText(before, position) : ''
      }.${amount === null ? '' : ` Your balance changed by ${signed(amount)} USDT.`}`;
    case 'challenge_passed':
      return texts.challengePassed;
    case 'challenge_failed':
      return texts.challengeFailed;
    case 'restricted':
      return texts.accountRestricted;
    case 'restriction_lifted':
      return 'Your account is no longer restricted.';
  }
}

/** The changes by staff, each with its old and new value. */
function adjustmentsText(before: Position, after: Position): string {
  const figures: readonly (readonly [string, (of: Position) => string])[] = [
    ['side', ({ side }) => side],
    ['entry', ({ entryPrice }) => priceText(entryPrice)],
    ['size', ({ size }) => toDecimalString(size)],
    ['leverage', ({ leverage }) => `${leverage}x`],
    ['liquidation', ({ liquidationPrice }) => priceText(liquidationPrice)],
    ['stop loss', ({ stopLossPrice }) => (stopLossPrice === null ? 'none' : priceText(stopLossPrice))],
    [
      'take profit',
      ({ takeProfitPrice }) => (takeProfitPrice === null ? 'none' : priceText(takeProfitPrice)),
    ],
    ['close price', ({ closing }) => (closing ? priceText(closing.price) : 'none')],
    ['PnL', ({ closing }) => (closing ? signed(closing.realizedPnl) : 'none')],
  ];
  const changed = figures
    .map(([name, of]) => [name, of(before), of(after)] as const)
    .filter(([, was, is]) => was !== is)
    .map(([name, was, is]) => `${name} ${was} to ${is}`);
  return changed.length === 0 ? '' : `: ${changed.join(', ')}`;
}

function orderText(order: Order | null): string {
  if (!order) return 'Your order';
  const { type, side, size, symbol } = order;
  // What closes the position has no size before it does.
  const trade = size === 0n ? `${side} the whole position in ${symbol}` : tradeText(order);
  return `Your ${type.replaceAll('_', ' ')} order ${trade}`;
}

/** A net position has another average price than the fill. */
const filledAt = (position: Position | null, price: bigint | null): string =>
  position === null ? '' : ` at ${averageText(price ?? position.entryPrice)}`;

/** Of an order that fills in parts; empty for a whole one. */
function filledPartText(order: Order | null): string {
  if (!order || order.filledSize === order.size) return '';
  return ` (${toDecimalString(order.filledSize)} of ${toDecimalString(order.size)})`;
}

/** Why a position with a gain was liquidated (A111). */
function offsetText(position: Position | null, amount: bigint | null): string {
  if (!position || amount === null) return '';
  const other = position.side === 'BUY' ? 'SELL' : 'BUY';
  return ` ${money(amount)} USDT of its gain paid for what your ${other} position lost beyond its margin.`;
}

function closedText(position: Position | null): string {
  if (!position?.closing) return 'your position was closed.';
  const { price, realizedPnl } = position.closing;
  return `${tradeText(position)} was closed at ${priceText(price)}, PnL ${signed(realizedPnl)} USDT.`;
}
