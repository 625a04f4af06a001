/** What a notice says of an order once the server has answered: placed, filled as far as it was, or moved. */
import { isWaiting } from '@fulcrum/domain';
import { formatPrice, formatSize } from '../../../shared/numbers/index.ts';
import type { Order } from '../../../shared/supabase/index.ts';
import { getOrderLabel } from './labels.ts';

export interface OrderNotice {
  readonly tone: 'success' | 'info';
  readonly text: string;
}

interface PairSteps {
  readonly tickSize: number;
  readonly stepSize: number;
}

type AnsweredOrder = Pick<
  Order,
  'type' | 'rules' | 'side' | 'size' | 'symbol' | 'price' | 'filledSize' | 'filledValue' | 'status'
>;

/** `Limit buy 0.500 BTCUSDT placed at 95,600.00`; of one that traded or ended at once, what was filled. */
export function getPlacedNotice(order: AnsweredOrder, { stepSize, tickSize }: PairSteps): OrderNotice {
  const { size, symbol, price, filledSize, filledValue, status } = order;
  const label = getOrderLabel(order);
  if (status === 'NEW') {
    const text = `${label} ${formatSize(size, stepSize)} ${symbol} placed at ${formatPrice(price, tickSize)}`;
    return { tone: 'success', text };
  }
  const filled =
    filledSize === 0
      ? 'nothing filled'
      : `${formatSize(filledSize, stepSize)} of ${formatSize(size, stepSize)} ${symbol} filled at ${formatPrice(filledValue / filledSize, tickSize)}`;
  const rest = isWaiting(status)
    ? ', the rest waits'
    : status === 'EXPIRED' && filledSize > 0
      ? ', the rest has expired'
      : '';
  return { tone: status === 'FILLED' ? 'success' : 'info', text: `${label}: ${filled}${rest}` };
}

/** `Limit buy of BTCUSDT now waits at 95,600`; of one that traded or ended by its new price, what was filled. */
export const getAmendedNotice = (
  before: Pick<Order, 'filledSize'>,
  after: AnsweredOrder,
  newPrice: string,
  steps: PairSteps,
): OrderNotice =>
  isWaiting(after.status) && after.filledSize === before.filledSize
    ? { tone: 'success', text: `${getOrderLabel(after)} of ${after.symbol} now waits at ${newPrice}` }
    : getPlacedNotice(after, steps);
