/** Labels of orders. */
import type { Order } from '../../../shared/supabase/index.ts';
import { orderTypeNames } from '../ticket/useTicket.ts';

/** `Limit buy`. */
export const getOrderLabel = ({ type, side }: Pick<Order, 'type' | 'side'>): string =>
  `${orderTypeNames[type]} ${side === 'BUY' ? 'buy' : 'sell'}`;

/** The price that the order waits for: its trigger until that is reached, then its limit. Null for a trailing stop without either. */
export const triggerOrLimit = ({
  price,
  triggerPrice,
  triggeredAt,
}: Pick<Order, 'price' | 'triggerPrice' | 'triggeredAt'>): number | null =>
  triggerPrice !== null && (triggeredAt === null || price === null) ? triggerPrice : price;

/** `Partially filled`. */
export const getStatusLabel = (status: Order['status']): string =>
  status.charAt(0) + status.slice(1).toLowerCase().replace('_', ' ');
