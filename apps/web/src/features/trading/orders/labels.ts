/** Labels of orders. */
import { asSize, parseDecimal, type Size, toNumber } from '@fulcrum/domain';
import { formatPrice, formatSize } from '../../../shared/numbers/index.ts';
import type { Order } from '../../../shared/supabase/index.ts';
import { formatClock, formatDay } from '../../../shared/time/dates.ts';
import { orderTypeNames } from '../ticket/order-types.ts';

/** `Limit`. A stop of an account with net positions has a limit beside its trigger. */
export const getTypeName = ({ type, rules }: Pick<Order, 'type' | 'rules'>): string =>
  type === 'STOP' && rules === 'perpetual' ? 'Stop limit' : orderTypeNames[type];

/** `Limit buy`. */
export const getOrderLabel = (order: Pick<Order, 'type' | 'rules' | 'side'>): string =>
  `${getTypeName(order)} ${order.side === 'BUY' ? 'buy' : 'sell'}`;

/** `0.5000`. What closes a position has no size before it does. */
export const getSizeText = ({ size }: Pick<Order, 'size'>, stepSize: number): string =>
  size === 0 ? 'Whole position' : formatSize(size, stepSize);

/** What of an order still waits. */
export const remainingSize = ({ size, filledSize }: Pick<Order, 'size' | 'filledSize'>): Size =>
  asSize(parseDecimal(size) - parseDecimal(filledSize));

/** `0.3000` of an order that is filled in part, as far as it still waits. */
export const getRemainingText = (order: Pick<Order, 'size' | 'filledSize'>, stepSize: number): string =>
  getSizeText({ size: toNumber(remainingSize(order)) }, stepSize);

/** `0.2000 filled` of an order that is filled in part; empty for any other. */
export const getFilledText = (
  { filledSize, size }: Pick<Order, 'filledSize' | 'size'>,
  stepSize: number,
): string => (filledSize > 0 && filledSize < size ? `${formatSize(filledSize, stepSize)} filled` : '');

/** `Reduce only · until Dec 05, 2026 10:42`; empty for an order without such terms. */
export const getTermsText = ({
  reduceOnly,
  size,
  expiresAt,
}: Pick<Order, 'reduceOnly' | 'size' | 'expiresAt'>): string =>
  [
    ...(reduceOnly && size > 0 ? ['Reduce only'] : []),
    ...(expiresAt === null ? [] : [`until ${formatDay(expiresAt)} ${formatClock(expiresAt)}`]),
  ].join(' · ');

/** The price that the order waits for: its trigger until that is reached, then its limit. Null for a trailing stop without either. */
export const triggerOrLimit = ({
  price,
  triggerPrice,
  triggeredAt,
}: Pick<Order, 'price' | 'triggerPrice' | 'triggeredAt'>): number | null =>
  triggerPrice !== null && (triggeredAt === null || price === null) ? triggerPrice : price;

/** `95,600.00`, or of a trailing stop `2 % from 95,600.00`. */
export function getPriceText(
  order: Pick<Order, 'price' | 'triggerPrice' | 'triggeredAt' | 'trailRate' | 'peakPrice'>,
  tickSize: number,
): string {
  const { trailRate, peakPrice, triggerPrice } = order;
  if (trailRate === null) return formatPrice(triggerOrLimit(order), tickSize);
  const from = formatPrice(peakPrice ?? triggerPrice, tickSize);
  if (peakPrice !== null) return `${trailRate} % from ${from}`;
  return `${trailRate} % ${triggerPrice === null ? 'from the next price' : `once at ${from}`}`;
}

/** `Partially filled`. */
export const getStatusLabel = (status: Order['status']): string =>
  status.charAt(0) + status.slice(1).toLowerCase().replace('_', ' ');
